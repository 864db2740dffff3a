"""Runs of one program: whether a block of one is the block of that id in another.

Most tools number blocks as a run comes to them. Two inputs then lead to two numberings, in which the same id
means different code, and the vectors of the two cannot be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from phasemark.errors import DataError, UsageError
from phasemark.formats.vectors.dialect import BlockFacts, Dialect
from phasemark.formats.vectors.runs import Part
from phasemark.formats.vectors.scanning import Vectors

__all__ = ["require_same_blocks"]

_HINT = (
    "import the runs one by one; or, if you know that all number their blocks alike, say so: --same-ids "
    "(same_ids=True)"
)


def require_same_blocks(
    parts: Sequence[Part[Vectors]], dialect: Dialect, functions: Sequence[Mapping[int, BlockFacts]]
) -> None:
    """See that the files say where their blocks are, and mean the same place by the same id.

    Args:
        parts: one a run.
        dialect: of all.
        functions: what files beside them say of blocks (exp-bbv's pc.out), one a run; or none.

    Raises:
        UsageError: nothing says where a block is, so that nobody knows whether ids mean the same.
        DataError: they do not.
    """
    if len(parts) < 2:
        return
    tables = [*functions] if functions else [part.facts.blocks for part in parts]
    if len(tables) < len(parts):
        raise UsageError(
            f"{len(parts)} runs and {len(tables)} pc.out: nothing says whether they number alike",
            hint=f"name the pc.out of each run too; {_HINT}",
        )
    for part in parts:
        name = part.vectors.path.name
        for block in part.vectors.blocks.tolist():
            if not any(_place(table, block) for table in tables):
                raise UsageError(
                    f"nothing says whether block {block} of {name} is block {block} of the other runs: "
                    f"{dialect.tool}'s blocks {dialect.numbered}",
                    hint=_HINT,
                )
    _require_agreement(tables)


def _require_agreement(tables: Sequence[Mapping[int, BlockFacts]]) -> None:
    """Each id has one place in all runs, and each place the ids that it has in the first run with it."""
    places: dict[int, str] = {}
    ids: dict[str, set[int]] = {}
    for table in tables:
        of_run: dict[str, set[int]] = {}
        for block, fact in table.items():
            if not fact.place:
                continue
            of_run.setdefault(fact.place, set()).add(block)
            if (known := places.setdefault(block, fact.place)) != fact.place:
                raise _unlike(f"block {block} is at {known} in one run, and at {fact.place} in another")
        for place, its in of_run.items():
            if (known_ids := ids.setdefault(place, its)) != its:
                one, other = min(known_ids), min(its)
                raise _unlike(f"the code at {place} is block {one} in one run, and block {other} in another")


def _unlike(what: str) -> DataError:
    return DataError(f"ids of blocks mean other code in other runs: {what}", hint=_HINT)


def _place(table: Mapping[int, BlockFacts], block: int) -> str:
    fact = table.get(block)
    return "" if fact is None else fact.place
