"""What intervals do beside what they execute, on no machine: memory and branches beside code vectors."""

from __future__ import annotations

import numpy as np

from phasemark.errors import DataError
from phasemark.model import Profile, Recipe, Signatures
from phasemark.signatures.events import combine
from phasemark.signatures.memory import RECORD, has_memory_rates, memory_rates

#: What the column of branches is called.
SURPRISES = "branch_surprises"

#: Of the whole variance: as much as code has for memory, half as much for branches (docs/adr/0073).
_MEMORY, _BRANCHES = 0.5, 0.2


def surprise_rates(profile: Profile) -> Signatures:
    """Square roots of branches per instruction that what was before did not foretell.

    A conditional branch is foretold by what it did after the same twelve outcomes, a jump or call by address
    by where it went the last time (native/collector/core/branches.h): what predictors of any machine find
    hard, whatever their tables.

    Args:
        profile: recorded with its reuse of memory.

    Returns:
        n x 1 doubles.

    Raises:
        DataError: that was not recorded, or no interval has an instruction.
    """
    if profile.reuse is None or profile.reuse.surprises is None:
        raise DataError("how branches surprise was not recorded", hint=RECORD)
    lengths = profile.interval_table.length.astype(np.float64)
    if not lengths.sum():
        raise DataError("no interval has an instruction", hint="profile or import a run that does something")
    matrix = np.sqrt(profile.reuse.surprises / np.maximum(lengths, 1))[:, None]
    return Signatures(matrix, lengths / lengths.sum(), Recipe("rate", "none", 1, 0, "branch", SURPRISES))


def has_behaviour(profile: Profile) -> bool:
    """Whether a profile was recorded with what `with_behaviour` needs."""
    reuse = profile.reuse
    return reuse is not None and reuse.surprises is not None and has_memory_rates(reuse)


def with_behaviour(code: Signatures, profile: Profile) -> Signatures:
    """Code vectors, and beside them how long ago memory was used and how often branches surprise.

    Args:
        code: of the profile's n intervals, n x d.
        profile: recorded with its reuse of memory.

    Returns:
        n x (d + columns), see `memory_rates` and `surprise_rates`.

    Raises:
        DataError: as these.
    """
    return combine(combine(code, memory_rates(profile), _MEMORY), surprise_rates(profile), _BRANCHES)
