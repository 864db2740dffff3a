"""What is public is said completely: every room, and every name of a room."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
from tests.house import rooms

import phasemark

#: Rooms of the import contract that are not for others to use, and why.
PRIVATE = {
    "cli": "its interface is the command line; what commands do is in workflow",
    "reading": "how our own readers open files; what it raises is in errors",
    "memory": "no result depends on it",
    "threads": "its interface is the environment variable PHASEMARK_THREADS",
}

PUBLIC = [name for name in phasemark.__all__ if inspect.ismodule(getattr(phasemark, name))]


def test_every_room_of_the_contract_is_public_or_private() -> None:
    contract = {room for layer in rooms.layers() for room in layer}
    assert set(PUBLIC) | set(PRIVATE) == contract
    assert not set(PUBLIC) & set(PRIVATE)


def test_the_package_names_everything_that_it_has() -> None:
    assert dir(phasemark) == sorted(phasemark.__all__)
    for name in phasemark.__all__:
        assert getattr(phasemark, name) is not None
    with pytest.raises(AttributeError, match="module 'phasemark' has no attribute 'nothing'"):
        _ = phasemark.nothing


def test_a_room_is_there_without_being_imported_first() -> None:
    script = "import phasemark; print(phasemark.simulate.TimingModel, phasemark.store.read_points)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("<class 'phasemark.simulate.timing_model.TimingModel'> <function read")


def test_all_can_be_imported_at_once() -> None:
    script = "from phasemark import *; print(*sorted(n for n in dir() if not n.startswith('__')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == sorted(n for n in phasemark.__all__ if n != "__version__")


@pytest.mark.parametrize("room", PUBLIC)
def test_a_room_names_everything_that_it_has(room: str) -> None:
    module = getattr(phasemark, room)
    assert sorted(set(module.__all__)) == sorted(module.__all__)
    assert [name for name in dir(module) if not name.startswith("__")] == sorted(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match=f"module 'phasemark.{room}' has no attribute 'nothing'"):
        _ = module.nothing


@pytest.mark.parametrize("room", PUBLIC)
def test_all_of_a_room_can_be_imported_at_once(room: str) -> None:
    names: dict[str, object] = {}
    exec(f"from phasemark.{room} import *", names)
    assert set(getattr(phasemark, room).__all__) == names.keys() - {"__builtins__"}
