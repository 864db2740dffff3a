"""Tracker: phases of intervals as they come, one pass, in constant memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

import phasemark._core as core
from phasemark.errors import DataError, UsageError, counted
from phasemark.model import Counts, Phases, Recipe, Signatures
from phasemark.online import sizes, state
from phasemark.online.accumulator import Accumulator, whole
from phasemark.online.observation import Observation, Observations
from phasemark.online.rows import Rows
from phasemark.phases.estimator import Estimator
from phasemark.phases.fitting import require_sequences
from phasemark.phases.labelled import of_labels
from phasemark.phases.numbering import by_appearance
from phasemark.phases.protocol import Input
from phasemark.phases.registry import register
from phasemark.progress import Progress

#: What is compiled, or made for that.
_COMPILED = ("_core", "_sizes", "_counting", "_in_force")


@register
class Tracker(Estimator):
    """Phases of intervals as they come, by a table of past signatures.

    The hardware of "Discovering and exploiting program phases", its second half. Each branch adds the
    instructions since the branch before it to one of a few saturating counters, that which a hash of its
    address names. When the interval ends, a few bits of each counter are its signature. The nearest stored
    signature, by the L1 distance between vectors divided by their sums, is matched if it is nearer than the
    threshold; otherwise the new signature takes the place of the one that was not seen for longest.

    Branches (`accumulator`, `observe`), rows one at a time (`update`), counters that were filled elsewhere
    (`update_counters`), and many rows at once (`track`, `fit`) give equal phases. One tracker serves all
    threads of a program, each with an accumulator of its own: the same code is then the same phase in each,
    and memory does not grow with threads. `fit` sees a profile's threads one after the other. A
    `phasemark.phases.PhaseModel`.

    Args:
        threshold: a signature matches one that is nearer than this, above 0 to 2.
        min_count: sightings with which a signature becomes a phase; before, its intervals are of phase 0,
            in transition. 1: there is no transition.
        counters: that addresses are hashed to; None: each has its own ("unrestricted").
        bits: of a counter, which stops at its largest value; None: it never does.
        compressed_bits: bits of each counter that a signature keeps; None: all.
        signatures: that the table holds; None: as many as come.
        policy: what becomes of a stored signature that is matched: "keep" it, "replace" it by the new one, or
            "average" both, counter by counter.
        headroom: bits above the mean counter's highest at which the bits kept begin; a counter that is larger
            still has all of them set. 2: counters above about 4 to 8 times the mean are all alike.
        deviation: where updates give a metric: how far it may be from its phase's mean, as a part of that,
            before the phase's threshold is halved.
        seed: of the hash; any whole number.

    Attributes:
        phases_: the phases of `fit`, as a value; its `model` records which one is `transition`, or None.
        labels_: n int32, phases numbered by first appearance. With a transition phase they are the numbers
            that `update` gives, without it one less.
        k_: number of phases found, transition included.
        notes_: sentences a user should read.
        n_features_in_: columns.
        observed_: the observations of `fit`; pickles are without them.

    Raises:
        UsageError: from the first use on: a parameter makes no sense.
    """

    name: ClassVar[str] = "online"
    input: ClassVar[Input] = "counts"
    ordered: ClassVar[bool] = True
    options: ClassVar[tuple[str, ...]] = ("threshold", "min_count", "seed")

    #: There from the first use on.
    _core: core.Tracker
    _sizes: core.TrackerSizes
    _counting: tuple[int | None, ...]
    _in_force: dict[str, Any]

    def __init__(
        self,
        threshold: float = 0.25,
        min_count: int = 8,
        *,
        counters: int | None = 32,
        bits: int | None = 24,
        compressed_bits: int | None = 6,
        signatures: int | None = 20,
        policy: str = "keep",
        headroom: int = 2,
        deviation: float = 0.25,
        seed: int = 1,
    ) -> None:
        self.threshold = threshold
        self.min_count = min_count
        self.counters = counters
        self.bits = bits
        self.compressed_bits = compressed_bits
        self.signatures = signatures
        self.policy = policy
        self.headroom = headroom
        self.deviation = deviation
        self.seed = seed

    @classmethod
    def unrestricted(cls, threshold: float = 0.25, min_count: int = 8, **parameters: Any) -> Self:
        """A tracker whose sizes are without bound: exact vectors, and every signature is remembered."""
        free = {"counters": None, "bits": None, "compressed_bits": None, "signatures": None}
        return cls(threshold, min_count, **{**free, **parameters})

    # ------------------------------------------------------------ as intervals come

    def accumulator(self) -> Accumulator:
        """Empty counters for a thread's branches."""
        self._tracking()
        return Accumulator(self._sizes, self._counting)

    def observe(self, accumulator: Accumulator, metric: float | None = None) -> Observation:
        """End the interval that an accumulator holds; it is empty afterwards.

        An interval without an instruction is of the phase before it, and leaves no trace.

        Args:
            accumulator: of a tracker with the same sizes.
            metric: what was measured of the interval, as CPI, for the phase's threshold to adapt to; None:
                nothing was.

        Raises:
            UsageError: the accumulator is of other counters.
            DataError: the metric is infinite.
        """
        tracking = self._tracking()
        if accumulator.of != self._counting:
            raise UsageError(
                "an accumulator of a tracker with other counters", hint="take one of this tracker"
            )
        seen = tracking.observe(accumulator._core, _metric(metric), True)
        accumulator.clear()
        return Observation(*seen)

    def update(self, row: Any, keys: ArrayLike | None = None, *, metric: float | None = None) -> Observation:
        """The phase of the next interval.

        Args:
            row: instructions of each block: a vector of whole numbers from 0, or a row of Counts.
            keys: what names each block, as many uint64; None: those of Counts, else the numbers from 0.
            metric: see `observe`.

        Raises:
            DataError: a number that is none, negative, or no whole number (names its place); the metric is
                infinite.
        """
        names, instructions = _row(row, keys)
        interval = self.accumulator()
        interval.add(names, instructions)
        return self.observe(interval, metric)

    def update_counters(self, counts: ArrayLike, *, metric: float | None = None) -> Observation:
        """The phase of the next interval, whose instructions are in this tracker's counters already.

        As a collector has them that hashes code itself (docs/raw-stream.md, `A`): the counter of a key is
        `mix64(key ^ mix64(seed)) * counters >> 64`, and each key's instructions are added to its. `update`
        with the keys gives the same phase.

        Args:
            counts: instructions of each of the `counters`: whole numbers from 0, however many bits they take;
                the tracker's counters stop at their own largest value.
            metric: see `observe`.

        Raises:
            UsageError: the tracker has a counter for each key.
            DataError: not as many counters, a number that is none, negative, or no whole number (names its
                place); more than 2^62 instructions in all, where bits have no bound; the metric is infinite.
        """
        tracking = self._tracking()
        if self._in_force["counters"] is None:
            raise UsageError(
                "a tracker with a counter for each key has none that others can fill",
                hint="give it counters=32, or the keys with their instructions: update",
            )
        values = whole(counts, "counters")
        if len(values) != self._in_force["counters"]:
            raise DataError(f"{len(values):,} counters instead of {self._in_force['counters']:,}")
        if (bad := values < 0).any():
            raise DataError("a counter is negative", row=int(np.argmax(bad)))
        seen = tracking.counted(values, _metric(metric))
        if seen is None:
            raise DataError("the interval has more than 2^62 instructions", hint="end intervals earlier")
        return Observation(*seen)

    def track(
        self,
        X: Any,
        sample_weight: ArrayLike | None = None,
        *,
        metric: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> Observations:
        """The phases of the next n intervals, as n updates give them, those without an instruction, too.

        Args:
            X: model.Counts, a scipy.sparse matrix, or n x d whole numbers from 0.
            sample_weight: n weights from 0; a row of weight 0 gets a phase and leaves no trace.
            metric: n doubles, see `observe`; NaN: not measured.
            progress: told how many rows are done, of how many.

        Raises:
            DataError: the input is malformed; names the row.
        """
        return self._track(Rows.of(X, sample_weight), metric, progress)[0]

    @property
    def stored(self) -> int:
        """How many signatures the table holds."""
        return self._tracking().stored()

    @property
    def saturated(self) -> int:
        """How many intervals had a counter that was full."""
        *_, saturated = self._tracking().facts()
        return saturated

    # ------------------------------------------------------------ as a model of phases

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        sequences: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Begin anew, and find the phases of n intervals; `update` then goes on from their end.

        Args:
            X: model.Counts, a scipy.sparse matrix, or n x d whole numbers from 0.
            y: a metric of each row to which thresholds adapt, see `track`; None: they do not.
            sample_weight: n weights from 0, in any unit: of the phases' centres; None: instructions. A row of
                weight 0 gets a phase and leaves no trace.
            sequences: numbers of rows that sum to n: rows are seen in order, whosever they are.
            progress: told how many rows are done, of how many.

        Raises:
            UsageError: a parameter makes no sense.
            DataError: the input is malformed; names the row; no row has an instruction, or all weights are 0.
        """
        self.check()
        rows = Rows.of(X, sample_weight)
        require_sequences(sequences, rows.n)
        weights = rows.weights()
        if not (weights.any() and rows.sums().any()):
            raise DataError("no interval has an instruction, or all weights are zero")
        self.reset()
        self.n_features_in_ = rows.columns
        seen, vectors = self._track(rows, y, progress, with_vectors=True)
        self._take(seen, _signatures(vectors, weights, self.seed))
        if progress:
            progress(max(rows.n, 1), max(rows.n, 1))
        return self

    def predict(self, X: Any, *, sequences: ArrayLike | None = None) -> NDArray[np.int32]:
        """The phase of each of n rows, as `fit` would number them, which begins anew: n int32.

        Raises:
            UsageError: the model is not fitted.
            DataError: the rows are malformed, or of other columns than the fitted ones.
        """
        self._require_fitted()
        rows = Rows.of(X)
        if rows.columns != self.n_features_in_:
            raise DataError(
                f"counts of {rows.columns} blocks, and the model knows {self.n_features_in_}",
                hint="give intervals of the same profile, or of one over the same blocks",
            )
        require_sequences(sequences, rows.n)
        seen, _ = type(self)(**self.get_params())._track(rows, None, None)
        return by_appearance(seen.phase.astype(np.int32))[0]

    def fit_predict(
        self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> NDArray[np.int32]:
        """Fit, and the phase of each row: n int32."""
        return self.fit(X, y, sample_weight).labels_

    def phases_by_k(
        self,
        ks: Sequence[int],
        X: Any,
        sample_weight: ArrayLike | None = None,
        *,
        sequences: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> dict[int, Phases]:
        """Refused: how many phases there are follows from the threshold.

        Raises:
            UsageError: always.
        """
        raise UsageError(
            "the number of online phases follows from their threshold and cannot be asked for",
            hint="track with another threshold: a smaller one gives more phases",
        )

    def check(self) -> None:
        """See that the parameters make sense, as the first use does.

        Raises:
            UsageError: one does not; names it, and what it must be.
        """
        sizes.check(self.get_params())

    # ------------------------------------------------------------ its state

    def reset(self) -> Self:
        """Forget everything; parameters that were changed count from now on."""
        for name in _COMPILED:
            vars(self).pop(name, None)
        return self

    def save(self) -> bytes:
        """What the tracker knows, with the parameters that it goes by, as JSON, for `resume`.

        Intervals under way are not in it, nor parameters that were changed since the last reset.

        Raises:
            UsageError: a parameter makes no sense.
        """
        tracking = self._tracking()
        return state.packed(self._in_force, tracking)

    @classmethod
    def resume(cls, saved: bytes) -> Self:
        """A tracker that goes on where another was saved.

        Raises:
            DataError: it is no saved tracker, or of a later phasemark.
        """
        parameters, entries, facts = state.unpacked(saved)
        try:
            if missing := cls().get_params().keys() - parameters:
                raise ValueError(f"no {min(missing)}")
            tracker = cls(**parameters)
            tracker.check()
            state.require_fit(parameters, entries)
            tracker._tracking().restore(entries, facts)
        except (TypeError, ValueError, UsageError) as error:
            raise state.damaged(error) from error
        return tracker

    def __getstate__(self) -> dict[str, Any]:
        """For pickles and copies: what is compiled as it is saved."""
        kept = dict(vars(self))
        kept.pop("observed_", None)
        if "_core" in kept:
            kept["_saved"] = self.save()
        return {name: value for name, value in kept.items() if name not in _COMPILED}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        saved = kept.pop("_saved", None)
        vars(self).update(kept)
        if saved is not None:
            resumed = vars(type(self).resume(saved))
            vars(self).update({name: resumed[name] for name in _COMPILED})

    # ------------------------------------------------------------

    def _tracking(self) -> core.Tracker:
        if "_core" not in vars(self):
            self.check()
            given = self.get_params()
            self._sizes, self._counting, self._in_force = sizes.sizes_of(given), sizes.counting(given), given
            self._core = core.Tracker(self._sizes)
        return self._core

    def _track(
        self,
        rows: Rows,
        metric: ArrayLike | None,
        progress: Progress | None,
        *,
        with_vectors: bool = False,
    ) -> tuple[Observations, NDArray[np.float64]]:
        tracking = self._tracking()
        metrics = np.empty(0) if metric is None else _metrics(metric, rows.n)
        done = 0
        found: list[list[Any]] = []
        for indptr, indices, data in rows.parts():
            here = slice(done, done + len(indptr) - 1)
            bad, *seen = tracking.rows(
                indptr, indices, data, rows.keys, rows.learns[here], metrics[here], with_vectors
            )
            if bad >= 0:
                raise DataError(
                    "the interval has more than 2^62 instructions", row=done + bad, hint="give bits=48"
                )
            found.append(seen)
            done = here.stop
            if progress:
                progress(done, max(rows.n, 1))
        phase, distance, new, vectors = (_joined(found, part) for part in range(4))
        return Observations(phase.astype(np.int64), distance, new.astype(np.bool_)), vectors

    def _take(self, seen: Observations, signatures: Signatures) -> None:
        labels, ids = by_appearance(seen.phase.astype(np.int32))
        *_, forgotten, saturated = self._tracking().facts()
        transition = np.flatnonzero(ids == 0)
        self.observed_ = seen
        self.notes_ = _notes(self, seen, saturated, forgotten)
        found = of_labels(labels, signatures)
        self.phases_ = Phases(
            labels,
            found.centers,
            found.distances,
            model=self.described(self.notes_, transition=int(transition[0]) if len(transition) else None),
        )
        self.labels_ = self.phases_.labels
        self.k_ = self.phases_.k

    def _require_fitted(self) -> None:
        if not hasattr(self, "phases_"):
            raise UsageError("this Tracker is not fitted yet", hint="call fit first, or update")


def _notes(tracker: Tracker, seen: Observations, saturated: int, forgotten: int) -> list[str]:
    notes, n = [], len(seen)
    if saturated:
        notes.append(
            f"in {saturated:,} of {n:,} intervals a counter of {tracker.bits} bits was full: more bits, or "
            "shorter intervals, tell them apart better"
        )
    if forgotten:
        notes.append(
            f"{counted(forgotten, 'signature')} gave way to later ones in a table of {tracker.signatures}: a "
            "phase that returns after that has a new number"
        )
    lasting = int((seen.phase == 0).sum())
    if tracker.min_count > 1 and lasting == n:
        notes.append(
            f"no signature was seen {tracker.min_count} times: all intervals are in transition; take a "
            "larger threshold or a smaller min_count"
        )
    return notes


def _signatures(vectors: NDArray[np.float64], weights: NDArray[np.float64], seed: int) -> Signatures:
    """Each row's shares by counter, of which phases have centres."""
    recipe = Recipe("l1", "hash", vectors.shape[1], seed, "key")
    scaled = weights / weights.max()
    return Signatures(vectors, scaled / scaled.sum(), recipe)


def _joined(found: list[list[NDArray[Any]]], part: int) -> NDArray[Any]:
    arrays = [seen[part] for seen in found]
    return np.concatenate(arrays) if arrays else np.empty(0)


def _row(row: Any, keys: ArrayLike | None) -> tuple[Any, NDArray[np.int64]]:
    if isinstance(row, Counts) or hasattr(row, "tocsr"):
        rows = Rows.of(row)
        if rows.n != 1:
            raise DataError(f"{rows.n:,} rows instead of one", hint="track takes several")
        ((_, indices, data),) = rows.parts()
        return rows.keys[indices], data
    instructions = whole(row, "instructions")
    bad = instructions < 0
    if bad.any():
        raise DataError("a number of instructions is negative", row=int(np.argmax(bad)))
    if keys is None:
        keys = np.arange(len(instructions), dtype=np.uint64)
    return keys, instructions


def _metric(value: float | None) -> float:
    if value is None:
        return math.nan
    return float(_metrics([value], 1)[0])


def _metrics(values: ArrayLike, n: int) -> NDArray[np.float64]:
    metrics = np.ascontiguousarray(values, np.float64)
    if metrics.shape != (n,):
        raise DataError(f"a metric of shape {metrics.shape} for {n:,} intervals")
    if np.isinf(metrics).any():
        raise DataError("a metric is infinite", row=int(np.argmax(np.isinf(metrics))))
    return metrics
