"""XLIFF files, as their version says: 2.0 and 2.1, or 1.2. What both share is here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .units import Delivery, ExchangeError
from .xml import local, parse

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def read_xliff(text: str) -> Delivery:
    """An XLIFF file as it came back. Raises ExchangeError."""
    from .xliff1 import read_xliff1
    from .xliff2 import read_xliff2

    root = parse(text, "XLIFF")
    if local(root) != "xliff":
        raise ExchangeError(f"This is not an XLIFF file: its outermost element is <{local(root)}>.")
    match root.get("version", ""):
        case "2.0" | "2.1":
            return read_xliff2(root)
        case "1.2":
            return read_xliff1(root)
        case version:
            raise ExchangeError(
                f"This is XLIFF {version or 'of no version'}; 2.0, 2.1 and 1.2 can be read. Export it as one of them."
            )


def descendants(root: Element, name: str) -> Iterator[Element]:
    """The elements of this name below another, whatever their namespace, in the order of the file."""
    return (element for element in root.iter() if local(element) == name)


def name_in(root: Element) -> str | None:
    """What the file translates, as its files name it. Raises ExchangeError when it holds several texts."""
    names = {(file.get("original") or "").partition(":")[0] for file in descendants(root, "file")} - {""}
    if len(names) > 1:
        raise ExchangeError(f"The file holds several texts: {', '.join(sorted(names))}. Import them one by one.")
    return next(iter(names), None)


def check_language(target: Element, language: str | None, id_: str) -> None:
    """A translation is in the language that the whole file is in. Raises ExchangeError."""
    own = target.get(LANG)
    if own and language and own.partition("-")[0].lower() != language.partition("-")[0].lower():
        raise ExchangeError(f"`{id_}` is in `{own}`, but the file says that it is in `{language}`.")
