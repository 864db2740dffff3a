"""Whether profiles can be joined at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phasemark.errors import DataError
from phasemark.model import Profile
from phasemark.parallel.origins import called
from phasemark.parallel.renamed import builds_of


def require_alike(profiles: Sequence[Profile], by: str, names: Sequence[str] = ()) -> None:
    """See that rows of all profiles mean the same, and that it can be told which code is the same.

    Args:
        profiles: that are to be joined.
        by: `block` or `function`.
        names: what each is called; unless given, after its runs.

    Raises:
        DataError: as `join`.
    """
    names = names or called(profiles)
    for profile, name in zip(profiles[1:], names[1:], strict=True):
        one, two = profiles[0].provenance.unit, profile.provenance.unit
        if one != two:
            in_one, in_two = (f"in {unit or 'nobody says what'}" for unit in (one, two))
            raise DataError(
                f"{name} was counted {in_two}, {names[0]} {in_one}",
                hint="record both with the same collector",
            )
    _require_places(profiles, names)
    if by == "block" and len(profiles) > 1:
        _require_kinds(profiles, names)
        _require_builds(profiles, names)


def is_of_functions(profile: Profile) -> bool:
    """Whether the blocks are functions of several builds, which have names, and no places."""
    return profile.provenance.details.get("joined_by") == "function"


def _require_kinds(profiles: Sequence[Profile], names: Sequence[str]) -> None:
    """Numbers and offsets mean the same where blocks are alike."""
    for profile, name in zip(profiles, names, strict=True):
        if is_of_functions(profile):
            raise DataError(
                f"{name} holds runs that were joined by function: where blocks are is no longer known",
                hint='join all by function (--by function, by="function")',
            )
    first = profiles[0].provenance
    for profile, name in zip(profiles[1:], names[1:], strict=True):
        other = profile.provenance
        if first.block_definition != other.block_definition:
            told = f"{name} is over other blocks than {names[0]}"
            if first.tool != other.tool:
                told += f": {other.tool} recorded it, and {first.tool} the other"
            raise DataError(told, hint="record both with the same collector, or join them by function")


def _require_places(profiles: Sequence[Profile], names: Sequence[str]) -> None:
    """Where nothing says where a block is, its id may mean other code in each run."""
    for profile, name in zip(profiles, names, strict=True):
        if len(profiles) > 1 and "" in profile.block_table.modules:
            raise DataError(
                f"of {name} it is not known where its blocks are, only their ids",
                hint="import them together as runs: phasemark import --as-runs FILE FILE -o DIR",
            )


def _require_builds(profiles: Sequence[Profile], names: Sequence[str]) -> None:
    known: dict[str, tuple[str, str]] = {}
    for profile, name in zip(profiles, names, strict=True):
        used = {profile.block_table.modules[m] for m in np.unique(profile.block_table.module).tolist()}
        for module, build in sorted(builds_of(profile).items()):
            if module not in used:
                continue
            before, whose = known.setdefault(module, (build, name))
            if before != build:
                raise DataError(
                    f"{module} is another build in {name} ({build[:12]}) than in {whose} ({before[:12]})",
                    hint='join them by function (--by function, by="function"), or record one build',
                )
