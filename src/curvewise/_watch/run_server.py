"""A server for one page about one run, on this machine only.

Rules:

1. It listens on 127.0.0.1, on a port that is free. Nobody else on the network can reach it.
2. The address has a random token; without it there is nothing to be had. Other users of the machine
   do not know it.
3. A request must name this server as its host, so that no page of a stranger can reach it under a
   name of its own (DNS rebinding). No page of another origin can read an answer.
4. There are two things to read, the page and its facts; no file is ever served. Only GET and HEAD
   are answered, and nothing can be changed.
5. Whoever connects again and again, without a token, takes few of the open files that the search
   may have.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from curvewise._report.report_page import as_script, page_of
from curvewise._watch.live_facts import is_over, live_facts
from curvewise._watch.open_pages import OpenPages
from curvewise._webpage import asset
from curvewise.errors import CurvewiseError

logger = logging.getLogger("curvewise")

LOOPBACK = "127.0.0.1"
# Facts are read from the store at most so often, however many pages ask.
FRESH_SECONDS = 1.0
# A connection that says nothing for so long is closed.
SILENT_SECONDS = 30.0
# So many connections at once are answered, each with an open file of the search; others are closed.
MOST_CONNECTIONS = 64
WAITING = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Waiting for the run</title></head>
<body><main><h1>Waiting for the run</h1><p>It has not begun yet.</p></main></body></html>
"""
HTML = "text/html; charset=utf-8"
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class PageAnswer(NamedTuple):
    """What a path names: its type, its bytes, and who hears that it was sent."""

    kind: str
    body: bytes
    sent: Callable[[], None] | None = None


class RunServer:
    """Serves the page about a run of a store while it is being written."""

    def __init__(self, store: Path, run: str | int | None = None) -> None:
        self._store, self._run = store, run
        self._token = secrets.token_urlsafe(24)
        self._lock = threading.Lock()
        self._read: tuple[float, bytes | None, bool] = (-FRESH_SECONDS, None, False)
        self._pages = OpenPages()
        self._server = _Server((LOOPBACK, 0), partial(_Handler, self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, name="curvewise-watch", daemon=True
        )
        self._thread.start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def address(self) -> str:
        """Where the page is, token included."""
        return f"http://{LOOPBACK}:{self.port}/{self._token}/"

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return is_over(self._store, self._run)

    def close(self, *, grace: float = 0.0) -> None:
        """End it; pages that are open may still see how the run ended, for a few seconds."""
        if grace:
            self._pages.wait(grace)
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str) -> PageAnswer | None:
        """Give what a path names; None if it names nothing."""
        path, _, page = path.partition("?")
        if hmac.compare_digest(path.encode(), f"/{self._token}/".encode()):
            return self._page()
        if hmac.compare_digest(path.encode(), f"/{self._token}/facts".encode()):
            return self._facts(page)
        return None

    def _page(self) -> PageAnswer:
        facts = live_facts(self._store, self._run)
        if facts is None:
            return PageAnswer(HTML, WAITING.encode())
        text = page_of(facts, live=asset("curvewise._watch", "live.js"))
        return PageAnswer(HTML, text.encode(), self._pages.served)

    def _facts(self, page: str) -> PageAnswer:
        self._pages.asked(page)
        with self._lock:
            at, known, over = self._read
            if known is None or time.monotonic() - at >= FRESH_SECONDS:
                facts = live_facts(self._store, self._run)
                known = b"null" if facts is None else as_script(facts).encode()
                over = facts is not None and not facts["live"]["running"]
                self._read = (time.monotonic(), known, over)
        sent = partial(self._pages.has_seen_end, page) if over else None
        return PageAnswer("application/json", known, sent)


class _Server(ThreadingHTTPServer):
    """Answers each connection in a thread that ends with the process."""

    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, *args: Any) -> None:
        self._room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__(*args)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether there is room for one more."""
        return self._room.acquire(blocking=False)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a connection, and make room for another one."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of readers who have gone: the terminal belongs to the search."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            logger.error("the page about a run could not be served", exc_info=error)


class _Handler(BaseHTTPRequestHandler):
    """Answers one request after the other on a connection."""

    protocol_version = "HTTP/1.1"
    server_version = "curvewise"
    sys_version = ""
    timeout = SILENT_SECONDS

    def __init__(self, owner: RunServer, *args: Any) -> None:
        self._owner = owner
        super().__init__(*args)

    def do_GET(self) -> None:
        """Answer with a page or its facts."""
        self._serve(with_body=True)

    def do_HEAD(self) -> None:
        """Answer as to GET, without the body."""
        self._serve(with_body=False)

    def __getattr__(self, name: str) -> Callable[[], None]:
        if name.startswith("do_"):
            return self._refuse_method
        raise AttributeError(name)

    def log_message(self, *_: Any) -> None:
        """Say nothing: the terminal belongs to the search."""

    def _serve(self, *, with_body: bool) -> None:
        if not self._names_us():
            self._send(HTTPStatus.FORBIDDEN, with_body=with_body)
            return
        try:
            found = self._owner.answer(self.path)
        except CurvewiseError as error:
            message = str(error).encode()
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, message, with_body=with_body)
            return
        if found is None:
            self._send(HTTPStatus.NOT_FOUND, with_body=with_body)
            return
        kind, body, sent = found
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        if self.headers.get("If-None-Match") == tag:
            self._send(HTTPStatus.NOT_MODIFIED, kind=kind, tag=tag, with_body=False)
        else:
            self._send(HTTPStatus.OK, body, kind=kind, tag=tag, with_body=with_body)
        if sent is not None and with_body:
            sent()

    def _names_us(self) -> bool:
        """Whether the request names this server as its host (rule 3)."""
        hosts = self.headers.get_all("Host") or []
        port = self._owner.port
        return hosts in ([f"{LOOPBACK}:{port}"], [f"localhost:{port}"])

    def _refuse_method(self) -> None:
        # What else was sent is not read: the connection ends.
        self.close_connection = True
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, with_body=True, Allow="GET, HEAD")

    def _send(
        self,
        status: HTTPStatus,
        body: bytes = b"",
        *,
        with_body: bool,
        kind: str = "text/plain; charset=utf-8",
        tag: str | None = None,
        **more: str,
    ) -> None:
        self.send_response(status)
        headers = {**HEADERS, "Content-Type": kind, **more} | ({"ETag": tag} if tag else {})
        if status is not HTTPStatus.NOT_MODIFIED:
            headers["Content-Length"] = str(len(body))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)
