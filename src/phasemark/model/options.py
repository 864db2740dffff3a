"""Numbers that a caller gives as options: of the right type, before they are compared."""

from __future__ import annotations

from numbers import Integral, Real

from phasemark.errors import UsageError, shown


def require_whole(**values: object) -> None:
    """See that options are whole numbers; None stands for one that is not given.

    Raises:
        UsageError: one is not; names it.
    """
    for name, value in values.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, Integral)):
            raise UsageError(f"{name} is {shown(value)}", hint="give a whole number")


def require_real(**values: object) -> None:
    """See that options are numbers; None stands for one that is not given.

    Raises:
        UsageError: one is not; names it.
    """
    for name, value in values.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
            raise UsageError(f"{name} is {shown(value)}", hint="give a number; a share as 0.95")


def require_given(**values: object) -> None:
    """See that options are not None.

    Raises:
        UsageError: one is; names it.
    """
    for name, value in values.items():
        if value is None:
            raise UsageError(f"{name} is None", hint="give a number")
