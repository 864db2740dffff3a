"""Names: the functions of all blocks, and the lines of those that are hot or that intervals begin at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from phasemark.intervals import markers_of
from phasemark.model import Blocks, Profile
from phasemark.symbols import annotate
from phasemark.views.analysis import Analysis
from phasemark.views.hottest import hot_blocks
from phasemark.views.starts import starting_blocks

#: Blocks of each phase whose lines are looked up: lines take long to read, and the rest hardly counts.
HOT_BLOCKS = 100


def with_functions(profile: Profile) -> Blocks:
    """The blocks of a profile with the functions of all, unless it has them already."""
    blocks = profile.block_table
    if blocks.function is not None:
        return blocks
    return annotate(blocks, build_ids=profile.provenance.details.get("build_ids"), lines=False)


def named(analysis: Analysis) -> Analysis:
    """The run with functions and lines, as far as the modules that ran can still be read."""
    if analysis.profile.block_table.function is not None:
        return analysis
    blocks = with_functions(analysis.profile)
    builds = analysis.profile.provenance.details.get("build_ids")
    hot = hot_blocks(analysis.profile.vectors, analysis.phases.labels.astype(np.int64), HOT_BLOCKS)
    begins = starting_blocks(analysis, markers_of(analysis.profile, analysis.phases))[0]
    blocks = annotate(blocks, np.union1d(hot, begins[begins >= 0]), build_ids=builds)
    return replace(analysis, profile=replace(analysis.profile, block_table=blocks))
