"""What gem5 counted, dump by dump, structure by structure of the machine that it simulates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phasemark.formats.metrics.gem5_names import Structure, meaning

__all__ = ["Column", "Counted", "by_structure", "few"]

#: A value per dump.
Column = NDArray[np.float64]

#: Names in a note.
_FEW = 3


@dataclass
class Counted:
    """What one structure counted.

    Attributes:
        columns: counter -> rank of its naming (see gem5_names.Meaning) -> the sum of its statistics.
    """

    columns: dict[str, dict[int, Column]] = field(default_factory=lambda: defaultdict(dict))

    def best(self, counter: str) -> Column | None:
        """A counter under the naming that is meant; None where the structure has none."""
        ranks = self.columns.get(counter)
        return ranks[min(ranks)] if ranks else None


def by_structure(columns: Mapping[str, Column]) -> dict[Structure, Counted]:
    """The statistics that have a meaning for us, of each structure."""
    out: dict[Structure, Counted] = defaultdict(Counted)
    for name, values in columns.items():
        if (what := meaning(name)) is not None:
            ranks = out[what.of].columns[what.counter]
            ranks[what.rank] = ranks[what.rank] + values if what.rank in ranks else values
    return out


def few(names: Sequence[str]) -> str:
    """Names for a note: the first few, and how many more."""
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more
