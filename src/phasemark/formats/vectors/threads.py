"""Which files are the threads of one run: by the thread they name, and by their names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from phasemark.errors import UsageError
from phasemark.formats.vectors.dialect import Facts

__all__ = ["order"]


def order(paths: Sequence[Path], facts: Sequence[Facts]) -> list[int]:
    """The files of one run in the order of their threads.

    Files are the threads of a run when their names differ in one number alone: `app.0.bb` and
    `app.1.bb`; or in one number more: `bb.out.77` and `bb.out.77.2`.

    Raises:
        UsageError: they are no such files, or two are of one thread.
    """
    if len(paths) == 1:
        return [0]
    numbers = _numbers(paths)
    if numbers is None:
        raise UsageError(
            f"{paths[0]} and {paths[1]} do not look like the threads of one run",
            hint="import them one by one, or as runs of one program with --as-runs",
        )
    named = [fact.thread for fact in facts]
    numbers = [thread for thread in named if thread is not None] if None not in named else numbers
    if len(set(numbers)) < len(numbers):
        raise UsageError("two files are of one thread of one run", hint="name each file once")
    return sorted(range(len(paths)), key=lambda i: numbers[i])


def _numbers(paths: Sequence[Path]) -> list[int] | None:
    if len({path.parent for path in paths}) > 1:
        return None
    names = [path.name.removesuffix(".gz").split(".") for path in paths]
    return _by_one_number(names) or _by_one_number_more(names)


def _by_one_number(names: Sequence[list[str]]) -> list[int] | None:
    if len({len(name) for name in names}) > 1:
        return None
    columns = list(zip(*names, strict=True))
    differing = [column for column in columns if len(set(column)) > 1]
    if len(differing) != 1 or not all(part.isdecimal() for part in differing[0]):
        return None
    return [int(part) for part in differing[0]]


def _by_one_number_more(names: Sequence[list[str]]) -> list[int] | None:
    base = min(names, key=len)
    rest = [name[len(base) :] for name in names]
    if rest.count([]) != 1 or any(name[: len(base)] != base for name in names):
        return None
    if not all(len(more) <= 1 and all(part.isdecimal() for part in more) for more in rest):
        return None
    return [int(more[0]) if more else 1 for more in rest]
