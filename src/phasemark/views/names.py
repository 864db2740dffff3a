"""Names: the functions of all blocks, and the lines of those that are hot or that intervals begin at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from phasemark.intervals import markers_of
from phasemark.model import Blocks, Profile
from phasemark.symbols import advice, annotate, is_named, is_there, notes
from phasemark.views.analysis import Analysis
from phasemark.views.hottest import hot_blocks
from phasemark.views.starts import starting_blocks

#: Blocks of each phase whose lines are looked up: lines take long to read, and the rest hardly counts.
HOT_BLOCKS = 100

#: Share of a run's instructions in functions without names, from which on the user is told what to do.
MUCH = 0.1


def with_functions(profile: Profile) -> Blocks:
    """The blocks of a profile with the functions of all; those that it has stay."""
    blocks = profile.block_table
    nameless = None
    if blocks.function is not None:
        nameless = np.array([row for row, name in enumerate(blocks.function) if not name], np.int64)
        if not len(nameless):
            return blocks
    return annotate(blocks, nameless, build_ids=profile.provenance.details.get("build_ids"), lines=False)


def named(analysis: Analysis) -> Analysis:
    """The run with functions and lines, as far as the modules that ran can still be read."""
    if all(analysis.profile.block_table.function or ("",)):
        return analysis
    blocks = with_functions(analysis.profile)
    builds = analysis.profile.provenance.details.get("build_ids")
    hot = hot_blocks(analysis.of_phases, np.arange(analysis.phases.k), HOT_BLOCKS)
    begins = starting_blocks(analysis, markers_of(analysis.profile, analysis.phases))[0]
    blocks = annotate(blocks, np.union1d(hot, begins[begins >= 0]), build_ids=builds)
    return replace(analysis, profile=replace(analysis.profile, block_table=blocks))


def missing(profile: Profile) -> tuple[str, ...]:
    """What the user should know of functions without names, one sentence each; none where few lack them.

    How the module in which most of them are gets its names, and which servers of debug files fail.
    """
    blocks = with_functions(profile)
    all_weights = profile.vectors.column_sums()
    weights = all_weights * ~is_named(blocks)
    share = float(weights.sum() / max(all_weights.sum(), 1))
    per_module = np.bincount(blocks.module, weights, minlength=len(blocks.modules))
    module = blocks.modules[int(per_module.argmax())] if len(blocks) else ""
    if share < MUCH or not module:  # other tools' vectors know no modules
        return notes()
    builds = profile.provenance.details.get("build_ids") or {}
    how = _how(module, builds.get(module))
    return (
        f"{share:.0%} of the instructions ran in functions without names, most of them in {module}; {how}",
        *notes(),
    )


def _how(module: str, build: str | None) -> str:
    if module.startswith("["):
        return "a program that compiles at run time can write a map of names: see docs/symbols.md"
    if not is_there(module, build):
        return "the file is gone, or is another build than the one that ran"
    return f"to name them: {advice(module)}"
