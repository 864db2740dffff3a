"""What mixtures and hidden Markov models of multinomial states share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

import phasemark._core as core
from phasemark.errors import DataError, UsageError, counted, shown
from phasemark.model import Phases
from phasemark.model.options import require_given, require_real, require_whole
from phasemark.phases import folds, representation
from phasemark.phases.estimator import Estimator
from phasemark.phases.evidence import Doubles, Evidence
from phasemark.phases.fitting import require_sequences
from phasemark.phases.numbering import by_appearance
from phasemark.phases.protocol import Input
from phasemark.phases.state_model import Inferred, StateModel
from phasemark.phases.state_phases import FitData, kept_of, label_rest, phases_of
from phasemark.progress import Progress
from phasemark.threads import thread_count

#: Numbers of states of which the best is taken, and instructions that a mean interval counts for: together
#: they find models of a few lasting states in real programs (docs/adr/0041).
DEFAULT_STATES = (1, 2, 4, 8, 16)
DEFAULT_TEMPERING = 1_000.0

#: A fit that keeps growing by less than its tolerance of itself has converged.
DEFAULT_TOLERANCE = 1e-8

#: How the number of states is chosen.
SELECT = ("bic", "held-out")

#: The largest number: what is above is infinite, or a whole number that no double holds.
_MOST = sys.float_info.max

#: The largest count that is drawn.
_MOST_DRAWN = 2**63 - 1


class Multinomial(Estimator):
    """A model whose hidden states execute blocks as a multinomial distribution draws symbols.

    Parameters are told by the models themselves.

    Attributes:
        ordered: of a hidden Markov model True: each state depends on the one before it.
    """

    input: ClassVar[Input] = "counts"
    ordered: ClassVar[bool]
    options: ClassVar[tuple[str, ...]] = (
        *("n_components", "representation", "dims", "restarts", "seed", "tempering", "select"),
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
        select: str = "bic",
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
        self.select = select

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
        executed = float(seen.sums.mean())
        self.evidence_ = executed if self.tempering is None else min(float(self.tempering), executed)
        self.scale_ = self.evidence_ / max(executed, np.finfo(np.float64).tiny)
        sums = seen.sums
        factors = np.divide(
            seen.weights * (self.evidence_ / mean), sums, out=np.zeros(len(seen)), where=sums > 0
        )
        scaled = seen.scaled(factors)
        data = FitData(given, everything, scaled, weighty, lengths, kept_of(lengths, weighty))
        fits = self._fits(scaled, data.kept, progress)
        self.chosen_k_ = self._chosen(fits, scaled, data.kept, progress)
        self._take(fits[self.chosen_k_], data)
        if progress:
            progress(1, 1)
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
        return self._foretell(X, sequences)[0]

    def predict_change(self, X: Any, *, sequences: ArrayLike | None = None) -> Doubles:
        """After how many rows the state will have changed, given the rows so far: n doubles from 1.

        The median: it is as likely to change sooner as later. inf where it never does.

        Raises:
            UsageError, DataError: as `predict_next`.
        """
        return self._foretell(X, sequences)[1]

    def score(self, X: Any, y: object = None, *, sequences: ArrayLike | None = None) -> float:
        """Log likelihood of the rows, multinomial coefficients included, of counts as they are tempered.

        Of raw counts beyond 2^53 (`tempering=None`) it is lost in what doubles round, and at most 0.

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
        total = found.log_likelihood + float(found.evidence.log_coefficients().sum())
        # Of counts beyond 2^53 both are so large that what they differ by is lost: no more than certain.
        return min(total, 0.0), found.posteriors

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
        states = self._model.drawn(n, random)
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
        if self.select not in SELECT:
            raise UsageError(f"select is {shown(self.select)}", hint=f"use one of {', '.join(SELECT)}")
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
            held = counted(len(evidence), "interval")
            self.notes_.append(f"of {held}, no more states than intervals were tried")
        looks = 1 if self.select == "bic" or len(wanted) == 1 else 1 + folds.FOLDS
        total, done = len(wanted) * self.restarts * looks, 0
        fits = {}
        for k in wanted:
            fits[k] = self._fit(evidence, lengths, k, _told(progress, done, total))
            done += self.restarts
        return fits

    def _chosen(
        self,
        fits: dict[int, StateModel],
        evidence: Evidence,
        lengths: NDArray[np.int64],
        progress: Progress | None,
    ) -> int:
        """The number of states to take; and the scores of all."""
        self.scores_ = {k: found.score for k, found in fits.items()}
        if self.select == "bic" or len(fits) == 1:
            return max(fits, key=lambda k: (fits[k].score, -k))
        if len(evidence) < folds.FOLDS:
            self.notes_.append(
                f"{counted(len(evidence), 'interval')} are too few to leave some out: BIC chose of the states"
            )
            return max(fits, key=lambda k: (fits[k].score, -k))
        of_folds: dict[int, Doubles] = {}
        for k in fits:
            done, total = len(fits) + len(of_folds) * folds.FOLDS, len(fits) * (1 + folds.FOLDS)
            told = _told(progress, done * self.restarts, total * self.restarts)
            of_folds[k] = self._left_out(evidence, lengths, k, told)
        self.scores_ = {k: float(np.mean(scores)) for k, scores in of_folds.items()}
        return folds.fewest(of_folds)

    def _left_out(self, evidence: Evidence, lengths: NDArray[np.int64], k: int, told: Any) -> Doubles:
        """How well fits tell what they did not see: of each fold, nats per instruction of evidence."""
        where = folds.folds_of(lengths)
        scores = []
        for done, fold in enumerate(np.unique(where)):
            if told:
                told(done * self.restarts)
            seen, rest = np.flatnonzero(where != fold), np.flatnonzero(where == fold)
            unseen = evidence.select(rest)
            model = self._fit(
                evidence.select(seen), folds.stretches_of(where != fold, lengths), min(k, len(seen)), None
            )
            reached = model.for_unseen(self.smoothing).infer(
                unseen, folds.stretches_of(where == fold, lengths)
            )
            scores.append(reached.log_likelihood / float(unseen.sums.sum()))
        return np.array(scores)

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
        model = self._refined(StateModel.of(found, found["restarts"]), evidence, lengths)
        blocks = int((background > 0).sum())
        parameters = k * (blocks - 1) + (k - 1) + (k * (k - 1) if self.ordered else 0)
        penalty = parameters / 2 * float(np.log(len(evidence)))
        return replace(model, score=float(model.log_likelihoods[-1]) - penalty)

    def _refined(self, model: StateModel, evidence: Evidence, lengths: NDArray[np.int64]) -> StateModel:
        """The best of the restarts, as it is; for models that learn more from there."""
        return model

    def _take(self, found: StateModel, data: FitData) -> None:
        """Number states by first appearance, those that no row is in last, and make the phases."""
        inferred = found.infer(data.scaled, data.kept)
        labels = np.full(len(data.everything), -1, np.int32)
        labels[data.weighty] = inferred.path
        label_rest(labels, data, found.theta)
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
        self.phases_ = phases_of(
            *(self._model, data, numbered, inferred.posteriors[:, used]),
            scores=self.scores_,
            described=self.described(self.notes_, n_components=self._recorded()),
            evidence=self.evidence_,
            projected=self.representation != "full",
        )
        self.labels_ = self.phases_.labels

    # ------------------------------------------------------------ inference

    def _start(self) -> Doubles:
        return self._model.start

    def _seen(self, X: Any, sequences: ArrayLike | None) -> tuple[Evidence, NDArray[np.int64]]:
        """Rows as the model saw those of the fit, and the lengths of the sequences that they are."""
        self._require_fitted()
        evidence = Evidence.of(X)
        if evidence.columns != self.n_features_in_:
            raise DataError(
                f"counts of {evidence.columns} blocks, and the model knows {self.n_features_in_}",
                hint="give intervals of the same profile, or of one over the same blocks",
            )
        lengths = require_sequences(sequences, len(evidence))
        return self._represented(evidence).scaled(np.full(len(evidence), self.scale_)), lengths

    def _infer(self, X: Any, sequences: ArrayLike | None) -> Inferred:
        scaled, lengths = self._seen(X, sequences)
        found = self._model.for_unseen(self.smoothing).infer(scaled, lengths)
        impossible = found.posteriors.sum(axis=1) <= 0
        if not impossible.any():
            return found
        # Only without smoothing: some state is still the least unlikely one.
        other = self._model.for_impossible().infer(scaled, lengths)
        return replace(
            found,
            posteriors=np.where(impossible[:, None], other.posteriors, found.posteriors),
            path=np.where(impossible, other.path, found.path),
        )

    def _foretell(self, X: Any, sequences: ArrayLike | None) -> tuple[Doubles, Doubles]:
        if not self.ordered:
            raise UsageError("a mixture does not say what follows what", hint="fit a hidden Markov model")
        scaled, lengths = self._seen(X, sequences)
        return self._model.for_unseen(self.smoothing).foretell(scaled, lengths)

    def _require_fitted(self) -> None:
        if not hasattr(self, "phases_"):
            raise UsageError(f"this {type(self).__name__} is not fitted yet", hint="call fit first")


def _told(progress: Progress | None, before: int, total: int) -> Callable[[int], object] | None:
    """Restarts of one number of states, told as restarts of all."""
    return progress and (lambda runs: progress(before + runs, total))
