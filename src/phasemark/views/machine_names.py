"""Names of states: the hottest function of each, and where it differs from the rest of the run most."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from phasemark.symbols import original
from phasemark.views import places
from phasemark.views.analysis import Analysis
from phasemark.views.contrast import shares
from phasemark.views.places import Places

#: A function must be so much hotter than elsewhere to tell a state by, a line so much.
_OF_FUNCTION, _OF_LINE = 0.02, 0.005
#: Characters of a name in a picture, on a page and in their tables.
ROOM = 24
#: What has no name: its module, and `:` and a function's address, or `+` and a block's offset.
_PLACE = re.compile(r"(.+?)([:+]0x[0-9a-f]+)")


@dataclass(frozen=True)
class Apart:
    """A place that is hotter in a state than in the rest of the run.

    Attributes:
        name, of: the function and its module, or `path:line` and its function.
        here, elsewhere: its share of the state's instructions, and of those of all other states.
        function: whether it is a function, not a line or a block.
    """

    name: str
    of: str
    here: float
    elsewhere: float
    function: bool

    @property
    def short(self) -> str:
        """The name without what a picture has no room for."""
        return short(self.name)

    @property
    def said(self) -> str:
        """`sort`, or of a line or block `at sort.c:12`, in a picture's room."""
        return fitted(self.short, ROOM) if self.function else f"at {fitted(self.short, ROOM - 3)}"


def named(analysis: Analysis) -> list[tuple[str, str, float, bool, Apart | None]]:
    """Of each phase: hottest function, its module, its share, whether no other has it, and what is apart."""
    blocks, k = analysis.profile.block_table, analysis.phases.k
    functions, finest = places.functions(blocks), places.finest(blocks)
    of_functions, of_lines = (shares(analysis.of_phases, which) for which in (functions, finest))
    whole = analysis.of_phases.row_sums().astype(np.float64)
    hot = [_hottest(of_functions, phase) for phase in range(k)]
    often = Counter(hot)
    found: list[tuple[str, str, float, bool, Apart | None]] = []
    for phase, at in enumerate(hot):
        name, of = functions.names[at] if at >= 0 else ("no code", "")
        apart = _apart(of_functions, whole, phase, functions, without=at) or (
            _apart(of_lines, whole, phase, finest) if often[at] > 1 else None
        )
        found.append((name, of, _share(of_functions, phase, at), often[at] == 1, apart))
    return found


def short(name: str) -> str:
    """A function without parameters, template arguments and a compiler's endings; a path's last part.

    Of code without a name, `libm:0x1234`: the version of its library goes.
    """
    if place := _PLACE.fullmatch(name):
        return re.sub(r"\.so(\.\d+)*$", "", place[1].rsplit("/", 1)[-1]) + place[2]
    if re.search(r":\d+$", name):
        return name.rsplit("/", 1)[-1]
    plain = original(name).replace("(anonymous namespace)::", "")
    if "operator" in plain:
        return plain
    while (bare := re.sub(r"<[^<>]*>", "", plain)) != plain:
        plain = bare
    plain = re.sub(r"(?<=.)\(.*$", "", plain)
    plain = plain.rsplit(" ", 1)[-1] if " " in plain else plain  # what a template returns stands first
    return "::".join(plain.split("::")[-2:]) or name


def fitted(name: str, room: int) -> str:
    """A name in so many characters: its middle goes first; of code without a name, the end of its module."""
    if len(name) <= room:
        return name
    if (place := _PLACE.fullmatch(name)) and len(place[2]) < room - 1:
        return f"{place[1][: room - 1 - len(place[2])]}…{place[2]}"
    half = (room - 1) // 2
    return f"{name[: room - 1 - half]}…{name[len(name) - half :]}"


def is_place(name: str) -> bool:
    """Whether it is no name, but where code without one is: `gzip:0x4290`."""
    return _PLACE.fullmatch(name) is not None


def _hottest(table: Any, phase: int) -> int:
    """The place with the largest share of a phase, of equals the first in the code; -1 of an empty one."""
    row = slice(table.indptr[phase], table.indptr[phase + 1])
    columns, data = table.indices[row], table.data[row]
    return int(columns[np.lexsort((columns, -data))[0]]) if len(data) else -1


def _share(table: Any, phase: int, at: int) -> float:
    return float(table[phase, at]) if at >= 0 else 0.0


def _apart(table: Any, whole: Any, phase: int, of: Places, without: int | None = None) -> Apart | None:
    """The place whose share of a phase is most above its share of all others; a function other than one."""
    weights = whole.copy()
    weights[phase] = 0.0
    if weights.sum() <= 0:
        return None
    elsewhere = np.asarray(table.T @ (weights / weights.sum())).ravel()
    here = np.asarray(table[phase].todense()).ravel()
    above = here - elsewhere
    if without is not None:
        above[without] = -1.0
    at = int(np.argmax(above))
    if above[at] < (_OF_LINE if without is None else _OF_FUNCTION):
        return None
    return Apart(*of.names[at], float(here[at]), float(elsewhere[at]), without is not None)
