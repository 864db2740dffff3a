"""Behaviour: what each phase does with memory and branches, in numbers that are of no machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Phases, Profile, Reuse
from phasemark.quality.measured import Measured
from phasemark.signatures.memory import written

if TYPE_CHECKING:
    import pandas as pd

#: Rates are of so many instructions.
PER = 1000

#: Bytes of other memory after which accesses are told of: caches of the first levels have so many.
_SIZES = {"data": (32 << 10, 256 << 10, 2 << 20), "code": (32 << 10, 256 << 10)}

#: The columns of data that was new, and of branches.
NEW, SURPRISES = "data_new", "surprises"

#: The columns to show over the run, if the run has at least so many per 1,000.
_OVER_RUN, _SOME = ("data_32K", "data_2M", "code_32K", SURPRISES), 0.05

#: A difference is worth a word from this ratio on, where one of both has so many per 1,000.
_RATIO, _LEAST = 1.25, 0.01
#: And beyond so many standard errors of counting some lines of memory for all.
_ERRORS = 3.0


@dataclass(frozen=True)
class Difference:
    """In what two phases differ.

    Attributes:
        column: of Behaviour.
        here, there: per 1,000 instructions, in the one and in the other.
    """

    column: str
    here: float
    there: float

    @property
    def times(self) -> float:
        """How many times as many there are here; inf where there are none there."""
        return self.here / self.there if self.there else np.inf


@dataclass(frozen=True, eq=False)
class Behaviour:
    """How often phases use memory again late, and how often their branches surprise, per 1,000 instructions.

    Columns: `data_32K` (and 256K, 2M): accesses to a line of data, of 64 bytes, after at least so many bytes
    of other data were accessed since it last was, first accesses among them: what a cache of that size, with
    ways enough, lacks. `data_new`: those to lines that were never accessed before, or longer ago than is
    remembered. `code_32K`, `code_256K`: of lines of code likewise, each of which a block accesses that lies
    in it. `surprises`: conditional branches that did not do what they did after the same twelve outcomes,
    and jumps and calls by address that did not go where they went the last time.

    Attributes:
        columns: m of those names, as far as they were recorded.
        rates: k x m doubles; NaN of a phase without instructions.
        run: of the whole run, m doubles.
        names: of the phases.
        remembered: bytes of other memory after which a line counts as new.
        spread: m doubles, standard deviations of the intervals' square roots of rates, by which phases are
            told apart.
        noise: k x m doubles, standard errors of square roots of rates from looking at some lines only.
    """

    columns: tuple[str, ...]
    rates: NDArray[np.float64]
    run: NDArray[np.float64]
    names: tuple[str, ...]
    remembered: int
    spread: NDArray[np.float64]
    noise: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rates)

    def __repr__(self) -> str:
        return f"<Behaviour: phases={len(self)}, columns={', '.join(self.columns)}>"

    def differences(self, here: int, there: int) -> tuple[Difference, ...]:
        """In what two phases differ: a column of data, of code and of branches each, the most telling first.

        Differences count by the square roots of rates, beside how much intervals of the run differ in them,
        as phases are told apart; of columns that tell about as much the one of most memory. Left out are
        differences below a quarter, of what is next to nothing, within the errors of counting, or below a
        twentieth of a deviation.
        """
        roots = np.sqrt(np.nan_to_num(self.rates))
        by = np.abs(roots[here] - roots[there])
        most, least = (of(self.rates[here], self.rates[there]) for of in (np.fmax, np.fmin))
        counts = (most >= _LEAST) & (most >= _RATIO * least)
        counts &= by >= _ERRORS * np.hypot(self.noise[here], self.noise[there])
        telling = np.round(
            np.divide(by, self.spread, out=np.zeros_like(by), where=counts & (self.spread > 0)), 1
        )
        found: dict[str, Difference] = {}
        for at in np.lexsort((-np.arange(len(telling)), -telling)).tolist():
            name = self.columns[at]
            if telling[at]:
                values = float(self.rates[here, at]), float(self.rates[there, at])
                found.setdefault(kind_of(name), Difference(name, *values))
        return tuple(found.values())

    def frame(self) -> pd.DataFrame:
        """A table with a row a phase, and last the run's; accesses and branches per 1,000 instructions."""
        import pandas as pd

        return pd.DataFrame(
            np.vstack([self.rates, self.run]),
            columns=list(self.columns),
            index=pd.Index([*self.names, "run"], name="phase"),
        )

    def _repr_html_(self) -> str:
        return str(self.frame().to_html(float_format="{:.2f}".format))


def behaviour(profile: Profile, phases: Phases) -> Behaviour | None:
    """What phases do with memory and branches; None where it was not recorded, or of no instructions."""
    reuse = profile.reuse
    length = profile.interval_table.length.astype(np.float64)
    if reuse is None or not length.sum():
        return None
    counted = _counted(reuse)
    of_phases = np.bincount(phases.labels, length, phases.k)
    table = np.stack([np.bincount(phases.labels, counts, phases.k) for counts, _ in counted.values()], axis=1)
    stand_for = np.array([lines for _, lines in counted.values()], np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = PER * table / of_phases[:, None]
        # The root of a count varies by a quarter, whatever the count.
        noise = np.sqrt(PER * stand_for / 4 / of_phases[:, None])
    return Behaviour(
        tuple(counted),
        rates,
        PER * table.sum(axis=0) / length.sum(),
        tuple(phases.names),
        int(reuse.reach[-1]),
        np.array([_spread(counts, length) for counts, _ in counted.values()]),
        noise,
    )


def over_run(profile: Profile) -> list[Measured]:
    """The foremost columns of each interval, as metrics are; none of which the run has next to nothing.

    Empty where behaviour was not recorded.
    """
    length = profile.interval_table.length.astype(np.float64)
    if profile.reuse is None or not length.sum():
        return []
    known = length > 0
    found = []
    for name, (counts, _) in _counted(profile.reuse).items():
        if name in _OVER_RUN and PER * counts.sum() >= _SOME * length.sum():
            rates = np.divide(PER * counts, length, out=np.full(len(length), np.nan), where=known)
            said = of_what(name)
            title = f"{said[0].upper()}{said[1:]} per {PER} instructions"
            found.append(Measured(name, title, rates, length, known, length))
    return found


def kind_of(column: str) -> str:
    """What a column is of: data, code or surprises."""
    return column.partition("_")[0]


def heading(column: str) -> str:
    """What a column is called in a table: `data 32K`."""
    return column.replace("_", " ")


def of_what(column: str) -> str:
    """What a column counts, in a sentence: `accesses to data after 32K of other data`."""
    of, _, size = column.partition("_")
    if column == SURPRISES:
        return "branches that nothing foretold"
    return "accesses to new data" if column == NEW else f"accesses to {of} after {size} of other {of}"


def _counted(reuse: Reuse) -> dict[str, tuple[NDArray[np.int64], int]]:
    """By column what each interval has, and how many accesses one that was seen stands for."""
    reach = reuse.reach[1:].tolist()
    found: dict[str, tuple[NDArray[np.int64], int]] = {}
    for of, sizes in _SIZES.items():
        for size in sizes:
            if size in reach:
                found[f"{of}_{written(size)}"] = reuse.beyond(size, of), reuse.lines
        if of == "data":
            found[NEW] = reuse.beyond(reach[-1]), reuse.lines
    if reuse.surprises is not None:
        found[SURPRISES] = reuse.surprises, 1
    return found


def _spread(counts: NDArray[np.int64], length: NDArray[np.float64]) -> float:
    """The deviation of square roots of rates, weighed with the instructions."""
    roots = np.sqrt(PER * counts / np.maximum(length, 1))
    weights = length / length.sum()
    return float(np.sqrt(weights @ (roots - weights @ roots) ** 2))
