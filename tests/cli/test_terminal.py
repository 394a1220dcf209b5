"""How the command line writes numbers, spans of time and JSON."""

import json
import math

from curvewise._cli.terminal import percent, print_json, span


def test_a_share_is_written_in_hundredths_as_briefly_as_it_can_be_read():
    assert [percent(share) for share in (0.5, 0.123, None)] == ["50", "12.3", ""]


def test_a_span_of_time_is_written_as_people_say_it():
    assert [span(seconds) for seconds in (42, 61, 7300)] == ["42 s", "1 min 01 s", "2 h 01 min"]


def test_what_json_has_no_word_for_is_null_or_text(capsys):
    print_json({"score": math.nan, "curve": [math.inf, 0.5], "candidate": 1 + 2j})

    facts = json.loads(capsys.readouterr().out, parse_constant=lambda word: f"not JSON: {word}")
    assert facts == {"score": None, "curve": [None, 0.5], "candidate": "(1+2j)"}
