"""The paragraph under a machine, sentence by sentence."""

from __future__ import annotations

import pytest
from tests.views import machines

from phasemark.views.machine import machine
from phasemark.views.machine_words import instructions, reading


def read(*pattern: int, unused: int = 0) -> str:
    found = machine(machines.of_pattern(pattern, unused))
    assert found is not None
    return reading(found)


def test_a_program_that_goes_round() -> None:
    said = read(*([0] * 9 + [1]) * 10)
    assert said.startswith("Nine tenths of the run is spent in state 0: ")
    assert "Once there, the program stays for 9 intervals on average (9.0 million instructions)" in said
    assert "; then always comes state 1 (" in said
    assert said.endswith("From there it goes back: 10 times in this run.")


def test_a_round_of_several_states_is_told_in_one_sentence() -> None:
    said = read(*([0] * 7 + [1, 2, 3]) * 10)
    assert "Seven tenths of the run" in said and "then always comes state 1" in said
    assert "After that come state 2 (" in said and " and state 3 (" in said
    assert said.endswith("and it is back in state 0: 10 times in this run.")


def test_where_the_way_is_not_sure_each_state_is_told_with_what_follows() -> None:
    said = read(*[0, 0, 1, 0, 0, 2] * 6)
    assert "in 50 of 100 cases comes state 1 (" in said and "and in 50 of 100 cases state 2 (" in said
    assert "State 1 is 17% of the run, 1 interval at a time; then always comes state 0." in said


def test_where_no_state_leads_the_largest_is_told_as_what_it_is() -> None:
    said = read(*[*range(24), 3] * 3)
    assert said.startswith("No state leads: the largest of 24 states, 3, is 7% of the run, ")


def test_a_beginning_that_does_not_come_back_is_told_first() -> None:
    said = read(0, 0, *[1, 2] * 12)
    assert said.startswith("The run begins in state 0, ")
    assert "to which it does not come back." in said


def test_a_program_that_comes_back_to_nothing_is_told_in_order() -> None:
    said = read(*[0] * 5 + [1] * 10 + [2] * 5)
    assert said.startswith("The run does one thing after the other and comes back to none: first state 0")
    assert "(26% of the run); then state 1, " in said and "; then state 2, " in said  # the last is a half
    assert said.endswith("(23%).")


def test_a_program_that_hardly_comes_back_is_told_in_order_too() -> None:
    said = read(*[0] * 5 + [1] * 10 + [0] * 5)
    assert "does one thing after the other: first state 0, " in said and "; then again state 0 (" in said


def test_a_long_story_ends() -> None:
    assert read(*range(14)).endswith("; then 4 more stretches.")


def test_a_mixture_says_what_it_does_not_know() -> None:
    found = machine(machines.counted_by_hand(ordered=False))
    assert found is not None
    assert reading(found) == (
        "The run is a mixture of 3 kinds of work, above all state 2 (main, 54%), state 0 (copy, 32%) and "
        "state 1 (sort, 14%). A mixture says how much of each there is, but not what follows what. "
        "Of the model's 4 states 1 is not used."
    )


def test_one_state_and_states_that_are_not_used() -> None:
    said = read(0, 0, 0, unused=2)
    assert said.startswith("All of the run is alike: ") and said.endswith(
        "Of the model's 3 states 2 are not used."
    )


def test_several_threads_have_no_order_of_their_own() -> None:
    found = machine(machines.counted_by_hand())
    assert found is not None
    assert reading(found).startswith(
        "54% of the run is spent in state 2: mostly main (100% of its instructions). Once there, the program "
        "stays. State 0, copy, is 32% of the run, 2 intervals at a time; "
        "then in 50 of 100 cases comes state 1 (sort, 14%)"
    )


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (1, "1 instruction"), (999, "999 instructions"), (9_999, "9,999 instructions"),
        (565_123, "565,000 instructions"), (9_300_000, "9.3 million instructions"),
        (12.4e9, "12 billion instructions"), (3.21e12, "3.2 trillion instructions"),
    ],
)  # fmt: skip
def test_instructions_in_words(n: float, said: str) -> None:
    assert instructions(n) == said
