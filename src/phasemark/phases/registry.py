"""Models of phases by name. A new one is a class that keeps `PhaseModel`, and its name in MODELS."""

from __future__ import annotations

from typing import Any

from phasemark.errors import DataError, UsageError
from phasemark.model import Phases
from phasemark.phases.estimator import require_parameters
from phasemark.phases.hmm import MultinomialHMM
from phasemark.phases.hsmm import MultinomialHSMM
from phasemark.phases.mixture import MultinomialMixture
from phasemark.phases.protocol import Models, PhaseModel
from phasemark.phases.simpoint import SimPoint

#: Name -> class; `register` adds to it.
MODELS: Models = {
    model.name: model for model in (SimPoint, MultinomialMixture, MultinomialHMM, MultinomialHSMM)
}

#: The one that is used where none is named.
DEFAULT_MODEL = SimPoint.name


def register(model: type[PhaseModel]) -> type[PhaseModel]:
    """Make a model of another room or program known by its name, as a decorator does.

    Raises:
        UsageError: another model has this name.
    """
    known = MODELS.get(model.name)
    if known is not None and _place(known) != _place(model):
        raise UsageError(f"there is a model of phases {model.name!r} already", hint="give it another name")
    MODELS[model.name] = model
    return model


def _place(model: type) -> tuple[str, str]:
    """Where a class is defined: it may be defined anew there, as a cell of a notebook that runs again."""
    return model.__module__, model.__qualname__


def model(name: str, **parameters: Any) -> PhaseModel:
    """A model, not yet fitted.

    Args:
        name: in MODELS.
        parameters: of its constructor.

    Raises:
        UsageError: there is no such model, or it has no such parameter; says which there are.
    """
    if not isinstance(name, str) or name not in MODELS:
        raise UsageError(f"there is no model of phases {name!r}", hint=f"use one of {', '.join(MODELS)}")
    require_parameters(MODELS[name], parameters)
    return MODELS[name](**parameters)


def recorded(phases: Phases) -> PhaseModel:
    """The model that phases were found by, not fitted, from what is recorded of it.

    Raises:
        DataError: nothing is recorded, or not all that is needed.
    """
    name = str(phases.model.get("method", "none"))
    if name not in MODELS:
        raise DataError(
            f"no model of phases is recorded that this phasemark knows ({name})",
            hint="run `phasemark phases` again",
        )
    known = MODELS[name]().get_params()
    again = MODELS[name](**{key: value for key, value in phases.model.items() if key in known})
    try:
        again.check()
    except UsageError as error:
        raise DataError(
            f"what is recorded of the model does not make the phases again: {error.message}",
            hint="run `phasemark phases` again",
        ) from error
    return again


def reseeded(model: PhaseModel, seed: int) -> PhaseModel:
    """A model like this one, not fitted, with another seed; of a model without chance, just like it."""
    parameters = model.get_params()
    return type(model)(**({**parameters, "seed": seed} if "seed" in parameters else parameters))
