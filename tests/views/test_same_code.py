"""Phases of the same code, and in what they differ."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.reference import manhattan as slow
from tests.views import behaving
from tests.views.behaving import reuse
from tests.views.matrices import MATRICES
from tests.views.synthetic import counts_of

from phasemark.model import Blocks, Intervals, Phases, Profile, Provenance
from phasemark.views.behaviour import behaviour
from phasemark.views.same_code import COMMON, SameCode, same_code


def found(profile: Profile, phases: Phases) -> list[SameCode | None]:
    known = behaviour(profile, phases)
    assert known is not None
    return same_code(profile, phases, known)


def test_a_phase_stands_beside_the_larger_one_whose_code_it_executes() -> None:
    run = behaving.alike()
    first, second, third = found(run.profile, run.phases)
    assert first is None and second is not None and third is not None
    assert second.other == 0 and second.common > 0.99
    # 64 times 400 and 100 of a million instructions.
    ((column, here, there),) = [(one.column, one.here, one.there) for one in second.differences]
    assert (column, here, there) == ("data_256K", pytest.approx(25.6), pytest.approx(6.4))
    of = {0: [], 1: [0.25]}
    assert [round(one.times, 3) for one in third.differences] == of[third.other]


def test_nine_tenths_in_common_are_the_same_code_and_less_is_not() -> None:
    for share, same in ((90, True), (89, False)):
        dense = np.array([[1000, 0], [10 * share, 1000 - 10 * share]])
        dense[0] *= 2
        blocks = Blocks(("/bin/a",), [0, 0], [0, 4], [1, 1], [4, 4], [1, 2])
        profile = Profile(
            blocks, Intervals.of_thread(dense.sum(axis=1)), counts_of(dense), Provenance("hand"),
            reuse=reuse([{}, {}]),
        )  # fmt: skip
        first, second = found(profile, Phases([0, 1], None, np.zeros(2)))
        assert first is None and (second is not None) == same
        assert second is None or (second.other, second.common) == (0, pytest.approx(0.9))


def test_of_equals_the_first_is_the_larger_and_phases_without_instructions_have_none() -> None:
    dense = np.array([[0, 0], [5, 0], [5, 0], [0, 5]])
    blocks = Blocks(("/bin/a",), [0, 0], [0, 4], [1, 1], [4, 4], [1, 2])
    profile = Profile(
        blocks, Intervals.of_thread(dense.sum(axis=1)), counts_of(dense), Provenance("hand"),
        reuse=reuse([{}] * 4),
    )  # fmt: skip
    assert found(profile, Phases([0, 1, 2, 3], None, np.zeros(4))) == [None, None, SameCode(1, 1.0, ()), None]


@given(MATRICES)
@settings(deadline=None)
def test_it_is_the_nearest_of_the_larger_ones(dense: np.ndarray) -> None:
    n = len(dense)
    length = dense.sum(axis=1)
    blocks = Blocks(
        ("/bin/a",), [0] * dense.shape[1], np.arange(dense.shape[1]) * 4, [1] * dense.shape[1],
        [4] * dense.shape[1], np.arange(dense.shape[1]) + 1,
    )  # fmt: skip
    profile = Profile(
        blocks, Intervals.of_thread(length), counts_of(dense), Provenance("hand"), reuse=reuse([{}] * n)
    )
    if not length.sum():
        return
    far = np.array(slow.manhattan(dense.tolist(), list(range(n + 1)))).reshape(n, n)
    for phase, one in enumerate(found(profile, Phases(np.arange(n), None, np.zeros(n)))):
        larger = [
            other
            for other in range(n)
            if length[other] and length[phase] and (-length[other], other) < (-length[phase], phase)
        ]
        most = max((1 - far[phase, other] / 2 for other in larger), default=0.0)
        if one is None:
            assert most < COMMON + 1e-9
        else:
            assert one.other in larger and one.common == pytest.approx(most)
            assert 1 - far[phase, one.other] / 2 == pytest.approx(most)
