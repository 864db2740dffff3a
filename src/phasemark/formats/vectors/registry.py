"""The vector dialects, and which of them a file is."""

from __future__ import annotations

from phasemark.errors import DataError, UsageError, shown
from phasemark.formats.vectors import drpoints, exp_bbv, gem5, nemu, pinpoints, qemu, qpoints, simpoint_text
from phasemark.formats.vectors.dialect import Dialect
from phasemark.formats.vectors.scanning import Outline

__all__ = ["DIALECTS", "named", "recognise", "require_known_lines"]

#: In the order in which they are tried: SimPoint's own takes what no other claims.
DIALECTS: tuple[Dialect, ...] = (
    nemu.DIALECT,
    pinpoints.DIALECT,
    exp_bbv.DIALECT,
    qpoints.DIALECT,
    qemu.DIALECT,
    gem5.DIALECT,
    drpoints.DIALECT,
    simpoint_text.DIALECT,
)


def recognise(vectors: Outline) -> Dialect:
    """The dialect of a file, by its content.

    Raises:
        DataError: a line that belongs to no dialect; names it.
    """
    dialect = next(d for d in DIALECTS if d.sniff(vectors))
    require_known_lines(vectors, dialect)
    return dialect


def named(name: str) -> Dialect:
    """The dialect of a name.

    Raises:
        UsageError: there is none.
    """
    for dialect in DIALECTS:
        if dialect.name == name:
            return dialect
    raise UsageError(
        f"there is no dialect {shown(name)}", hint=f"one of: {', '.join(sorted(d.name for d in DIALECTS))}"
    )


def require_known_lines(vectors: Outline, dialect: Dialect) -> None:
    """Every line is a vector, a comment, or known to the dialect.

    Raises:
        DataError: one is not; names it.
    """
    for note in vectors.notes:
        if note.text.startswith("#") or (dialect is pinpoints.DIALECT and pinpoints.knows(note)):
            continue
        raise DataError(
            f"is neither a vector nor a comment: {shown(note.text, 40)}",
            path=vectors.path,
            line=note.line,
            hint="a vector starts with `T`, a comment with `#`; remove the line, or name a file of vectors",
        )
