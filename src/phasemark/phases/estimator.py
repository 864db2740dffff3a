"""Parameters of models of phases, by scikit-learn's conventions."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from phasemark.errors import UsageError, shown

if TYPE_CHECKING:
    from sklearn.utils import Tags


class Estimator:
    """What models share: parameters are those of the constructor, each stored under its own name."""

    name: ClassVar[str]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's parameters."""
        return {name: getattr(self, name) for name in _defaults(type(self))}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name.

        Raises:
            UsageError: no such parameter.
        """
        require_parameters(type(self), params)
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """The parameters that are not the defaults."""
        defaults = _defaults(type(self))
        changed = [
            f"{name}={_short(value)}"
            for name, value in self.get_params().items()
            if isinstance(value, np.ndarray) or value != defaults[name]
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def described(self, notes: list[str], **parameters: Any) -> dict[str, Any]:
        """What `Phases.model` records: name, parameters, notes.

        Args:
            notes: sentences that a user should read.
            parameters: take the place of those that JSON cannot hold.
        """
        return {"method": self.name, **self.get_params(), **parameters, "notes": list(notes)}

    def __sklearn_tags__(self) -> Tags:
        """What scikit-learn wants to know of an estimator; only scikit-learn asks."""
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type="clusterer", target_tags=TargetTags(required=False), input_tags=InputTags()
        )


def require_parameters(model: type, parameters: dict[str, Any]) -> None:
    """See that a model's constructor has these parameters.

    Raises:
        UsageError: not all of them.
    """
    known = _defaults(model)
    for name in parameters:
        if name not in known:
            raise UsageError(
                f"{model.__name__} has no parameter {shown(name)}", hint=f"use one of {', '.join(known)}"
            )


def _defaults(model: type) -> dict[str, Any]:
    parameters = inspect.signature(model).parameters
    return {name: parameter.default for name, parameter in parameters.items()}


def _short(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"<array of {' x '.join(map(str, value.shape))}>"
    return repr(value)
