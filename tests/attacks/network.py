"""Whoever asks the server of a watched run without its token, from elsewhere, or to change it."""

import random
import socket
from functools import partial

import curvewise as cw
from tests.attacks.attack import Attack
from tests.report.samples import search_on, stored
from tests.watch.asking import ask, place_of

PATHS = (
    "/", "/facts", "/wrong/facts", "{token}../", "{token}../../etc/passwd", "{token}%2e%2e/facts",
    "{token}run.db", "{token}facts/", "/../{token}facts", "//etc/passwd", "{token}facts%00",
    "{token}..%2f..%2fetc%2fpasswd", "http://evil.example/", "*", "{token}" + "a" * 5_000,
)  # fmt: skip
HOSTS = ("evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", "", "[::1]", "0.0.0.0", "127.1")
METHODS = ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "NONSENSE")
SECRET = "a secret name"
# What an answer to nonsense may take.
SECONDS = 10.0


def _answered(page, path, secret, *, method="GET", **headers):
    """Ask; what is answered must be a refusal that says nothing of the run."""
    status, _, body = ask(page, path, method=method, **headers)
    if status < 400 or secret in body:
        raise AssertionError(f"answered with {status}")


def _nonsense(page, content, secret):
    """Send bytes that are no request; the page has to go on for who knows its token."""
    port, path = place_of(page)
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        connection.settimeout(SECONDS)
        try:
            connection.sendall(content)
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))
        except OSError:
            answer = b""
    if secret in answer:
        raise AssertionError("nonsense was answered with the run")
    if ask(page, f"{path}facts")[0] != 200:
        raise AssertionError("the page no longer answers")


def _other_machines(page):
    """Only this machine can connect at all."""
    port, _ = place_of(page)
    for *_, address in socket.getaddrinfo(socket.gethostname(), port, type=socket.SOCK_STREAM):
        if not address[0].startswith(("127.", "::1")):
            with socket.socket() as connection:
                connection.settimeout(SECONDS)
                if connection.connect_ex(address[:2]) == 0:
                    raise AssertionError("other machines can connect")


def attacks(folder, n_cases):
    """Give requests for what is not there, of others, of other kinds, and bytes that are none."""
    store = folder / "watched.db"
    with stored(store) as run:
        search_on(run, range(3), stop_after=3, described=lambda _: {"text": SECRET})
    with cw.watch(store) as page:
        _, token = place_of(page)
        secret = SECRET.encode()
        for path in PATHS:
            asked = partial(_answered, page, path.format(token=token), secret)
            yield Attack(f"watch: {path[:60]}", asked)
        for host in HOSTS:
            asked = partial(_answered, page, f"{token}facts", secret, Host=host)
            yield Attack(f"watch: as {host!r}", asked)
        for method in METHODS:
            asked = partial(_answered, page, token, secret, method=method)
            yield Attack(f"watch: {method}", asked)
        yield Attack("watch: from another machine", partial(_other_machines, page))
        for seed in range(min(n_cases, 300) // 10):
            content = random.Random(seed).randbytes(1 + seed * 50)
            head = (b"", b"GET ", f"GET {token}facts HTTP/1.1\r\nHost: ".encode())[seed % 3]
            yield Attack(
                f"watch: nonsense, {seed}", partial(_nonsense, page, head + content, secret)
            )
