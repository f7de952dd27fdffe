"""Pictures as files: pages of several pictures, PNG and PDF."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from zlib import crc32

from .layout.boxes import Box
from .layout.page import place
from .scene.nodes import Scene

DATA = Path(__file__).parent / "data"
_HEAD = 33
"""Bytes of a PNG up to the end of its first chunk."""


class MissingExtra(RuntimeError):
    """A package that this form of picture needs is not installed. The message says how to install it."""

    def __init__(self, package: str) -> None:
        super().__init__(f"this needs the package {package}; install it with: pip install 'rulelang[draw]'")


class LettersMissing(ValueError):
    """No font has some letters of a text. The message names them, and what to do."""

    def __init__(self, letters: str, font: str) -> None:
        shown = " ".join(letters[:_SHOWN])
        more = f" and {len(letters) - _SHOWN} more" if len(letters) > _SHOWN else ""
        super().__init__(
            f"neither {font} nor any other font on this computer has the letters {shown}{more}; the page would show"
            " empty boxes. Install a font for them, such as one of the family Noto, and try again"
        )


_SHOWN = 12
_FIRST = "\u0530"
"""Latin, Greek and Cyrillic letters come before this one; the fonts that are brought along have them."""


def page_of(scenes: Sequence[Scene], width: float) -> Box:
    """One page with all Scenes, one below the other."""
    pages = [place(scene, width) for scene in scenes]
    if len(pages) == 1:
        return pages[0]
    y, inside = 0.0, []
    for page in pages:
        inside.append((0.0, y, page))
        y += page.height
    alt = " ".join(scene.alt for scene in scenes)
    return Box(width, y, "page", {"title": scenes[0].title, "alt": alt}, tuple(inside))


def png(svg: str, dpi: int | None = None) -> bytes:
    """The picture as PNG, which says how large it is to be printed where ``dpi`` is given. Raises MissingExtra."""
    try:
        import resvg_py
    except ImportError:
        raise MissingExtra("resvg_py") from None
    fonts = [str(DATA / "regular.ttf"), str(DATA / "bold.ttf")]
    made = bytes(resvg_py.svg_to_bytes(svg_string=svg, font_files=fonts, skip_system_fonts=True))
    if dpi is None:
        return made
    metre = round(dpi / 0.0254)
    chunk = b"pHYs" + struct.pack(">IIB", metre, metre, 1)
    size, check = struct.pack(">I", len(chunk) - 4), struct.pack(">I", crc32(chunk))
    return made[:_HEAD] + size + chunk + check + made[_HEAD:]


def pdf(svg: str, width: float, height: float) -> bytes:
    """The picture as a page of a PDF of its own size, in points. Raises MissingExtra."""
    sheet = f"#set page(width: {width * 0.75}pt, height: {height * 0.75}pt, margin: 0pt)"
    return typeset(f'{sheet}\n#image("picture.svg", width: 100%)\n', {"picture.svg": svg})


def typeset(text: str, pictures: Mapping[str, str]) -> bytes:
    """A PDF of a text for Typst; ``pictures``: SVG by the name of its file. Raises MissingExtra, and LettersMissing."""
    import tempfile

    try:
        import typst
    except ImportError:
        raise MissingExtra("typst") from None
    with tempfile.TemporaryDirectory() as folder:
        for name, svg in pictures.items():
            (Path(folder) / name).write_text(svg, encoding="utf-8")
        main = Path(folder) / "page.typ"
        used = {sign for one in (text, *pictures.values()) for sign in one if sign >= _FIRST and sign.isalpha()}
        if used:
            named = re.search(r'#set text\(font: "([^"]*)"', text)
            font = "DejaVu Sans" if named is None else named[1]
            main.write_text(_LETTERS.format(font=font, used="".join(sorted(used))), encoding="utf-8")
            missing = json.loads(typst.query(str(main), "<missing>", field="value", one=True, font_paths=[str(DATA)]))
            if missing:
                raise LettersMissing("".join(missing), font)
        main.write_text(text, encoding="utf-8")
        return bytes(typst.compile(str(main), font_paths=[str(DATA)]))


_LETTERS = """\
#set text(font: "{font}", top-edge: "bounds", bottom-edge: "bounds")
#context {{
  let box = measure(text("\\u{{10fffe}}"))
  [#metadata("{used}".clusters().filter(one => measure(text(one)) == box)) <missing>]
}}
"""
"""Tells the letters of which all that can be shown is the box for what no font has."""
