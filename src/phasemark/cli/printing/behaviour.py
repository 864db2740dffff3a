"""What phases do with memory and branches: a row a phase, and what tells those of equal code apart."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from phasemark.cli.printing.text import finite, phase_name
from phasemark.model import shares
from phasemark.signatures.memory import written
from phasemark.views.behaviour import heading, kind_of
from phasemark.views.text import aligned, folded

if TYPE_CHECKING:
    from phasemark.workflow import Run

#: What the numbers are; the size is that of what is remembered.
_CAPTION = (
    "what phases do with memory and branches, per 1,000 instructions: accesses to data (code) after 32K "
    "and more of other data (code); to data that is new, or was not used for {} of other data; branches "
    "that nothing foretold:"
)
_ALIKE = (
    "phases that execute the code of a larger one, in what they differ, and how many times the larger "
    "one's rate that is:"
)

#: Beyond, how many times as many is no better than the two numbers.
_TIMES = 100

#: Stands for a blank at which no line ends.
_KEPT = "\N{NO-BREAK SPACE}"

#: Columns of the second table before the last.
_BEFORE = ("phase", "same code as", "in common")


def summary(run: Run) -> dict[str, Any] | None:
    """For JSON: rates per 1,000 instructions, by column, of the run and of phases; and phases of equal code.

    None where it was not recorded.
    """
    known = run.behaviour()
    if known is None:
        return None
    return {
        "remembered": known.remembered,
        "run": dict(zip(known.columns, known.run.tolist(), strict=True)),
        "phases": [dict(zip(known.columns, map(finite, row), strict=True)) for row in known.rates.tolist()],
        "same_code": [
            None
            if found is None
            else {
                "phase": found.other,
                "common": found.common,
                "differences": [vars(difference) for difference in found.differences],
            }
            for found in run.same_code()
        ],
    }


def lines(of_run: dict[str, Any], order: Sequence[int]) -> list[str]:
    """What `summary` says, as text within the terminal's width; nothing where it was not recorded.

    Args:
        of_run: the run in one object, of which this is `behaviour`.
        order: the phases, as they are to stand.
    """
    told = of_run.get("behaviour")
    if told is None:
        return []
    room = shutil.get_terminal_size((120, 24)).columns
    caption = _CAPTION.format(written(told["remembered"]))
    rates = _rates(of_run, told, order)
    whole = aligned(rates, left=())
    fits = max(map(len, whole)) <= room
    table = ["", *textwrap.wrap(caption, room), "", *(whole if fits else folded(rates, room, keys=2))]
    if not any(told["same_code"]):
        return table
    rows = _same_code(told["same_code"], order, room, of_run.get("transition"))
    return [*table, "", *textwrap.wrap(_ALIKE, room), "", *aligned(rows, left=(3,))]


def _rates(of_run: dict[str, Any], told: dict[str, Any], order: Sequence[int]) -> list[list[str]]:
    """The columns that have something to say; a heading does not repeat what the one before is of."""
    columns = [name for name in told["run"] if any(_seen(row[name]) for row in told["phases"])]
    kinds = ["", *map(kind_of, columns)]
    heads = [heading(name).removeprefix(f"{before} ") for name, before in zip(columns, kinds, strict=False)]
    names = [phase_name(phase, of_run.get("transition")) for phase in order]
    parts = [shares.written(of_run["shares"][phase]) for phase in order]
    rows = [
        [name, part, *(rate(told["phases"][phase][column]) for column in columns)]
        for phase, name, part in zip(order, names, parts, strict=True)
    ]
    whole = ["run", shares.written(1.0), *(rate(told["run"][column]) for column in columns)]
    return [["phase", "share", *heads], whole, *rows]


def _seen(value: float | None) -> bool:
    return value is not None and value >= 0.005


def rate(value: float | None) -> str:
    """Two digits behind the point; 0 of what never happened, `-` of what is not defined."""
    if value is None:
        return "-"
    return f"{value:.2f}" if value else "0"


def _same_code(
    found: Sequence[dict[str, Any] | None], order: Sequence[int], room: int, transition: int | None
) -> list[list[str]]:
    """A row a phase that executes the code of another, and further ones where they differ in too much."""
    rows = [[*_BEFORE, "differs in"]]
    room -= sum(map(len, _BEFORE)) + 2 * len(_BEFORE)
    for phase in order:
        same = found[phase]
        if same is None:
            continue
        cells = [phase_name(one, transition) for one in (phase, same["phase"])]
        said = "; ".join(map(_difference, same["differences"])) or "nothing of these"
        first, *further = (
            part.replace(_KEPT, " ") for part in textwrap.wrap(said, max(room, 24), break_long_words=False)
        )
        rows.append([*cells, f"{100 * same['common']:.1f}%", first])
        rows += [["", "", "", part] for part in further]
    return rows


def _difference(told: dict[str, Any]) -> str:
    """`data 32K 3.34 (3.6x)`, or beside the other's rate where one of both is next to nothing."""
    here, there = told["here"], told["there"]
    times = here / there if there else _TIMES + 1
    digits = 0 if times >= 10 else 1 if times >= 1 else 2
    beside = f"{times:.{digits}f}x" if 1 / _TIMES <= times <= _TIMES else f"there {rate(there)}"
    return f"{heading(told['column'])} {rate(here)} ({beside})".replace(" ", _KEPT)
