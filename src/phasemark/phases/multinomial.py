"""What mixtures and hidden Markov models of multinomial states share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

import phasemark._core as core
from phasemark.errors import DataError, UsageError, shown
from phasemark.model import Phases, StateMachine
from phasemark.model.options import require_given, require_real, require_whole
from phasemark.phases import representation
from phasemark.phases.estimator import Estimator
from phasemark.phases.evidence import Doubles, Evidence, csr_of
from phasemark.phases.fitting import require_sequences
from phasemark.phases.numbering import by_appearance
from phasemark.phases.protocol import Input
from phasemark.progress import Progress
from phasemark.threads import thread_count

#: Numbers of states of which the best is taken, and instructions that a mean interval counts for: together
#: they find models of a few lasting states in real programs (docs/adr/0041).
DEFAULT_STATES = (1, 2, 4, 8, 16)
DEFAULT_TEMPERING = 1_000.0

#: A fit that keeps growing by less than its tolerance of itself has converged.
DEFAULT_TOLERANCE = 1e-8

#: The largest number: what is above is infinite, or a whole number that no double holds.
_MOST = sys.float_info.max

#: The largest count that is drawn.
_MOST_DRAWN = 2**63 - 1

#: A smaller share of a state's instructions in a block is not told.
_LEAST_SHARE = 1e-6


@dataclass(frozen=True, eq=False)
class StateModel:
    """One fitted number of states.

    Attributes:
        start: of each state, the probability to begin a sequence; of a mixture, of an interval.
        moves: states x states, from row to column; none of a mixture.
        theta: states x blocks, the shares in which each state executes them.
        log_likelihoods: before the first step of expectation maximisation and after each.
        restarts: the final log likelihood of each restart.
        converged: whether the best one stopped growing.
        score: log likelihood less the penalty of the Bayesian information criterion.
    """

    start: Doubles
    moves: Doubles
    theta: Doubles
    log_likelihoods: Doubles
    restarts: Doubles
    converged: bool
    score: float

    def ordered_as(self, order: NDArray[np.int64]) -> StateModel:
        """The same with its states in another order."""
        moves = self.moves[np.ix_(order, order)] if len(self.moves) else self.moves
        rest = (self.log_likelihoods, self.restarts, self.converged, self.score)
        return StateModel(self.start[order], moves, self.theta[order], *rest)


class Multinomial(Estimator):
    """A model whose hidden states execute blocks as a multinomial distribution draws symbols.

    Parameters are told by the models themselves.

    Attributes:
        ordered: of a hidden Markov model True: each state depends on the one before it.
    """

    input: ClassVar[Input] = "counts"
    ordered: ClassVar[bool]
    options: ClassVar[tuple[str, ...]] = (
        *("n_components", "representation", "dims", "restarts", "seed", "tempering"),
    )

    def __init__(
        self,
        n_components: int | Sequence[int] = DEFAULT_STATES,
        *,
        representation: str = "full",
        dims: int | None = None,
        restarts: int = 15,
        seed: int = 1,
        tempering: float | None = DEFAULT_TEMPERING,
        smoothing: float = 1e-6,
        tol: float = DEFAULT_TOLERANCE,
        max_iter: int = 200,
    ) -> None:
        self.n_components = n_components
        self.representation = representation
        self.dims = dims
        self.restarts = restarts
        self.seed = seed
        self.tempering = tempering
        self.smoothing = smoothing
        self.tol = tol
        self.max_iter = max_iter

    def fit(
        self,
        X: Any,
        y: object = None,
        sample_weight: ArrayLike | None = None,
        *,
        sequences: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Find the states.

        Args:
            X: n rows of counts: model.Counts, a scipy.sparse matrix, or n x d numbers from 0.
            y: not used; here by scikit-learn's convention.
            sample_weight: n weights from 0, in any unit: how much evidence each row is, in proportion; None:
                as much as it counts.
            sequences: numbers of rows that sum to n: each a sequence in time of its own.
            progress: told how many restarts are done, of how many.

        Raises:
            UsageError: a parameter makes no sense.
            DataError: the input is malformed; names the row.
        """
        self.check()
        given = Evidence.of(X, sample_weight)
        everything = self._represented(given)
        lengths = require_sequences(sequences, len(everything))
        weighty = np.flatnonzero(everything.weights > 0)
        seen = everything.select(weighty)
        self.n_features_in_ = given.columns
        self.notes_: list[str] = []
        # A row's counts are scaled to its weight, and the mean row's to the evidence that it is to be.
        mean = float(seen.weights.mean())
        counted = float(seen.sums.mean())
        self.evidence_ = counted if self.tempering is None else min(float(self.tempering), counted)
        self.scale_ = self.evidence_ / max(counted, np.finfo(np.float64).tiny)
        sums = seen.sums
        factors = np.divide(
            seen.weights * (self.evidence_ / mean), sums, out=np.zeros(len(seen)), where=sums > 0
        )
        scaled = seen.scaled(factors)
        data = _Data(given, everything, scaled, weighty, lengths, _kept(lengths, weighty))
        fits = self._fits(scaled, data.kept, progress)
        self.scores_ = {k: found.score for k, found in fits.items()}
        self.chosen_k_ = max(fits, key=lambda k: (fits[k].score, -k))
        self._take(fits[self.chosen_k_], data)
        return self

    def predict(self, X: Any, *, sequences: ArrayLike | None = None) -> NDArray[np.int32]:
        """The most likely states of all rows together (Viterbi): n int32.

        Raises:
            UsageError: the model is not fitted.
            DataError: the rows are malformed, or over other blocks than the fitted ones.
        """
        return self._infer(X, sequences).path

    def predict_proba(self, X: Any, *, sequences: ArrayLike | None = None) -> Doubles:
        """The posterior probability of each state for each row, given all rows: n x states.

        Raises:
            UsageError, DataError: as `predict`.
        """
        return self._infer(X, sequences).posteriors

    def predict_next(self, X: Any, *, sequences: ArrayLike | None = None) -> Doubles:
        """The probability of each state for the row after each row, given those up to it: n x states.

        Raises:
            UsageError: the model is not fitted, or is a mixture, which does not know what follows what.
            DataError: as `predict`.
        """
        if not self.ordered:
            raise UsageError("a mixture does not say what follows what", hint="fit a hidden Markov model")
        found = self._infer(X, sequences)
        lengths = require_sequences(sequences, len(found.path))
        top = found.likelihoods.max(axis=1, keepdims=True)
        likelihoods = np.exp(found.likelihoods - np.where(np.isfinite(top), top, 0.0))
        following = np.empty_like(likelihoods)
        first = set((np.cumsum(lengths) - lengths).tolist())
        for row, likelihood in enumerate(likelihoods):
            before = self._model.start if row in first else following[row - 1]
            state = before * likelihood
            # Where all that could be seen is impossible, nothing was learnt.
            state = state / state.sum() if state.sum() > 0 else before
            following[row] = state @ self._model.moves
        return following

    def score(self, X: Any, y: object = None, *, sequences: ArrayLike | None = None) -> float:
        """Log likelihood of the rows, multinomial coefficients included, of counts as they are tempered.

        Raises:
            UsageError, DataError: as `predict`.
        """
        return self.score_samples(X, sequences=sequences)[0]

    def score_samples(self, X: Any, *, sequences: ArrayLike | None = None) -> tuple[float, Doubles]:
        """The log likelihood, as `score` gives it, and the posteriors, as `predict_proba` does.

        Raises:
            UsageError, DataError: as `predict`.
        """
        found = self._infer(X, sequences)
        return found.log_likelihood + float(found.evidence.log_coefficients().sum()), found.posteriors

    def sample(self, n: int, seed: int | None = None) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """A sequence that the model might have given.

        Args:
            n: how many rows.
            seed: None: that of the model.

        Returns:
            n x blocks counts, each row of as much evidence as the mean row of the fit, and n states.

        Raises:
            UsageError: the model is not fitted, n is below 1, or a row has more instructions than 64 bits
                count.
        """
        self._require_fitted()
        require_whole(n=n, seed=seed)
        if n < 1:
            raise UsageError(f"{n} rows", hint="sample at least one")
        random = np.random.default_rng(self.seed if seed is None else seed)
        states = np.empty(n, np.int32)
        for t in range(n):
            p = self._start() if t == 0 or not self.ordered else self._model.moves[states[t - 1]]
            states[t] = random.choice(len(p), p=p / p.sum())
        theta = self.emissionprob_ / self.emissionprob_.sum(axis=1, keepdims=True)
        total = max(round(self.evidence_), 1)
        if total > _MOST_DRAWN:
            raise UsageError(
                f"a row of {self.evidence_:g} instructions, and at most {_MOST_DRAWN:,} can be drawn",
                hint="fit with a smaller tempering, or smaller counts",
            )
        return np.stack([random.multinomial(total, theta[s]) for s in states]), states

    def phases_by_k(
        self,
        ks: Sequence[int],
        X: Any,
        sample_weight: ArrayLike | None = None,
        *,
        sequences: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> dict[int, Phases]:
        """The phases for several numbers of states, all other parameters being equal.

        Raises:
            UsageError: a parameter makes no sense.
            DataError: the input is malformed.
        """
        found = {}
        for k in ks:
            model = type(self)(**{**self.get_params(), "n_components": k})
            model.fit(X, sample_weight=sample_weight, sequences=sequences, progress=progress)
            found[k] = model.phases_
        return found

    def check(self) -> None:
        """See that the parameters make sense, as `fit` does first.

        Raises:
            UsageError: one does not; names it, and what it must be.
        """
        require_given(
            n_components=self.n_components, restarts=self.restarts, seed=self.seed, max_iter=self.max_iter
        )
        wanted = self._wanted()
        representation.check(self.representation, self.dims)
        require_whole(restarts=self.restarts, seed=self.seed, max_iter=self.max_iter)
        require_whole(**{f"n_components[{i}]": k for i, k in enumerate(wanted)})
        require_real(tempering=self.tempering, smoothing=self.smoothing, tol=self.tol)
        for name, value, good, need in (
            ("n_components", self.n_components, min(wanted, default=0) >= 1, "at least 1"),
            ("restarts", self.restarts, self.restarts >= 1, "at least 1"),
            ("max_iter", self.max_iter, self.max_iter >= 1, "at least 1"),
            (
                *("tempering", self.tempering),
                *(self.tempering is None or 0 < self.tempering <= _MOST, "above 0 and finite, or None"),
            ),
            ("smoothing", self.smoothing, 0 <= self.smoothing < 1, "from 0 to 1, as 1e-6"),
            ("tol", self.tol, 0 <= self.tol <= _MOST, "0 or more, and finite"),
        ):
            if not good:
                raise UsageError(f"{name} is {shown(value)}", hint=f"it must be {need}")

    # ------------------------------------------------------------ fitting

    def _wanted(self) -> list[int]:
        several = np.ndim(self.n_components) > 0
        return list(self.n_components) if several else [self.n_components]  # type: ignore[arg-type, list-item]

    def _represented(self, evidence: Evidence) -> Evidence:
        return representation.represented(evidence, self.representation, self.dims, self.seed)

    def _recorded(self) -> int | list[int]:
        wanted = [int(k) for k in self._wanted()]
        return wanted if np.ndim(self.n_components) else wanted[0]

    def _fits(
        self, evidence: Evidence, lengths: NDArray[np.int64], progress: Progress | None
    ) -> dict[int, StateModel]:
        wanted = [k for k in dict.fromkeys(self._wanted()) if k <= len(evidence)]
        if not wanted:
            wanted = [len(evidence)]
        if len(wanted) < len(set(self._wanted())):
            self.notes_.append(f"there are {len(evidence):,} intervals: no more states than these were tried")
        total, done = len(wanted) * self.restarts, 0
        fits = {}
        for k in wanted:
            fits[k] = self._fit(evidence, lengths, k, _told(progress, done, total))
            done += self.restarts
        if progress:
            progress(total, total)
        return fits

    def _fit(self, evidence: Evidence, lengths: NDArray[np.int64], k: int, progress: Any) -> StateModel:
        background = evidence.background()
        found = core.fit_multinomial(
            evidence.indptr,
            evidence.indices,
            evidence.values,
            lengths,
            background,
            k,
            self.ordered,
            self.seed % 2**64,
            self.restarts,
            self.smoothing,
            self.tol,
            self.max_iter,
            thread_count(),
            progress,
        )
        reached = float(found["log_likelihoods"][-1])
        blocks = int((background > 0).sum())
        parameters = k * (blocks - 1) + (k - 1) + (k * (k - 1) if self.ordered else 0)
        return StateModel(
            found["start"],
            found["moves"],
            found["theta"],
            found["log_likelihoods"],
            found["restarts"],
            found["converged"],
            reached - parameters / 2 * float(np.log(len(evidence))),
        )

    def _take(self, found: StateModel, data: _Data) -> None:
        """Number states by first appearance, those that no row is in last, and make the phases."""
        inferred = _inferred(found, data.scaled, data.kept, ordered=self.ordered)
        labels = np.full(len(data.everything), -1, np.int32)
        labels[data.weighty] = inferred.path
        _label_rest(labels, data, found)
        numbered, used = by_appearance(labels)
        unused = np.setdiff1d(np.arange(len(found.start)), used)
        self._model = found.ordered_as(np.concatenate([used, unused]))
        self.emissionprob_ = self._model.theta
        self.log_likelihood_ = float(found.log_likelihoods[-1])
        self.restarts_ = found.restarts
        self.n_iter_ = len(found.log_likelihoods) - 1
        self.converged_ = found.converged
        if len(unused):
            self.notes_.append(
                f"{len(unused)} of {len(found.start)} states are the most likely ones of no interval"
            )
        if not found.converged:
            self.notes_.append(f"the fit had not settled after {self.n_iter_} steps: raise max_iter")
        self.k_ = len(used)
        self.phases_ = self._phases(numbered, data, inferred.posteriors[:, used])
        self.labels_ = self.phases_.labels

    def _phases(self, labels: NDArray[np.int32], data: _Data, posteriors: Doubles) -> Phases:
        k, everything = self.k_, data.everything
        divergence = np.stack([everything.against(theta) for theta in self.emissionprob_[:k]], axis=1)
        posterior = np.eye(k)[labels]
        sums = posteriors.sum(axis=1)
        certain = sums > 0
        posterior[data.weighty[certain]] = posteriors[certain] / sums[certain, None]
        return Phases(
            labels,
            None,
            np.sqrt(divergence[np.arange(len(labels)), labels]),
            dict(self.scores_),
            model=self.described(self.notes_, n_components=self._recorded()),
            k=k,
            posterior=posterior,
            undivided=np.sqrt(everything.against(everything.background())),
            states=self._machine(labels, data),
        )

    def _machine(self, labels: NDArray[np.int32], data: _Data) -> StateMachine:
        states = len(self._model.start)
        shares = np.bincount(labels, data.everything.weights, states)
        theta = self.emissionprob_
        if self.representation != "full":
            theta = data.given.by_label(labels, states)
        indptr, indices, blocks = csr_of(theta, _LEAST_SHARE)
        return StateMachine(
            start=self._model.start / self._model.start.sum(),
            transitions=_stochastic(self._model.moves) if self.ordered else None,
            shares=shares / shares.sum(),
            indptr=indptr,
            indices=indices,
            blocks=blocks,
            columns=data.given.columns,
            log_likelihood=self.log_likelihood_,
            steps=self.n_iter_,
            converged=self.converged_,
            evidence=self.evidence_,
        )

    # ------------------------------------------------------------ inference

    def _start(self) -> Doubles:
        return self._model.start

    def _infer(self, X: Any, sequences: ArrayLike | None) -> _Inferred:
        self._require_fitted()
        evidence = Evidence.of(X)
        if evidence.columns != self.n_features_in_:
            raise DataError(
                f"counts of {evidence.columns} blocks, and the model knows {self.n_features_in_}",
                hint="give intervals of the same profile, or of one over the same blocks",
            )
        lengths = require_sequences(sequences, len(evidence))
        scaled = self._represented(evidence).scaled(np.full(len(evidence), self.scale_))
        found = _inferred(self._for_unseen(), scaled, lengths, ordered=self.ordered)
        impossible = found.posteriors.sum(axis=1) <= 0
        if not impossible.any():
            return found
        # Only without smoothing: some state is still the least unlikely one.
        other = _inferred(self._for_impossible(), scaled, lengths, ordered=self.ordered)
        return replace(
            found,
            posteriors=np.where(impossible[:, None], other.posteriors, found.posteriors),
            path=np.where(impossible, other.path, found.path),
        )

    def _for_unseen(self) -> StateModel:
        """The model, to which a block that the fit never saw is equally unlikely in every state."""
        theta = self._model.theta
        unseen = np.asarray(theta.max(axis=0) <= 0)
        if not unseen.any():
            return self._model
        share = max(self.smoothing, np.finfo(np.float64).eps) / len(unseen)
        return replace(self._model, theta=np.where(unseen, share, theta))

    def _for_impossible(self) -> StateModel:
        """The model, to which every block, move and beginning is possible, if hardly."""
        model, least = self._model, np.finfo(np.float64).eps
        return replace(
            model,
            start=np.maximum(model.start, least),
            moves=np.maximum(model.moves, least),
            theta=np.maximum(model.theta, least / model.theta.shape[1]),
        )

    def _require_fitted(self) -> None:
        if not hasattr(self, "phases_"):
            raise UsageError(f"this {type(self).__name__} is not fitted yet", hint="call fit first")


@dataclass(frozen=True, eq=False)
class _Data:
    """What a model is fitted on.

    Attributes:
        given: all rows, over blocks.
        everything: all rows, as the model sees them.
        scaled: those that weigh something, with as much evidence as they are to be.
        weighty: which those are.
        lengths, kept: of the sequences of all rows, and of those that weigh something.
    """

    given: Evidence
    everything: Evidence
    scaled: Evidence
    weighty: NDArray[np.int64]
    lengths: NDArray[np.int64]
    kept: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Inferred:
    """What a model says of rows."""

    evidence: Evidence
    log_likelihood: float
    posteriors: Doubles
    path: NDArray[np.int32]
    likelihoods: Doubles


def _inferred(
    model: StateModel, evidence: Evidence, lengths: NDArray[np.int64], *, ordered: bool
) -> _Inferred:
    log_likelihood, posteriors, path, likelihoods = core.infer_multinomial(
        evidence.indptr,
        evidence.indices,
        evidence.values,
        lengths,
        model.start,
        model.moves,
        model.theta,
        ordered,
    )
    return _Inferred(evidence, log_likelihood, posteriors, path, likelihoods)


def _stochastic(rows: Doubles) -> Doubles:
    """Rows that sum to 1 but for rounding, so that they do."""
    return np.asarray(rows / rows.sum(axis=1, keepdims=True), np.float64)


def _kept(lengths: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many of the rows lie in each sequence; sequences without one are gone."""
    ends = np.cumsum(lengths)
    counts = np.diff(np.searchsorted(rows, ends), prepend=0)
    return counts[counts > 0].astype(np.int64)


def _label_rest(labels: NDArray[np.int32], data: _Data, found: StateModel) -> None:
    """Rows of no weight get the state nearest to what they execute; empty ones that of the row before."""
    rest = np.flatnonzero(labels < 0)
    if not len(rest):
        return
    rows, lengths = data.everything.select(rest), data.lengths
    divergence = np.stack([rows.against(theta) for theta in found.theta], axis=1)
    nearest = np.where(np.isnan(divergence), np.inf, divergence).argmin(axis=1)
    filled = rows.sums > 0
    labels[rest[filled]] = nearest[filled]
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    for row in rest[~filled]:
        known = labels[first[row] : row]
        labels[row] = known[-1] if len(known) else _next_known(labels, row)


def _next_known(labels: NDArray[np.int32], row: int) -> int:
    known = labels[row:][labels[row:] >= 0]
    return int(known[0]) if len(known) else int(labels[labels >= 0][-1])


def _told(progress: Progress | None, before: int, total: int) -> Callable[[int], object] | None:
    """Restarts of one number of states, told as restarts of all."""
    return progress and (lambda runs: progress(before + runs, total))
