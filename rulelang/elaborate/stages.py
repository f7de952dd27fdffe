"""The stages that the environment calls when a name is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .. import program as ir
from ..syntax import tree

if TYPE_CHECKING:
    from .expressions import Expressions
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .environment import Environment


class Stages(Protocol):
    """What works out a name when it is first asked for; expressions and declarations need the environment in turn."""

    def expressions(self, env: Environment, rule: str | None, /) -> Expressions: ...

    def elaborate_variable(
        self, env: Environment, node: tree.Variable, owners: tuple[str, ...], keys: tuple[str | None, ...], /
    ) -> ir.Variable | None: ...

    def elaborate_definition(
        self, env: Environment, node: tree.Define, adjustments: tuple[tree.Adjust, ...], /
    ) -> ir.Definition | None: ...

    def elaborate_graph(self, env: Environment, node: tree.Graph, /) -> ir.Graph | None: ...

    def history_variable(self, env: Environment, node: tree.History, /) -> ir.Variable | None: ...

    def history_definition(self, env: Environment, node: tree.History, /) -> ir.Definition | None: ...
