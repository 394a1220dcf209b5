"""How tests ask the server of a page about a run."""

import http.client


def place_of(page):
    """The port and the path of a page."""
    port, _, path = page.address.removeprefix("http://127.0.0.1:").partition("/")
    return int(port), f"/{path}"


def ask(page, path, *, method="GET", **headers):
    port, _ = place_of(page)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()
