"""Work on several threads, also where the system gives none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import get_ident

import pytest
from tests.waiting import LONG

from phasemark import threads
from phasemark.threads import in_order


def refused(work: Callable[[], None], arguments: tuple[()]) -> int:
    raise RuntimeError("can't start new thread")


def stillborn(work: Callable[[], None], arguments: tuple[()]) -> int:
    """A thread that ends before it has begun, for want of memory."""
    return 1


@pytest.fixture(params=[None, refused, stillborn])
def starting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether threads start."""
    monkeypatch.setenv("PHASEMARK_THREADS", "3")
    # On a busy machine a thread may be long in coming to life; only of one that never does it is known.
    monkeypatch.setattr(threads, "_PATIENCE", 0.01 if request.param is stillborn else LONG)
    if request.param is not None:
        monkeypatch.setattr(threads, "start_new_thread", request.param)
    return request.param is None


@pytest.mark.parametrize("count", [0, 1, 4, 100])
def test_results_come_in_order(count: int, starting: bool) -> None:
    assert list(in_order(lambda n: n * n, range(count))) == [n * n for n in range(count)]


def test_an_error_comes_in_its_place(starting: bool) -> None:
    results = in_order(lambda n: 60 // (n - 4), range(9))
    assert [next(results) for _ in range(4)] == [-15, -20, -30, -60]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_no_more_is_made_than_is_asked_for(starting: bool) -> None:
    made = []

    def items() -> Iterator[int]:
        for n in range(100):
            made.append(n)
            yield n

    results = in_order(lambda n: n, items())
    assert next(results) == 0
    assert len(made) <= 4
    results.close()
    assert len(made) <= 4


def test_others_do_the_work(starting: bool) -> None:
    workers = set(in_order(lambda n: get_ident(), range(50)))
    assert (get_ident() not in workers) == starting
