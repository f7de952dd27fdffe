"""``rulelang lsp``: the language server, for editors."""

from __future__ import annotations

from typing import Annotated

import typer

from ..output import fail


def command(
    stdio: Annotated[bool, typer.Option("--stdio", help="Standard input and output; there is no other way.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only says whether the server can be started.")] = False,
) -> None:
    """Speaks the Language Server Protocol over standard input and output, so that an editor knows the rules.

    An editor starts it; see docs/editor.md for how to set one up.

    \b
    Example:
      rulelang lsp
    """
    try:
        from ..language_server.lsp_server import main
    except ModuleNotFoundError as missing:
        if missing.name not in ("pygls", "lsprotocol", "cattrs"):
            raise
        fail("the language server needs an extra: install it with `pip install 'rulelang[editor]'`")
    if not check:
        main()
