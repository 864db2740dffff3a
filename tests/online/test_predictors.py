"""Predictors: what they foretell of phases that a person can continue."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasemark import online
from phasemark.errors import DataError, UsageError
from phasemark.online import PREDICTORS, LastValue, Moves, Predictor, RleMarkov, accuracy
from phasemark.online.rle_markov import Table

#: Two of one phase, one of another.
WALTZ = [0, 0, 1] * 6


#: Believes what it saw once.
QUICK = {"quick": lambda: RleMarkov(confidence=1)}


def of(labels, *names: str, **options):
    known = {**PREDICTORS, **QUICK}
    return accuracy(labels, {name: known[name] for name in names}, **options)


def after(predictor: Predictor, labels) -> int | None:
    for label in labels:
        predictor.observe(label)
    return predictor.forecast()


def test_runs_that_return_are_foretold_once_they_were_seen() -> None:
    last, moves, rle, quick = of(WALTZ, "last", "moves", "rle-markov", "quick")
    assert (last.intervals, last.changes) == (17, 11)
    assert last.next_phase == 6 / 17 and last.at_changes == 0 and last.alarms == 0
    assert quick.next_phase == 15 / 17, "all but the first 0 -> 1 and the first 1 -> 0"
    assert quick.at_changes == 9 / 11 and quick.alarms == 0
    assert rle.at_changes == 7 / 11, "believed when they were right once"
    assert moves.at_changes < rle.at_changes and moves.alarms > 0


def test_the_confusion_has_what_came_by_what_was_foretold() -> None:
    (last,) = of([0, 0, 1, 2, 2], "last")
    assert last.confusion.tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 1]]
    assert last.frame().loc[2, 1] == 1


def test_an_order_of_two_knows_what_came_before_the_run() -> None:
    song = [0, 1, 0, 2] * 8
    assert RleMarkov(order=2).forecast() is None
    one, two = (accuracy(song, {"it": lambda n=n: RleMarkov(order=n, confidence=1)})[0] for n in (1, 2))
    assert two.next_phase == 26 / 31, "all but the very first change, and each of the four once"
    assert one.next_phase < 0.75


def test_lengths_are_foretold_by_class() -> None:
    labels = ([0] * 3 + [1] * 20) * 4
    rle, last, moves = of(labels, "rle-markov", "last", "moves")
    assert last.run_length == 5 / 6, "all but the first of 1"
    assert (rle.runs, rle.run_length) == (6, 5 / 6), "what it does not know is taken as the last value"
    assert math.isnan(moves.run_length), "it says nothing of lengths"
    by_turns = ([0] + [1] * 2 + [0] * 20 + [2] * 2) * 8
    rle, last = of(by_turns, "rle-markov-2", "last")
    assert last.run_length < 0.5 and rle.run_length > 0.75, "how long 0 lasts, the phase before it tells"
    assert online.accuracy([0, 0], {"last": LastValue})[0].runs == 0


def test_a_run_under_way_at_a_threads_end_is_not_scored() -> None:
    (one,) = of([0, 1, 1, 0, 0], "last", sequences=[5])
    assert one.runs == 1, "the first and the last are cut short"
    (two,) = of([0, 1, 1, 0, 0], "last", sequences=[3, 2])
    assert (two.intervals, two.changes, two.runs) == (3, 1, 0)


def test_what_was_learnt_stays_from_thread_to_thread() -> None:
    labels = WALTZ + WALTZ
    (rle,) = of(labels, "quick", sequences=[18, 18])
    assert rle.at_changes == 20 / 22


def test_an_entry_is_believed_until_it_was_wrong_twice() -> None:
    predictor = RleMarkov(confidence=1)
    assert after(predictor, [0, 1, 0]) == 1, "a run of one 0 was followed by 1"
    assert after(predictor, [2, 0]) == 0, "wrong once, and not sure: the phase stays"
    assert after(predictor, [2, 0]) == 2, "replaced"


def test_what_does_not_change_is_not_entered() -> None:
    predictor = RleMarkov()
    assert after(predictor, [5] * 1000) == 5
    assert len(predictor._next) == len(predictor._lengths) == 0


def test_of_a_full_set_the_entry_that_was_not_used_for_longest_gives_way() -> None:
    table = Table(entries=2, ways=2)
    for phase in (1, 2):
        table.learn(((phase, 1),), phase, enter=True)
    table.learn(((1, 1),), 1, enter=False)
    table.learn(((3, 1),), 3, enter=True)
    assert [table.find(((phase, 1),)) is not None for phase in (1, 2, 3)] == [True, False, True]
    assert len(table) == 2


def test_the_latest_of_equally_frequent_moves_is_taken() -> None:
    assert after(Moves(), [0, 1, 0, 2, 0]) == 2
    assert after(Moves(), [0, 1, 0, 2, 0, 1, 0]) == 1
    assert after(Moves(), [4]) == 4


class Always(Predictor):
    """The least that a predictor is."""

    def observe(self, phase: int) -> None:
        pass

    def forecast(self) -> int:
        return 3


def test_a_predictor_of_a_few_lines_is_one() -> None:
    (found,) = accuracy([3, 3, 1, 3], {"always": Always})
    assert (found.predictor, found.next_phase, found.at_changes) == ("always", 2 / 3, 0.5)
    assert math.isnan(accuracy([3], {"always": Always})[0].next_phase)


@given(st.lists(st.integers(0, 3), max_size=40))
def test_shares_are_counts_of_the_confusion(labels) -> None:
    for one in accuracy(labels):
        if one.intervals:
            assert one.confusion.sum() == one.intervals
            assert one.next_phase == pytest.approx(one.confusion.trace() / one.intervals)
            if one.changes:
                stays = one.intervals - one.changes
                right = one.at_changes * one.changes + (0 if not stays else (1 - one.alarms) * stays)
                assert one.next_phase == pytest.approx(right / one.intervals)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RleMarkov(order=0), "order is 0"),
        (lambda: RleMarkov(entries=33), "entries is 33"),
        (lambda: RleMarkov(ways=0), "ways is 0"),
        (lambda: RleMarkov(confidence=9), "confidence is 9"),
        (lambda: RleMarkov(classes=(2, 3)), "classes of length"),
        (lambda: online.predictor("oracle"), "no predictor 'oracle'\n.*rle-markov"),
    ],
)
def test_sizes_that_make_no_sense(make, message) -> None:
    with pytest.raises(UsageError, match=message):
        make()


@pytest.mark.parametrize("labels", [[-1], [0.5], [[1]], ["a"]])
def test_labels_that_are_none(labels) -> None:
    with pytest.raises(DataError):
        accuracy(labels)


def test_online_predictors_are_tried_beside_a_hidden_markov_model() -> None:
    from phasemark.online import guesses
    from phasemark.phases import MultinomialHMM, held_out

    guesses.register()
    rows = np.array([[90, 10], [10, 90]])[[0, 0, 1] * 10]
    found = held_out(MultinomialHMM(2, restarts=2), rows)
    assert {"last", "moves", "rle-markov", "rle-markov-2", "model"} <= set(found.accuracy)
    assert found.accuracy["rle-markov"] == 1 and found.accuracy["model"] < 1
    twice = held_out(MultinomialHMM(2, restarts=2), np.concatenate([rows, rows]), sequences=[30, 30])
    assert twice.at_changes["rle-markov"] == 1
