"""The collectors, by name."""

from __future__ import annotations

from collections.abc import Mapping

from phasemark.collect.engines.exp_bbv import ExpBbv
from phasemark.collect.engines.perf import Perf
from phasemark.collect.engines.protocol import (
    Collector,
    CuttingCollector,
    EventCollector,
    SamplingCollector,
    TimingCollector,
)
from phasemark.collect.engines.qemu import Qemu
from phasemark.collect.engines.valgrind import Valgrind

#: Those that can cut a run at given positions.
CUTTING_COLLECTORS: Mapping[str, CuttingCollector] = {c.name: c for c in (Valgrind(), Qemu())}

#: Those that record events.
EVENT_COLLECTORS: Mapping[str, EventCollector] = {c.name: c for c in (Valgrind(), Qemu())}

#: Those with a timing model.
TIMING_COLLECTORS: Mapping[str, TimingCollector] = {c.name: c for c in (Valgrind(),)}

#: Those whose raw streams of several processes make one profile.
TREE_COLLECTORS: Mapping[str, Collector] = {c.name: c for c in (Valgrind(), Qemu())}

#: Those that sample.
SAMPLING_COLLECTORS: Mapping[str, SamplingCollector] = {c.name: c for c in (Perf(),)}

#: All; the first is used unless told otherwise.
COLLECTORS: Mapping[str, Collector] = {
    **TIMING_COLLECTORS,
    **{c.name: c for c in (Qemu(),)},
    **SAMPLING_COLLECTORS,
    **{c.name: c for c in (ExpBbv(),)},
}
