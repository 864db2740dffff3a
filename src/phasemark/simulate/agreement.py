"""Whether what was simulated is the run that was profiled."""

from __future__ import annotations

import numpy as np

from phasemark.collect.process_tree import Image
from phasemark.errors import named
from phasemark.model import Profile, shares
from phasemark.symbols import build_id, rebuilt

#: A difference of instructions that is worth a warning, as a share of the profile's.
LARGE = 0.01

#: And one in intervals: then those late in the run are others than they were.
SHIFTED = 0.5


def differences(profile: Profile, image: Image) -> tuple[list[str], list[str]]:
    """What differs between the profiled run and the one simulated, in sentences: notes, and warnings.

    Runs of one program differ a little, with the environment, the time, the order of threads. Unequal
    programs, code that was built anew, other numbers of threads and a difference above LARGE, or SHIFTED, are
    warned of.
    """
    notes: list[str] = []
    warnings: list[str] = []
    profiled = profile.provenance.command
    if profiled and image.command and profiled != image.command:
        warnings.append(
            f"the profile is of {' '.join(profiled)}, and {' '.join(image.command)} was simulated"
        )
    before = profile.provenance.details.get("build_ids", {})
    if changed := rebuilt(before, {name: build for name in before if (build := build_id(name))}):
        warnings.append(f"the code of {named(changed)} is not what it was when the program was profiled")
    if profile.instructions != image.instructions:
        share = abs(image.instructions / max(profile.instructions, 1) - 1)
        shift = abs(image.instructions - profile.instructions) / max(
            int(profile.interval_table.length.max()), 1
        )
        sentence = _instructions(profile.instructions, image.instructions, shift)
        (warnings if share > LARGE or shift >= SHIFTED else notes).append(sentence)
    threads = int(np.sum(profile.interval_table.first_of_thread()))
    if threads != image.threads:
        warnings.append(f"threads: {threads} in the profile, {image.threads} in the run simulated")
    return notes, warnings


def _instructions(profiled: int, simulated: int, shift: float) -> str:
    difference = simulated - profiled
    sentence = (
        f"the run simulated had {simulated:,} instructions, {abs(difference):,} "
        f"({shares.written(abs(difference) / max(profiled, 1))}) "
        f"{'more' if difference > 0 else 'fewer'} than the profile"
    )
    if shift < SHIFTED:
        return sentence
    return (
        f"{sentence}, or {shift:,.1f} intervals: those late in the run are not the ones that were profiled "
        "(give both runs the same input and environment; PYTHONHASHSEED=0 and PERL_HASH_SEED=0 keep the "
        "hashes of interpreters the same)"
    )
