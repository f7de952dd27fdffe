"""Tables of typed columns in files: CSV to read anywhere, Parquet for tools.

A table is a mapping from names to columns of one length. A column is a NumPy array (no value where it is not a number),
names on an axis (``NameColumn``), values of one type or None (``ListColumn``), or a plain list of texts or None.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import attrs
from numpy.typing import NDArray

NEEDS_PYARROW = "needs the library pyarrow: pip install 'rulelang[parquet]'"
"""What to say where a file in Parquet is asked for, and the library for it is not installed."""


@attrs.frozen(eq=False)
class NameColumn:
    """A column of names: the places of the rows in ``names``, -1 for none."""

    places: NDArray[Any]
    names: tuple[str, ...]


@attrs.frozen(eq=False)
class ListColumn:
    """A column of values of one type, which is seen by them, or None."""

    values: Sequence[Any]


Column: TypeAlias = NDArray[Any] | NameColumn | ListColumn | list[Any]
Columns: TypeAlias = Mapping[str, Column]


class Csv:
    """A table as text, with a line of names; what has no value is empty."""

    def __init__(self, path: Path, names: Sequence[str] = ()) -> None:
        """``names``: of the columns; where they are not known yet, they come with the first rows."""
        self._file = path.open("w", encoding="utf-8", newline="")
        self._csv = csv.writer(self._file, lineterminator="\n")
        self._begun = bool(names)
        if names:
            self._csv.writerow(names)

    def write(self, columns: Columns) -> None:
        if not self._begun:
            self._csv.writerow(columns)
            self._begun = True
        self._csv.writerows(zip(*map(self._texts, columns.values()), strict=True))

    @staticmethod
    def _texts(column: Column) -> Sequence[Any]:
        match column:
            case NameColumn(places, names):
                return [None if place < 0 else names[place] for place in places.tolist()]
            case ListColumn(values):
                return values
            case list():
                return column
        whole = column.astype(int) if column.dtype == bool else column
        return [None if value != value else value for value in whole.tolist()]

    def close(self) -> None:
        self._file.close()


class Parquet:
    """A table in Parquet, row group after row group. Raises ImportError, before there is a file, without pyarrow."""

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet  # type: ignore[import-untyped] # noqa: F401

        # Opened here, as the library knows no names that are not UTF-8.
        self._file = path.open("wb")
        self._writer: Any = None

    def write(self, columns: Columns) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table({name: self._array(column) for name, column in columns.items()})
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._file, table.schema, compression="zstd")
        self._writer.write_table(table)

    @staticmethod
    def _array(column: Column) -> Any:
        import pyarrow as pa

        match column:
            case NameColumn(places, names):
                found = pa.array(places, pa.int32(), mask=places < 0)
                return pa.DictionaryArray.from_arrays(found, pa.array(names, pa.string()))
            case ListColumn(values):
                return pa.array(values)
            case list():
                return pa.array(column, pa.string())
        return pa.array(column, from_pandas=True)  # what is not a number has no value

    def note(self, about: Mapping[str, str]) -> None:
        """Adds metadata to a file with rows."""
        self._writer.add_key_value_metadata(dict(about))

    def close(self) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            self._file.close()


SINKS: Mapping[str, type[Csv] | type[Parquet]] = {"parquet": Parquet, "csv": Csv}
"""Files by their kind, which is also their ending."""
