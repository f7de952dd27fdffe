"""Blocks of a study: a file for each, whole or not there at all.

A file holds the games of a range, one row each, in Parquet: the columns of ``interpreter.record.shape`` as they are,
those with axes as lists of fixed length (the last axis changes fastest), and ``fault``, why the rules could not go on.
The names along the axes, and a digest of the rows, are in the file's metadata under ``rulelang``.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from ..bots import make_bot
from ..record.shape import COLUMNS, Shape
from ..simulate.games import seated_for_comparison
from ..simulate.recorded import play_recorded
from ..simulate.records import Records
from .plan import Cell, StudyError

_KEY = b"rulelang"


@attrs.frozen
class Block:
    """Games ``first`` to ``first + games - 1`` of a cell."""

    cell: Cell
    first: int
    games: int

    @property
    def file(self) -> str:
        return f"{self.first:012d}-{self.first + self.games - 1:012d}.parquet"


def play_block(block: Block) -> bytes:
    """Play the games of a block: the content of its file. Runs anywhere; the rules lie at the same path there."""
    game, bots = _ready(block.cell)
    parts = play_recorded(
        game, block.cell.seed, block.games, bots, first=block.first, limit=block.cell.limit, streams=block.cell.streams
    )
    return to_bytes(Records.joined(list(parts)))


@functools.lru_cache(maxsize=16)
def _ready(cell: Cell) -> tuple[Any, Any]:
    game = cell.load()
    if set(cell.bots) == {"random"}:
        return game, None
    if cell.printed:
        return game, seated_for_comparison(game, cell.bots, cell.load_printed())
    return game, [make_bot(name, game) for name in cell.bots]


def to_bytes(records: Records) -> bytes:
    """Games as the content of a file. Equal games give equal bytes."""
    arrays = {"game": pa.array(records.numbers, pa.int64()), "seed": pa.array(records.seeds, pa.uint64())}
    for column in COLUMNS:
        values = np.ascontiguousarray(records.column(column.name))
        if not column.axes:
            arrays[column.name] = pa.array(values, pa.int32())
        elif values.size:
            size = values.size // records.games
            arrays[column.name] = pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1), pa.int32()), size)
    arrays["fault"] = pa.array([records.faults.get(int(n)) for n in records.numbers], pa.string())
    table = pa.table(arrays)
    shape = records.shape
    about = {"axes": shape.axes, "most": shape.most, "sides": shape.sides, "digest": digest(records)}
    table = table.replace_schema_metadata({_KEY: json.dumps(about, ensure_ascii=False)})
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd", row_group_size=max(1, records.games))
    return out.getvalue()


def digest(records: Records) -> str:
    """SHA-256 of the rows and the faults."""
    found = hashlib.sha256(np.ascontiguousarray(records.rows, dtype="<i4").tobytes())
    found.update(json.dumps(sorted(records.faults.items())).encode())
    return found.hexdigest()


def keep(folder: Path, block: Block, content: bytes) -> None:
    """Write the file of a block under another name, and rename it. Raises StudyError when that is impossible."""
    target = folder / block.cell.identity / block.file
    try:
        put(target, content)
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise StudyError(f"{target} cannot be written: {reason}; what was finished before is kept") from None


def put(target: Path, content: bytes) -> None:
    """Write a file under another name, and rename it, so that it is whole or not there. Raises OSError."""
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def about(file: Path) -> tuple[Shape, str]:
    """The shape of the games of a file, and the digest of its rows. Raises StudyError when it is no such file."""
    try:
        data = json.loads(pq.read_schema(file).metadata[_KEY])
        axes = {name: tuple(names) for name, names in data["axes"].items()}
        return Shape.of_axes(axes, most=data["most"], sides=tuple(data["sides"])), str(data["digest"])
    except (OSError, pa.ArrowException, TypeError, KeyError, ValueError) as problem:
        raise StudyError(f"{file} is not a file of a study, or is damaged ({problem}); delete it and go on") from None


def column(file: Path, shape: Shape, name: str) -> Any:
    """One column of the games of a file: (games, and its axes). Only that column is read."""
    lengths = shape.lengths(name)
    if 0 in lengths:
        return np.zeros((pq.read_metadata(file).num_rows, *lengths), np.int32)
    return _numbers(pq.read_table(file, columns=[name])[name], lengths)


def _numbers(column: Any, lengths: Sequence[int]) -> Any:
    values = column.combine_chunks()
    flat = values.flatten() if lengths else values
    return flat.to_numpy(zero_copy_only=False).reshape(-1, *lengths)


def read(file: Path, seed: int) -> Records:
    """All columns of the games of a file."""
    shape, _ = about(file)
    try:
        table = pq.read_table(file, partitioning=None)
    except (OSError, pa.ArrowException) as problem:
        raise StudyError(f"{file} is damaged ({problem}); delete it and go on") from None
    rows = [
        _numbers(table[c.name], shape.lengths(c.name)).reshape(table.num_rows, -1)
        for c in COLUMNS
        if 0 not in shape.lengths(c.name)
    ]
    games, faults = table["game"].to_pylist(), table["fault"].to_pylist()
    why = {game: fault for game, fault in zip(games, faults, strict=True) if fault is not None}
    return Records(shape, seed, games[0], np.concatenate(rows, axis=1), why)
