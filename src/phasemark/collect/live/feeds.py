"""Which feed a program's intervals come from."""

from __future__ import annotations

from phasemark.collect.engines.protocol import Fold
from phasemark.collect.engines.registry import LIVE_COLLECTORS
from phasemark.collect.live.feed import PERF, Feed, Wanted
from phasemark.errors import UsageError, shown

#: No interval is longer.
_LONGEST = 2**60

_MOST_COUNTERS = 2**14


def feed(wanted: Wanted, counters: int | None, seed: int) -> Feed:
    """What gives the intervals, before anything is started.

    Args:
        wanted: what is followed.
        counters: of who tracks them; None: one for each key.
        seed: of their hash.

    Raises:
        UsageError: that makes no sense; says why.
        CollectorError: the program cannot be followed.
        MissingTool: perf or the collector is not on this machine.
    """
    if wanted.collector == PERF:
        from phasemark.collect.live import following

        return following.source(wanted)
    if wanted.collector not in LIVE_COLLECTORS:
        raise UsageError(
            f"{shown(wanted.collector)} follows no program while it runs",
            hint=f"choose one of {', '.join([PERF, *LIVE_COLLECTORS])}",
        )
    _check(wanted)
    if counters is None or counters > _MOST_COUNTERS:
        raise UsageError(
            f"{wanted.collector} folds code into a number of counters",
            hint="choose --counters, 1 to 16384, and leave out --unrestricted",
        )
    from phasemark.collect.live import collecting

    return collecting.Source(wanted, LIVE_COLLECTORS[wanted.collector], Fold(counters, seed % 2**64))


def _check(wanted: Wanted) -> None:
    """See that a collector can follow what is wanted."""
    name = wanted.collector
    if wanted.pid is not None:
        raise UsageError(
            f"{name} runs a program itself, from its first instruction on, and cannot follow one that runs "
            f"already",
            hint=f"leave out --collector {name}: perf can",
        )
    if not wanted.command:
        raise UsageError(
            "there is no program to follow", hint=f"phasemark track --live --collector {name} -- PROGRAM"
        )
    if wanted.signature not in (None, "blocks"):
        raise UsageError(
            f"{name} counts blocks, and has no choice of signatures",
            hint=f"leave out --signature, or --collector {name}",
        )
    if wanted.interval is not None and not 0 < wanted.interval <= _LONGEST:
        raise UsageError(
            f"an interval of {wanted.interval:,} instructions", hint="give a number from 1 on, as 10M"
        )
