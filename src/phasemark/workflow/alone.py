"""A step is alone in its folder while it works."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from phasemark.store.folder import Folder

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
_Step = Callable[Concatenate[Folder, _Given], _Result]


def alone(
    command: str, *, takes_long: bool = False
) -> Callable[[_Step[_Given, _Result]], _Step[_Given, _Result]]:
    """Have a step hold its folder from beginning to end; where there is none, the step says so itself.

    Args:
        command: what others are told that is done; see Folder.held.
        takes_long: it may take hours.
    """

    def holding(step: _Step[_Given, _Result]) -> _Step[_Given, _Result]:
        @wraps(step)
        def held(folder: Folder, /, *args: _Given.args, **kwargs: _Given.kwargs) -> _Result:
            if not folder.path.is_dir():
                return step(folder, *args, **kwargs)
            with folder.held(command, takes_long=takes_long):
                return step(folder, *args, **kwargs)

        return held

    return holding
