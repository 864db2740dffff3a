"""Where each run of a joined profile comes from, and what is to be said of all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from phasemark.model import Profile, Provenance
from phasemark.parallel.renamed import builds_of

#: Runs of one program execute most of their instructions in the same code, whatever their input.
IN_COMMON = 0.5

#: Of what recorded the runs, what is said of all if it is so of all.
_SHARED = ("length_unit", "engine", "engine_version", "cpu", "event", "period", "signature")


def runs_of(profile: Profile) -> int:
    """How many runs a profile has."""
    return int(profile.interval_table.run.max(initial=-1)) + 1


def called(profiles: Sequence[Profile]) -> list[str]:
    """What profiles are called, after their runs among those of all: `run 0`, `runs 1 to 3`."""
    names, first = [], 0
    for profile in profiles:
        last = first + max(runs_of(profile), 1) - 1
        names.append(f"run {first}" if last == first else f"runs {first} to {last}")
        first += runs_of(profile)
    return names


def origin_of_all(
    profiles: Sequence[Profile],
    by: str,
    clock: str,
    renamed: Sequence[Mapping[str, str]],
    shared: Sequence[float],
) -> Provenance:
    """The provenance of profiles that are joined.

    Args:
        profiles: in the order of their runs.
        by: what told that code is the same.
        clock: of all; empty where they have none in common.
        renamed: of each profile, modules that are taken for others.
        shared: of each, how much of its instructions is in code that the first one executes.
    """
    given = [profile.provenance for profile in profiles]
    if len(given) == 1 and by == "block":
        return given[0]
    first = given[0]
    details: dict[str, Any] = {
        name: first.details[name]
        for name in _SHARED
        if name in first.details and all(one.details.get(name) == first.details[name] for one in given)
    }
    details |= {"joined_by": by, "runs": _runs(profiles, renamed, shared)}
    if clock:
        details["clock"] = clock
    if by == "block":
        details["build_ids"] = {k: v for profile in reversed(profiles) for k, v in builds_of(profile).items()}
    intervals = {one.interval for one in given}
    return Provenance(
        tool=first.tool if len({one.tool for one in given}) == 1 else "several",
        tool_version=first.tool_version if len({one.tool_version for one in given}) == 1 else "",
        phasemark=first.phasemark,
        command=first.command,
        unit=first.unit,
        block_definition="function" if by == "function" else first.block_definition,
        interval=first.interval if len(intervals) == 1 else None,
        complete=all(one.complete for one in given),
        warnings=tuple(_warnings(profiles, by, renamed, shared)),
        details=details,
    )


def _warnings(
    profiles: Sequence[Profile], by: str, renamed: Sequence[Mapping[str, str]], shared: Sequence[float]
) -> list[str]:
    given, names = [profile.provenance for profile in profiles], called(profiles)
    firsts = np.cumsum([0, *map(runs_of, profiles)]).tolist()
    old = [
        _renumbered(said, first, one)
        for one, first in zip(given, firsts, strict=False)
        for said in one.warnings
    ]
    warnings = list(dict.fromkeys(old))
    intervals = {one.interval for one in given}
    if len(intervals) > 1:
        said = ", ".join(f"{one:,}" if one else "unknown" for one in sorted(intervals, key=lambda i: i or 0))
        warnings.append(f"runs were cut into intervals of different lengths ({said} {given[0].length_unit})")
    warnings += [
        f"{name} is a part of what the program did: its recording was cut short, or still goes on"
        for one, name in zip(given, names, strict=True)
        if not one.complete and "joined_by" not in one.details
    ]
    # That one build lies at two places needs no word.
    for name, known in zip(names, renamed, strict=True):
        for module, other in known.items() if by == "function" else ():
            warnings.append(
                f"{module} of {name} is taken for {other} of run 0, by the names of its functions"
            )
    for profile, name, share in zip(profiles, names, shared, strict=True):
        if share < IN_COMMON and profile.instructions:
            verb, its = ("execute", "their") if name.startswith("runs") else ("executes", "its")
            warnings.append(
                f"{name} {verb} {share:.1%} of {its} instructions in code that run 0 executes, too: are they "
                "of one program?"
            )
    return warnings


def _renumbered(said: str, first: int, of: Provenance) -> str:
    """A warning; of runs that were joined before and begin with `first` now, their new numbers."""
    if not first or "joined_by" not in of.details:
        return said
    return re.sub(
        r"\b(runs? )(\d+)( to )?(\d+)?",
        lambda m: f"{m[1]}{int(m[2]) + first}{m[3] or ''}{int(m[4]) + first if m[4] else ''}",
        said,
    )


def _runs(
    profiles: Sequence[Profile], renamed: Sequence[Mapping[str, str]], shared: Sequence[float]
) -> list[dict[str, Any]]:
    """One entry a run; runs that were joined before keep theirs."""
    out: list[dict[str, Any]] = []
    for profile, known, share in zip(profiles, renamed, shared, strict=True):
        before = profile.provenance.details.get("runs")
        n = runs_of(profile)
        told = before if isinstance(before, list) and len(before) == n else [{}] * n
        for run, entry in enumerate(told):
            merged = {**dict(entry.get("renamed", {})), **known}
            out.append({**_described(profile, run), **entry, "in_common": share, "renamed": merged})
    return out


def _described(profile: Profile, run: int) -> dict[str, Any]:
    table, provenance = profile.interval_table, profile.provenance
    own = table.run == run
    return {
        "command": list(provenance.command),
        "tool": f"{provenance.tool} {provenance.tool_version}".strip(),
        "interval": provenance.interval,
        "threads": int((own & table.first_of_thread()).sum()),
        "instructions": int(table.length[own].sum()),
        "complete": provenance.complete,
        "build_ids": builds_of(profile),
    }
