"""Errors say what, where and what to do about it; and they are the errors others expect."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from phasemark import errors
from phasemark.errors import DataError, PhasemarkError, UsageError
from phasemark.formats.source import DamagedStream

LOCATED = DataError("no number", path="a.csv", line=3, row=1, hint="write one")

ALL = (
    PhasemarkError("broken", hint="mend it"),
    UsageError("k is 0", hint="it must be above 0"),
    DataError("empty"),
    DataError("empty", path=Path("a.csv")),
    LOCATED,
    errors.WorkError("no room", hint="make some"),
    errors.CollectorError("it stopped"),
    errors.ProgramNotFound("there is no ./a", hint="name another"),
    errors.NotExecutable("a folder"),
    errors.MissingTool("valgrind is not there", hint="apt install valgrind"),
    DamagedStream("cut short", path="a.gz", hint="write it again"),
)


def told(error: PhasemarkError) -> tuple[object, ...]:
    return type(error), str(error), error.args, error.exit_status, vars(error)


def fails(number: int) -> None:
    raise ALL[number]


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling_and_copying(error: PhasemarkError) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert told(pickle.loads(pickle.dumps(error, protocol))) == told(error)
    assert told(copy.copy(error)) == told(copy.deepcopy(error)) == told(error)


def test_an_error_comes_back_from_another_process() -> None:
    with ProcessPoolExecutor(1) as pool, pytest.raises(DataError) as caught:
        pool.submit(fails, ALL.index(LOCATED)).result()
    assert told(caught.value) == told(LOCATED)


def test_what_is_wrong_with_arguments_and_data_is_a_value_error() -> None:
    value_errors = {type(error).__name__ for error in ALL if isinstance(error, ValueError)}
    assert value_errors == {"UsageError", "DataError", "DamagedStream"}


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({}, "empty"),
        ({"path": "a.csv"}, "a.csv: empty"),
        ({"line": 3}, "line 3: empty"),
        ({"row": 0}, "row 0: empty"),
        ({"path": "a.csv", "line": 3}, "a.csv:3: empty"),
        ({"path": Path("a.csv"), "row": 0}, "a.csv, row 0: empty"),
        ({"path": "a.csv", "hint": "fill it"}, "a.csv: empty\n  hint: fill it"),
    ],
)
def test_a_message_says_where(where: dict[str, str], message: str) -> None:
    assert str(DataError("empty", **where)) == message  # type: ignore[arg-type]


def test_the_same_error_is_said_of_a_file() -> None:
    found = DamagedStream("cut short", line=2, hint="write it again").at("a.gz")
    assert type(found) is DamagedStream and found.path == Path("a.gz")
    assert str(found) == "a.gz:2: cut short\n  hint: write it again"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (PhasemarkError, 1),
        (UsageError, 2),
        (DataError, 3),
        (DamagedStream, 3),
        (errors.WorkError, 1),
        (errors.CollectorError, 1),
        (errors.ProgramNotFound, 127),
        (errors.NotExecutable, 126),
        (errors.MissingTool, 1),
    ],
)
def test_each_kind_has_its_exit_status(error: type[PhasemarkError], status: int) -> None:
    assert error.exit_status == status
