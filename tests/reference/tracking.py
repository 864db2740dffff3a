"""Phases as they come, in plain Python: a dictionary a signature, and whole numbers throughout.

"Discovering and exploiting program phases", its second half; "Transition phase classification and prediction"
(Lau, Schoenmackers and Calder, 2005) for the transition phase and thresholds that adapt.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.reference.random import MASK, mix64

UNBOUNDED = 2**62


def counter_of(key, seed, counters):
    return (mix64(key ^ mix64(seed & MASK)) * counters) >> 64


@dataclass
class Entry:
    signature: dict
    used: int
    threshold: float
    seen: int = 1
    phase: int = 0
    mean: float = 0.0
    measured: int = 0


class Tracker:
    def __init__(
        self,
        threshold=0.25,
        *,
        min_count=8,
        counters=32,
        bits=24,
        compressed_bits=6,
        signatures=20,
        policy="keep",
        headroom=2,
        deviation=0.25,
        seed=1,
    ):
        self.__dict__.update({k: v for k, v in locals().items() if k != "self"})
        self.entries: list[Entry] = []
        self.clock = self.last_phase = self.current = 0

    def update(self, branches, metric=None, learns=True):
        """Phase, distance and whether it is new, of an interval: its branches as (key, instructions)."""
        signature = self.compressed(self.accumulated(branches))
        if not signature:
            return self.current, 0.0, False
        distances = [distance(entry.signature, signature) for entry in self.entries]
        near = [i for i, d in enumerate(distances) if d < self.entries[i].threshold]
        best = min(near, key=lambda i: (distances[i], i)) if near else None
        told = distances[best] if near else min(distances, default=2.0)
        if not learns:
            return self.entries[best].phase if near else 0, told, False
        self.clock += 1
        entry = self.matched(best, signature) if near else self.stored(signature)
        if entry.phase == 0 and entry.seen >= self.min_count:
            self.last_phase += 1
            entry.phase = self.last_phase
        if metric is not None:
            self.adapted(entry, metric)
        self.current = entry.phase
        return entry.phase, told, not near

    def accumulated(self, branches):
        counts: dict[int, int] = {}
        most = UNBOUNDED if self.bits is None else 2**self.bits - 1
        for key, instructions in branches:
            counter = key if self.counters is None else counter_of(key, self.seed, self.counters)
            counts[counter] = min(counts.get(counter, 0) + instructions, most)
        return {counter: count for counter, count in counts.items() if count}

    def compressed(self, counts):
        if self.compressed_bits is None or not counts:
            return counts
        mean = sum(counts.values()) // self.counters
        shift = mean.bit_length() + self.headroom - self.compressed_bits
        shift = max(0, min(shift, max(counts.values()).bit_length() - 1))
        most = 2**self.compressed_bits - 1
        kept = {counter: min(count >> shift, most) for counter, count in counts.items()}
        return {counter: count for counter, count in kept.items() if count}

    def matched(self, best, signature):
        entry = self.entries[best]
        entry.seen += 1
        entry.used = self.clock
        if self.policy == "replace":
            entry.signature = signature
        if self.policy == "average":
            both = {*entry.signature, *signature}
            mean = {c: (entry.signature.get(c, 0) + signature.get(c, 0)) // 2 for c in both}
            entry.signature = {counter: count for counter, count in mean.items() if count}
        return entry

    def stored(self, signature):
        if self.signatures is not None and len(self.entries) == self.signatures:
            self.entries.remove(min(self.entries, key=lambda entry: entry.used))
        self.entries.append(Entry(signature, self.clock, self.threshold))
        return self.entries[-1]

    def adapted(self, entry, metric):
        if entry.measured and abs(metric - entry.mean) > self.deviation * abs(entry.mean):
            entry.threshold /= 2
            entry.mean, entry.measured = 0.0, 0
        entry.measured += 1
        entry.mean += (metric - entry.mean) / entry.measured


def distance(a, b):
    """L1 between two vectors, each divided by its sum."""
    total_a, total_b = sum(a.values()), sum(b.values())
    difference = sum(abs(a.get(c, 0) * total_b - b.get(c, 0) * total_a) for c in {*a, *b})
    return float(difference) / float(total_a * total_b)
