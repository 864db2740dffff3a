"""What models are compared, and how."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from phasemark import phases, points, signatures
from phasemark.errors import UsageError, shown
from phasemark.estimates import ESTIMATORS
from phasemark.model.options import require_given, require_real, require_whole
from phasemark.model.points import WHOLE_RUN
from phasemark.phases.representation import REPRESENTATIONS
from phasemark.store.models_csv import Key
from phasemark.workflow.phases import PhaseOptions

#: What models see that take projected vectors.
PROJECTED = "projected"

#: A model's parameter that says how many phases to find, by its usual names.
_NUMBERS = ("n_components", "k")


@dataclass(frozen=True)
class ModelOptions:
    """What is compared.

    Attributes:
        models: their names in phases.MODELS.
        states: how many each is asked for.
        representations: that models of counts see: full, reweight, random.
        methods: that choose points, a point a phase, in points.METHODS.
        estimators: epm1, epm2 or weights; see estimates.estimate.
        metric: that phases are to be homogeneous in, and points to estimate.
        tempering: instructions that a mean interval counts for; None: all it has. See phases.MultinomialHMM.
        restarts: of each fit; None: each model's own default.
        seed: of the first fit of each; seeds: how many fits, each with the next seed.
        held_out: share of each thread's intervals that a second fit does not see; 0: no such fit.
        signature: what of an interval is looked at: `blocks` or `loops`.
    """

    models: tuple[str, ...] = ("simpoint", "mixture", "hmm")
    states: tuple[int, ...] = (4, 8, 16, 32, 64)
    representations: tuple[str, ...] = ("full",)
    methods: tuple[str, ...] = ("nearest", "cluster-center", "obs-model-dist-1", "max-posterior")
    estimators: tuple[str, ...] = ("epm1", "epm2")
    metric: str = "cpi"
    tempering: float | None = 1_000.0
    restarts: int | None = None
    seed: int = phases.DEFAULT_SEED
    seeds: int = 1
    held_out: float = 0.2
    signature: str = "blocks"

    def __post_init__(self) -> None:
        for name in ("models", "states", "representations", "methods", "estimators"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str | int) else tuple(value))

    def check(self) -> None:
        """See that the options make sense.

        Raises:
            UsageError: one does not.
        """
        require_given(seed=self.seed, seeds=self.seeds, held_out=self.held_out)
        require_whole(seed=self.seed, seeds=self.seeds)
        require_whole(**{f"states[{i}]": number for i, number in enumerate(self.states)})
        require_real(held_out=self.held_out)
        signatures.check_kind(self.signature)
        for name, known in (
            ("models", tuple(phases.MODELS)),
            ("representations", REPRESENTATIONS),
            ("methods", tuple(method for method in points.METHODS if method not in WHOLE_RUN)),
            ("estimators", ESTIMATORS),
        ):
            for value in getattr(self, name):
                if value not in known:
                    raise UsageError(f"{name} holds {shown(value)}", hint=f"there are {', '.join(known)}")
        for name in ("models", "states", "representations", "methods", "estimators"):
            values = getattr(self, name)
            if not values or len(set(values)) < len(values):
                raise UsageError(f"{name} is {shown(values)}", hint="name at least one, and each once")
        for name, value, good, need in (
            ("states", min(self.states), min(self.states) >= 1, "at least 1"),
            ("seeds", self.seeds, self.seeds >= 1, "at least 1"),
            ("held_out", self.held_out, 0 <= self.held_out < 1, "from 0 to 1, as 0.2"),
        ):
            if not good:
                raise UsageError(f"{name} is {shown(value)}", hint=f"it must be {need}")
        for key in self.fits():
            self.of_fit(key).check()

    def fits(self) -> list[Key]:
        """The fits, in the order in which they are made."""
        seeds = range(self.seed, self.seed + self.seeds)
        return [
            (model, representation, states, seed)
            for model in self.models
            for representation in self._seen_by(model)
            for states in self.states
            for seed in seeds
        ]

    def of_fit(self, key: Key) -> PhaseOptions:
        """How one of them finds phases."""
        model, representation, states, seed = key
        known = phases.model(model).get_params()
        number = next((name for name in _NUMBERS if name in known), None)
        if number is None:
            raise UsageError(f"the model {model} cannot be asked for a number of phases", hint="leave it out")
        given: dict[str, Any] = {number: states, "restarts": self.restarts, "tempering": self.tempering}
        given["representation"] = representation
        wanted = {name: value for name, value in given.items() if name in known}
        if self.restarts is None:
            wanted.pop("restarts", None)
        return PhaseOptions(model, seed=seed, signature=self.signature, **wanted)

    def entry(self) -> dict[str, Any]:
        """What every row depends on, as run.json and the comments of tables tell it."""
        told = dataclasses.asdict(self)
        for name in ("models", "states", "representations", "seed", "seeds"):
            del told[name]
        return told

    def _seen_by(self, model: str) -> tuple[str, ...]:
        takes = "representation" in phases.model(model).get_params()
        return self.representations if takes else (PROJECTED,)
