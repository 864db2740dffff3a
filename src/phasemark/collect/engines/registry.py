"""The collectors, by name; each is loaded, with what it needs, when it is first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TypeVar

from phasemark.collect.engines.protocol import (
    Collector,
    CuttingCollector,
    EventCollector,
    SamplingCollector,
    TimingCollector,
)

_C = TypeVar("_C", bound=Collector)

#: Name -> module in this folder, and class.
_PLACES = {
    "valgrind": ("valgrind", "Valgrind"),
    "qemu": ("qemu", "Qemu"),
    "perf": ("perf", "Perf"),
    "exp-bbv": ("exp_bbv", "ExpBbv"),
}

_loaded: dict[str, Collector] = {}


class _Collectors(Mapping[str, _C]):
    """Some of the collectors; to go through their names, or to ask for one, loads none."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getitem__(self, name: str) -> _C:
        if name not in self._names:
            raise KeyError(name)
        if name not in _loaded:
            module, cls = _PLACES[name]
            _loaded[name] = getattr(importlib.import_module(f"{__package__}.{module}"), cls)()
        return _loaded[name]  # type: ignore[return-value]  # tests hold each to its protocol

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


#: Those that can cut a run at given positions.
CUTTING_COLLECTORS: Mapping[str, CuttingCollector] = _Collectors("valgrind", "qemu")

#: Those that record events.
EVENT_COLLECTORS: Mapping[str, EventCollector] = _Collectors("valgrind", "qemu")

#: Those that record how long ago memory was used.
MEMORY_COLLECTORS: Mapping[str, Collector] = _Collectors("valgrind")

#: Those with a timing model.
TIMING_COLLECTORS: Mapping[str, TimingCollector] = _Collectors("valgrind")

#: Those whose raw streams of several processes make one profile.
TREE_COLLECTORS: Mapping[str, Collector] = _Collectors("valgrind", "qemu")

#: Those that send intervals while the program runs.
LIVE_COLLECTORS: Mapping[str, Collector] = _Collectors("valgrind", "qemu")

#: Those that sample.
SAMPLING_COLLECTORS: Mapping[str, SamplingCollector] = _Collectors("perf")

#: All; the first is used unless told otherwise.
COLLECTORS: Mapping[str, Collector] = _Collectors(*_PLACES)
