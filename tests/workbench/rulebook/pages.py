"""Pages as tests read them: elements must be closed in order."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "input", "link", "br", "hr", "img", "source"}


class Page(HTMLParser):
    """The elements of a page with their attributes; its ids, links, languages and words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said += data

    def every(self, name: str, *tags: str) -> list[str]:
        """The attribute of this name, of the elements that have it; ``tags``: of these only."""
        return [value for tag, given in self.tags if (value := given.get(name)) and (not tags or tag in tags)]

    @property
    def ids(self) -> list[str]:
        return self.every("id")

    @property
    def links(self) -> list[str]:
        return self.every("href", "a")
