"""States of a model as a picture: what each is called, how long it lasts, what follows, where it stands."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from tests.views import machines, synthetic

from phasemark.views import machine_arrows, machine_layout
from phasemark.views.machine import Machine, machine
from phasemark.views.machine_names import Apart, fitted, short


def shown(*pattern: int, **options: bool) -> Machine:
    found = machine(machines.of_pattern(pattern, **options))
    assert found is not None
    return found


def counted_machine(ordered: bool = True) -> Machine:
    found = machine(machines.counted_by_hand(ordered))
    assert found is not None
    return found


def test_states_last_and_lead_on_as_the_model_says() -> None:
    found = counted_machine()
    first, second, third = found.states
    assert (first.intervals, second.intervals, third.intervals) == (2.0, 1.25, math.inf)
    assert first.instructions == 20 and second.instructions == pytest.approx(1.25 * 6.5)
    assert [state.visits for state in found.states] == [2, 2, 1]
    assert first.share == pytest.approx(30 / 93) and first.start == 1
    # Of the second the move to the state that no interval is in is left out; the third is never left.
    moves = [(a.target, a.share) for a in (*found.moves(0), *found.moves(1), *found.moves(2))]
    assert moves == [(1, 0.5), (2, 0.5), (2, pytest.approx(0.599 / 0.799)), (0, pytest.approx(0.2 / 0.799))]
    assert found.moves(1, least=0.5) == found.moves(1)[:1]
    assert (found.unused, found.starts, found.course) == (1, [0, 2], [])


def test_a_state_is_called_by_its_hottest_function_and_by_what_is_hotter_than_elsewhere() -> None:
    first, second, _ = counted_machine().states
    assert (first.name, first.of, first.hot, first.alone) == ("copy", "prog", pytest.approx(28 / 30), True)
    assert first.title == "copy" and second.title == "sort"
    # Of sort the first has 2 of 30, the others 13 of 63: nothing but its hottest function is hotter.
    assert first.apart is None


def test_states_of_one_function_are_told_apart_by_another_or_by_a_line() -> None:
    run = machines.counted_by_hand()
    blocks = replace(run.profile.block_table, function=("copy", "copy", "copy"))
    found = machine(replace(run, profile=replace(run.profile, block_table=blocks)))
    assert found is not None
    first, second, third = found.states
    assert first.apart == Apart("a.c:7", "copy", pytest.approx(28 / 30), 0.0, False)
    assert (first.title, second.title, third.title) == (
        "copy around a.c:7", "copy around a.c:9", "copy around prog+0x20",
    )  # fmt: skip


def test_a_mixture_has_no_arrows_and_no_durations() -> None:
    found = counted_machine(ordered=False)
    assert not found.ordered and found.arrows == []
    assert {state.intervals for state in found.states} == {None}
    assert found.around == [0, 1, 2]


def test_a_run_whose_model_has_no_states_has_no_machine() -> None:
    assert machine(synthetic.run()) is None


def test_what_follows_stands_beside_and_clockwise() -> None:
    found = shown(*(0, 1, 2, 3) * 4)
    assert found.around == [0, 1, 2, 3] and found.course[-2:] == [(2, 10**6), (3, 5 * 10**5)]
    # 0 -> 2 -> 4 -> 1 -> 3: numbers are no order.
    assert shown(*(0, 2, 4, 1, 3) * 4).around == [0, 2, 4, 1, 3]


@pytest.mark.parametrize("k", [1, 2, 3, 8, 16, 17, 64])
def test_circles_and_labels_never_overlap(k: int) -> None:
    rng = np.random.default_rng(k)
    moves = rng.dirichlet(np.full(k, 0.1), k)
    order = machine_layout.around(moves, 0)
    assert sorted(order) == list(range(k)) and order[0] == 0
    for shares in (np.full(k, 1 / k), np.append(0.93, np.full(k - 1, 0.07 / max(1, k - 1)))):
        spots, labels, height = machine_layout.placed(shares, order, many=k > 16)
        for a, b in itertools.combinations(spots, 2):
            assert math.hypot(a.x - b.x, a.y - b.y) > a.radius + b.radius
        assert all(s.radius < s.y < height - s.radius for s in spots)
        for left in (False, True):
            ys = sorted(label.y for label in labels if label.left == left)
            assert all(b - a >= (14.9 if k > 16 else 44) for a, b in itertools.pairwise(ys))
            assert not ys or (ys[0] > 0 and ys[-1] < height)
        if k > 1:
            largest = max(spots, key=lambda spot: spot.radius)
            assert largest is spots[0] or shares[0] == 1 / k


def test_an_area_is_a_share() -> None:
    spots, _, _ = machine_layout.placed(np.array([0.8, 0.2]), [0, 1], many=False)
    assert spots[0].radius ** 2 / spots[1].radius ** 2 == pytest.approx(4, rel=0.01)


def test_there_and_back_again_do_not_meet() -> None:
    a, b = machine_layout.Spot(0, 0, 10), machine_layout.Spot(100, 0, 20)
    there, back = (machine_layout.bent(*pair, 0, neighbours=True) for pair in ((a, b), (b, a)))
    assert there == (50, -40) and back == (50, 40)
    x0, y0, x1, y1 = machine_layout.ends(a, b, 100, 0, 5)
    assert (x0, y0, y1) == (10, 0, 0) and x1 == 100


def labels_apart(found: Machine) -> bool:
    """Whether no two numbers on arrows, and no number and circle, lie upon each other."""
    drawn = [arrow for arrow in found.drawn(found.strong) if arrow.share < 0.95]
    numbers = all(
        abs(a.at[0] - b.at[0]) >= 25 or abs(a.at[1] - b.at[1]) >= 12
        for a, b in itertools.combinations(drawn, 2)
    )
    return numbers and all(
        math.hypot(arrow.at[0] - s.x, arrow.at[1] - s.y) > s.radius for arrow in drawn for s in found.spots
    )


@pytest.mark.parametrize("k", [3, 5, 8])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_arrows_pass_circles_and_their_numbers_each_other(k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    likely = rng.dirichlet(np.full(k, 0.4), k)
    pattern = [*range(k)]
    while len(pattern) < 300:
        pattern.append(int(rng.choice(k, p=likely[pattern[-1]])))
    found = shown(*pattern)
    assert labels_apart(found)
    for arrow in found.drawn(found.strong):
        source, target = found.spots[arrow.source], found.spots[arrow.target]
        begin, control, end = (source.x, source.y), (arrow.x, arrow.y), (target.x, target.y)
        for t in np.linspace(0, 1, 40):
            x, y = machine_arrows.on_curve(begin, control, end, t)
            assert all(
                math.hypot(x - s.x, y - s.y) > s.radius for s in found.spots if s not in (source, target)
            )
    assert shown(*pattern).arrows == found.arrows


def test_of_a_crowd_of_arrows_fewer_are_drawn_but_every_state_is_come_to_and_left() -> None:
    rng = np.random.default_rng(5)
    found = shown(*range(6), *rng.integers(0, 6, 600).tolist())
    assert len(found.arrows) == 30 and found.strong == 0.25
    drawn = found.drawn(found.strong)
    assert len(drawn) <= 14
    assert {arrow.source for arrow in drawn} == {arrow.target for arrow in drawn} == {*range(6)}
    most = shown(*range(16), *rng.integers(0, 16, 900).tolist())  # more than are laid out
    assert {arrow.target for arrow in most.drawn(most.strong)} == {*range(16)}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("longest_match", "longest_match"),
        ("sort.isra.0.cold", "sort"),
        ("void std::vector<int, std::less<int> >::push_back(int const&)", "vector::push_back"),
        ("a::(anonymous namespace)::run(int)", "a::run"),
        ("operator<<", "operator<<"),
        ("/usr/src/deflate.c:712", "deflate.c:712"),
        ("gzip:0x4710", "gzip:0x4710"),
        ("libsqlite3.so.0.8.6:0xfc9b0", "libsqlite3:0xfc9b0"),
        ("/usr/lib/libm.so.6+0xfc9b0", "libm+0xfc9b0"),
        ("<lambda>", "<lambda>"),
        ("</script><b>main", "main"),
    ],
)
def test_names_are_shortened_for_a_picture(name: str, said: str) -> None:
    assert short(name) == said


def test_a_long_name_loses_its_middle_and_a_place_the_end_of_its_module() -> None:
    assert fitted("libtranslate:0xfc9b0", 14) == "libtr…:0xfc9b0"
    assert fitted("abcdefghij", 10) == "abcdefghij"
    assert fitted("abcdefghijk", 10) == "abcde…hijk" and len(fitted("abcdefghijk", 7)) == 7
