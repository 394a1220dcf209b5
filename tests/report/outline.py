"""What is in the markup of a page."""

import re
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "hr", "img"}


class Outline(HTMLParser):
    """The elements of a page, and whether they are nested properly."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.addresses, self.handlers = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href"):
                self.addresses.append(value)
            if name.startswith("on"):
                self.handlers.append(name)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def without_plotly(page):
    """The page without the large script, in which strings look like HTML."""
    return re.sub(r"<script>/\*\*?.*?</script>", "", page, flags=re.DOTALL)
