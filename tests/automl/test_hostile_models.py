"""No file of a model executes anything, whatever it says and however right its digest is."""

import json
import os
import struct
import sys
import zipfile

import numpy as np
import pytest
import skops.io

from curvewise._cli.app import main
from curvewise.automl import _model_archive as archive
from curvewise.automl import _model_audit as model_audit
from curvewise.automl._model_measure import measure
from curvewise.automl._saved_model import load_model
from curvewise.errors import UnsafeModelError
from tests.automl.hostile_cases import CASES
from tests.automl.hostile_nodes import TRAP, called, dummy, function, plain, thing, write_model

TRAPS = {"trap": "", "trap_at_import": "call()"}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with traps that Python would find, and where the canary would be."""
    canary = tmp_path / "canary"
    for name, at_import in TRAPS.items():
        text = TRAP.format(canary=str(canary), at_import=at_import)
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / "new.csv").write_text("a\n1\n2\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in TRAPS:
        sys.modules.pop(name, None)


@pytest.fixture
def predict(place, monkeypatch, capsys):
    """Run `curvewise predict` on a file: its exit code, and what it says."""

    def predict(path, *options):
        arguments = ["curvewise", "predict", str(path), str(place / "new.csv"), *options]
        monkeypatch.setattr(sys, "argv", arguments)
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return ended.value.code, said.out + said.err

    return predict


def refused(path, place, predict):
    """Whether both ways of loading refuse a file with a sentence, and nothing has happened."""
    with pytest.raises(UnsafeModelError) as refusal:
        load_model(path)
    code, said = predict(path)

    assert not list(place.glob("canary*"))
    assert not TRAPS.keys() & sys.modules.keys()
    assert code == 2
    assert said == f"Error: {refusal.value}\n"
    assert said.count("\n") == 1
    assert said[:-1].isprintable()
    return said


def test_the_model_that_hostile_files_are_made_of_is_a_good_one(place, predict):
    write_model(place / "model.skops", dummy(), str(place / "canary"))

    assert predict(place / "model.skops") == (0, "kind\n0\n0\n")


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_file_is_refused_and_nothing_happens(place, predict, name):
    canary = str(place / "canary")
    write_model(place / "model.skops", CASES[name](canary), canary)

    refused(place / "model.skops", place, predict)


@pytest.mark.parametrize(
    "name", ["tuple", "dictionary", "type for a method", "tree", "a trap", "function for a method"]
)
def test_trust_in_a_class_does_not_let_a_file_call_anything(place, predict, name):
    canary = place / "canary"
    write_model(place / "model.skops", CASES[name](str(canary)), str(canary))
    code, said = predict(place / "model.skops", "--trust", "trap.Trap", "--trust", "trap.Pair")

    assert (code, canary.exists()) == (2, False)
    assert "which is not trusted" in said


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("trap", "is no name of a class with its module"),
        ("trap.call", "is no class, and only classes can be trusted"),
        ("trap.Nothing", "cannot be imported"),
        ("nowhere.Nothing", "cannot be imported"),
    ],
)
def test_what_cannot_be_trusted_is_one_sentence(place, predict, name, sentence):
    write_model(place / "model.skops", dummy(), str(place / "canary"))
    code, said = predict(place / "model.skops", "--trust", name)

    assert (code, said.count("\n")) == (2, 1)
    assert sentence in said


def test_a_refusal_names_the_option_that_trusts_a_class(place, predict):
    schema = dummy(a=thing("trap.Trap"), b=thing("other.Class"))
    write_model(place / "model.skops", schema, str(place / "canary"))
    said = refused(place / "model.skops", place, predict)

    assert "--trust other.Class --trust trap.Trap allows it" in said


@pytest.mark.parametrize("protocol", [-1, 0, 1, 3, True, "2", 2.0, None], ids=repr)
def test_another_protocol_of_skops_is_refused(place, predict, protocol):
    write_model(place / "model.skops", dummy(), str(place / "canary"), protocol=protocol)

    assert "in a format" in refused(place / "model.skops", place, predict)


def test_functions_of_an_old_protocol_are_refused(place, predict):
    old = {**function("numpy.max"), "content": {"module_path": "trap", "function": "call"}}
    schema = dummy(predict=old)
    write_model(place / "model.skops", schema, str(place / "canary"), protocol=0)

    refused(place / "model.skops", place, predict)


@pytest.mark.parametrize("turned", [False, True], ids=["evil last", "evil first"])
def test_a_name_that_is_given_twice_is_refused(place, predict, turned):
    names = ['"__class__": "DummyClassifier"', '"__class__": "call", "__module__": "trap"']
    good = json.dumps({**dummy(), "protocol": 2})
    text = good.replace(names[0], ", ".join(reversed(names) if turned else names), 1)
    write_model(place / "model.skops", {}, str(place / "canary"), text=text)

    refused(place / "model.skops", place, predict)


@pytest.mark.parametrize("turned", [False, True], ids=["evil last", "evil first"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_with_two_descriptions_is_refused(place, predict, turned):
    canary = str(place / "canary")
    pair = [dummy(), called("trap.call", plain(canary))]
    before, schema = reversed(pair) if turned else pair
    write_model(place / "model.skops", schema, canary, before=before)

    refused(place / "model.skops", place, predict)


@pytest.mark.parametrize("text", ["", "[]", "1", "nonsense", "[" * 100_000, '{"a":' * 100_000])
def test_a_description_that_is_none_is_refused(place, predict, text):
    write_model(place / "model.skops", {}, str(place / "canary"), text=text)

    refused(place / "model.skops", place, predict)


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", "[" * 100_000, '{"digest": 1}'])
def test_facts_that_are_none_are_refused(place, predict, text):
    with zipfile.ZipFile(place / "model.skops", "w") as file:
        file.writestr("curvewise.json", text)

    assert "is not a model" in refused(place / "model.skops", place, predict)


@pytest.mark.parametrize("name", ["LARGEST_MANIFEST", "LARGEST_SCHEMA"])
def test_what_is_too_large_when_unpacked_is_refused(place, predict, monkeypatch, name):
    write_model(place / "model.skops", dummy(), str(place / "canary"))
    monkeypatch.setattr(archive, name, 100)

    assert "takes more than" in refused(place / "model.skops", place, predict)


def test_a_description_is_small_beside_the_memory_of_the_machine(place, predict, monkeypatch):
    write_model(place / "model.skops", dummy(), str(place / "canary"))
    monkeypatch.setattr(archive, "most_bytes", lambda: 100 * archive.READ_BYTES)

    assert "takes more than" in refused(place / "model.skops", place, predict)


@pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX")
def test_a_file_that_others_change_after_it_was_looked_at_is_as_it_was_then(place, monkeypatch):
    path, canary = place / "model.skops", str(place / "canary")
    write_model(path, called("trap.call", plain(canary)), canary)
    evil = path.read_bytes()
    write_model(path, dummy(), canary)
    path.chmod(0o666)
    load = skops.io.load

    def load_later(file, **options):
        with path.open("r+b") as same:
            same.truncate(same.write(evil))
        return load(file, **options)

    monkeypatch.setattr(skops.io, "load", load_later)

    assert load_model(path).pipeline.predict([[1]]).tolist() == [0]
    assert path.read_bytes() == evil


def test_what_is_made_is_small_beside_the_memory_of_the_machine(place, predict, monkeypatch):
    write_model(place / "model.skops", dummy(), str(place / "canary"))
    monkeypatch.setattr(model_audit, "most_bytes", lambda: 20 * model_audit.NODE_BYTES)

    assert "too many parts" in refused(place / "model.skops", place, predict)


HEADERS = {
    "calculations": "-" * 9_000 + "1",
    "brackets": "(" * 9_000,
    "sums": "1+" * 4_500 + "1",
    "no dictionary": "1",
    "digits": f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({'9' * 5_000},)}}",
}


@pytest.mark.parametrize("name", HEADERS)
def test_an_array_with_a_header_that_makes_no_sense_is_refused(place, predict, name):
    text = HEADERS[name].encode()
    header = text + b" " * (-(len(text) + 11) % 64) + b"\n"
    with zipfile.ZipFile(place / "model.skops", "w") as file:
        file.writestr("a.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        file.writestr("curvewise.json", "{}")

    refused(place / "model.skops", place, predict)


def test_an_array_that_holds_nothing_many_times_is_refused(place):
    header = {"descr": "V0", "fortran_order": False, "shape": (10**10,)}
    with zipfile.ZipFile(place / "model.skops", "w") as file:
        with file.open("a.npy", "w") as member:
            np.lib.format.write_array_header_1_0(member, header)

        with pytest.raises(UnsafeModelError, match="another size"):
            measure(file)


@pytest.mark.parametrize("kind", ["ZIP_DEFLATED", "ZIP_BZIP2", "ZIP_LZMA"])
def test_a_part_that_cannot_be_unpacked_is_refused(place, predict, kind):
    path = place / "model.skops"
    with zipfile.ZipFile(path, "w", compression=getattr(zipfile, kind)) as file:
        file.writestr("curvewise.json", json.dumps(list(range(1_000))))
    packed = bytearray(path.read_bytes())
    packed[60:90] = 30 * b"\xff"
    path.write_bytes(packed)

    assert "is not a model" in refused(path, place, predict)


@pytest.mark.slow
@pytest.mark.parametrize("member", ["curvewise.json", "schema.json"])
def test_a_bomb_is_not_unpacked(place, predict, member):
    path = place / "model.skops"
    text = " " * (archive.LARGEST_SCHEMA + 1)
    write_model(path, {}, str(place / "canary"), text=text if member == "schema.json" else "{}")
    if member == "curvewise.json":
        with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_DEFLATED) as file:
            file.writestr(member, text)

    assert path.stat().st_size < 2**20
    assert "MiB" in refused(path, place, predict)
