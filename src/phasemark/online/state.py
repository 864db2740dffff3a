"""The state of a tracker as JSON, so that it goes on in another process."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

import phasemark._core as core
from phasemark.errors import DataError, shown
from phasemark.online.sizes import FARTHEST

FORMAT = "phasemark-tracker"
FORMAT_VERSION = 1

#: What is known of a stored signature, in the core's order; then come its counters.
_FACTS = ("phase", "seen", "used", "threshold", "mean", "measured")
_KINDS = {"keys": np.uint64, "counts": np.int64}

#: What the tracker counts, in the core's order.
_TOTALS = ("clock", "last_phase", "current", "forgotten", "saturated")


def packed(parameters: dict[str, Any], tracking: core.Tracker) -> bytes:
    """Everything that a tracker knows."""
    entries = []
    for entry in tracking.entries():
        facts = dict(zip(_FACTS, entry, strict=False))
        entries.append({**facts, **{n: v.tolist() for n, v in zip(_KINDS, entry[6:], strict=True)}})
    totals = dict(zip(_TOTALS, tracking.facts(), strict=True))
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "parameters": parameters,
        "totals": totals,
        "signatures": entries,
    }
    return json.dumps(document, default=lambda number: number.item()).encode()


def unpacked(saved: bytes) -> tuple[dict[str, Any], list[tuple[Any, ...]], tuple[int, ...]]:
    """Parameters, and stored signatures and totals as the core takes them.

    Raises:
        DataError: it is no saved tracker, or of a later phasemark.
    """
    try:
        document = json.loads(saved)
        if document["format"] != FORMAT:
            raise DataError("it is no saved tracker", hint="give what Tracker.save returned")
        version = document["format_version"]
        if version != FORMAT_VERSION:
            raise DataError(
                f"a tracker of version {shown(version)}, and this phasemark reads {FORMAT_VERSION}",
                hint="use the phasemark that saved it",
            )
        totals = tuple(_whole(document["totals"][name]) for name in _TOTALS)
        entries = [_entry(entry) for entry in document["signatures"]]
        _require_one_story(entries, dict(zip(_TOTALS, totals, strict=True)))
        return dict(document["parameters"]), entries, totals
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise damaged(error) from error


def damaged(error: Exception) -> DataError:
    """The error: what was saved is not whole."""
    return DataError(f"a saved tracker that is damaged ({shown(str(error))})", hint="track anew")


def require_fit(parameters: dict[str, Any], entries: list[tuple[Any, ...]]) -> None:
    """See that a tracker of these parameters can have stored this.

    Raises:
        ValueError: it cannot.
    """
    most, counters, bits = (parameters[n] for n in ("signatures", "counters", "compressed_bits"))
    if most is not None and len(entries) > most:
        raise ValueError(f"{len(entries)} signatures in a table of {most}")
    for *_, keys, counts in entries:
        if counters is not None and keys[-1] >= counters:
            raise ValueError(f"counter {keys[-1]} of {counters}")
        if bits is not None and counts.max() >= 2**bits:
            raise ValueError(f"{counts.max()} in {bits} bits")


def _require_one_story(entries: list[tuple[Any, ...]], totals: dict[str, int]) -> None:
    known = [dict(zip(_FACTS, entry, strict=False)) for entry in entries]
    named = [facts["phase"] for facts in known if facts["phase"]]
    if max([totals["current"], *named]) > totals["last_phase"] or len(set(named)) < len(named):
        raise ValueError("phases that were not given, or twice")
    if any(not 1 <= facts["used"] <= totals["clock"] for facts in known):
        raise ValueError("a signature that was seen when there was no interval")


def _entry(entry: dict[str, Any]) -> tuple[Any, ...]:
    keys, counts = (np.array(_wholes(entry[name]), kind) for name, kind in _KINDS.items())
    if keys.ndim != 1 or keys.shape != counts.shape or not len(keys):
        raise ValueError("keys and counts that do not belong together")
    if (counts <= 0).any() or int(counts.sum(dtype=object)) > 2**62:
        raise ValueError("counts out of range")
    if (keys[1:] <= keys[:-1]).any():
        raise ValueError("keys that do not ascend")
    reals = {name: _real(entry[name]) for name in ("threshold", "mean")}
    if not 0 <= reals["threshold"] <= FARTHEST:  # 0: halved to nothing
        raise ValueError(f"a threshold of {reals['threshold']}")
    facts = [reals[name] if name in reals else _whole(entry[name]) for name in _FACTS]
    return (*facts, keys, counts)


def _real(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{shown(value)} is no number")
    return float(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 2**62:
        raise ValueError(f"{shown(value)} is no count")
    return value


def _wholes(values: Any) -> list[int]:
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise ValueError("keys and counts that are no whole numbers")
    return values
