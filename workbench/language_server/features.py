"""Features that an editor can ask for, each of them a plain function in a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from lsprotocol import types

from . import (
    colours,
    completion,
    confirming,
    formatting,
    hints,
    hover,
    lenses,
    navigation,
    outline,
    quick_fixes,
    renaming,
    running,
    signatures,
    structure,
    verdicts,
)
from .session import Desk, Document, Done


@attrs.frozen
class Feature:
    """A request about a document. ``answer``: from the desk, the document and the request's parameters, to the result.

    ``options``: what the editor is told of it at the start, where the protocol has options for the method.
    """

    method: str
    answer: Callable[[Desk, Document, Any], Any]
    options: Any = None


@attrs.frozen
class Request:
    """A request about no document in particular. ``answer``: from the desk and the request's parameters."""

    method: str
    answer: Callable[[Desk, Any], Any]
    options: Any = None


@attrs.frozen
class Command:
    """What the editor can have carried out by name. ``run``: from the desk and the command's arguments, plain data."""

    name: str
    run: Callable[..., Any]


def all_features() -> tuple[Feature | Request | Command, ...]:
    """Everything that can be asked."""
    return (
        Feature(types.TEXT_DOCUMENT_HOVER, hover.hover),
        Feature(
            types.TEXT_DOCUMENT_COMPLETION,
            completion.complete,
            types.CompletionOptions(trigger_characters=[".", "{", "`", "(", "["]),
        ),
        Feature(types.TEXT_DOCUMENT_DEFINITION, navigation.definition),
        Feature(types.TEXT_DOCUMENT_REFERENCES, navigation.references),
        Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, navigation.highlights),
        Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, renaming.prepare),
        Feature(types.TEXT_DOCUMENT_RENAME, renaming.rename, types.RenameOptions(prepare_provider=True)),
        Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline.document_symbols),
        Request(types.WORKSPACE_SYMBOL, outline.workspace_symbols),
        Feature(
            types.TEXT_DOCUMENT_SIGNATURE_HELP,
            signatures.signature_help,
            types.SignatureHelpOptions(trigger_characters=["(", "[", ","]),
        ),
        Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, colours.colours, colours.LEGEND),
        Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, colours.colours_in, colours.LEGEND),
        Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, structure.folding),
        Feature(types.TEXT_DOCUMENT_SELECTION_RANGE, structure.selection),
        Feature(types.TEXT_DOCUMENT_CODE_ACTION, quick_fixes.quick_fixes, quick_fixes.KINDS),
        Feature(types.TEXT_DOCUMENT_FORMATTING, formatting.format_document),
        Feature(types.TEXT_DOCUMENT_CODE_LENS, lenses.lenses),
        Feature(types.TEXT_DOCUMENT_INLAY_HINT, hints.hints),
        Command(confirming.CONFIRM, confirming.carry_out),
        Command(running.RUN, running.run),
        Command(running.EXAMPLES, running.show_examples),
        Command(running.SIMULATE, running.simulate),
        Command(running.TERMINAL, running.in_terminal),
    )


def all_background() -> tuple[Callable[[Desk], Done], ...]:
    """What is done, a step at a time, when nothing else is to do."""
    return (verdicts.run_some, running.play_some)
