"""What every model of phases can do; the rest of phasemark knows models by this alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Protocol, Self

from numpy.typing import ArrayLike, NDArray

from phasemark.model import Phases
from phasemark.progress import Progress

#: What a model is fitted on: projected vectors (model.Signatures, or n x d numbers), or how many
#: instructions each interval spent in each block (model.Counts, sparse).
Input = Literal["signatures", "counts"]


class PhaseModel(Protocol):
    """A way to find phases. Follows scikit-learn's conventions.

    Parameters go into the constructor, which only stores them; `Phases.model` records them as values that
    JSON can hold. What involves chance has a parameter `seed`, a whole number: the same seed gives the same
    phases, to the bit, with any number of threads. The input is not kept after `fit` unless a parameter
    asks for it.

    Attributes:
        name: in `phases.MODELS` and in `Phases.model["method"]`.
        input: what `fit` takes.
        ordered: whether phases depend on the order of the intervals of a sequence.
        options: the parameters that a command offers and run.json tells; others only where they are given.
        phases_: the result of `fit`. `Phases.model` holds what `Estimator.described` makes of name,
            parameters and notes. Phases are numbered by first appearance, and each has an interval: a state
            that no interval is in is left out, and a note says so. `distances` and either `centers` or
            `undivided` give `points.spread_of` what it needs.
    """

    name: ClassVar[str]
    input: ClassVar[Input]
    ordered: ClassVar[bool]
    options: ClassVar[tuple[str, ...]]
    phases_: Phases

    def check(self) -> None:
        """See that the parameters make sense, as `fit` does first.

        Raises:
            UsageError: one does not; names it, and what it must be.
        """

    def fit(
        self,
        X: Any,
        y: object = None,
        sample_weight: ArrayLike | None = None,
        *,
        sequences: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Find the phases.

        Args:
            X: n rows of what `input` says.
            y: not used; here by convention.
            sample_weight: n weights from 0, in any unit; None: the input's own, else all equal. A row of
                weight 0 gets a phase and influences none.
            sequences: m numbers of rows that sum to n: the first rows are one sequence in time (a thread of a
                run), those after them the next; None: all rows are one. See `phases.sequences`.
            progress: told how much is done, of how much.

        Raises:
            UsageError: a parameter makes no sense.
            DataError: the input is malformed; names the row.
        """

    def predict(self, X: Any, *, sequences: ArrayLike | None = None) -> NDArray[Any]:
        """The phase of each of n rows, as `fit` would have labelled them: n int32.

        Raises:
            UsageError: the model is not fitted.
            DataError: the rows are malformed, or not like the fitted ones.
        """

    def phases_by_k(
        self,
        ks: Sequence[int],
        X: Any,
        sample_weight: ArrayLike | None = None,
        *,
        sequences: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> dict[int, Phases]:
        """The phases for several numbers of phases, all other parameters being equal; self stays as it is.

        Args:
            ks: numbers of phases; those that the input does not allow are left out.
            X, sample_weight, sequences, progress: see `fit`.

        Raises:
            UsageError: a parameter makes no sense, or this model cannot be asked for a number of phases.
            DataError: the input is malformed.
        """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's parameters."""

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name.

        Raises:
            UsageError: no such parameter.
        """


#: Name -> class.
Models = dict[str, type[PhaseModel]]
