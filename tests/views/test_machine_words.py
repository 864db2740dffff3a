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
    assert said.startswith("The run begins in state 0. Nine tenths of the run is spent in state 0: ")
    assert "Once there, the program stays for 9 intervals on average (9.0 million instructions)" in said
    assert "; then comes state 1 (deflate, 10%), all 10 times." in said
    assert said.endswith("From there it goes back; it comes back 9 times in this run.")


def test_a_round_of_several_states_is_told_in_one_sentence() -> None:
    said = read(*([0] * 7 + [1, 2, 3]) * 20)
    assert "Seven tenths of the run" in said and "then always comes state 1" in said
    assert "After that come state 2 (" in said and " and state 3 (" in said
    assert said.endswith("and it is back in state 0; it comes back 19 times in this run.")


def test_where_the_way_is_not_sure_each_state_is_told_with_what_follows() -> None:
    said = read(*[0, 0, 1, 0, 0, 2] * 20)
    assert "then in 50% of cases comes state 1 (" in said and " and in 50% state 2 (" in said
    assert "State 1 is 17% of the run, 1 interval at a time; then always comes state 0." in said


def test_of_fewer_than_twenty_changes_the_numbers_are_told() -> None:
    said = read(*[0, 1] * 7, *[0, 2] * 2, 0, 3, *[2, 1, 3, 0] * 3, *[4] * 3)
    assert (
        "then 7 of 13 times comes state 1 (deflate, 29%), 4 of 13 times state 2 (longest_match with "
        "deflate, 14%), 1 of 13 times state 3 (main, 12%) and 1 of 13 times another." in said
    )
    assert "%" in said and "of cases" not in said and "always" not in said


@pytest.mark.parametrize(
    ("rounds", "often"),
    [
        (18, "then comes state 1 (deflate, 48%), all 18 times."),
        (19, "then comes state 1 (deflate, 48%), all 19 times."),
        (20, "then always comes state 1 (deflate, 48%)."),
    ],
)
def test_from_twenty_changes_on_it_is_a_share(rounds: int, often: str) -> None:
    assert often in read(*[0, 1] * rounds, 0, 0)


def test_what_is_not_told_one_by_one_is_not_dropped() -> None:
    said = read(*([0, 0, 1] * 6 + [0, 0, 2] * 3 + [0, 0, 3]) * 9, *[0, 0, 4] * 3)
    assert "then in 58% of cases comes state 1 (" in said and "in 29% state 2 (" in said
    assert " and in 13% one of 2 others." in said


def test_where_no_state_leads_the_largest_is_told_as_what_it_is() -> None:
    said = read(*[*range(24), 3] * 3)
    assert said.startswith(
        "The run begins in state 0 (inflate with crc32, 4%). "
        "No state leads: the largest of 24 states, 3, is 7% of the run, "
    )


def test_a_beginning_that_does_not_come_back_is_told_first() -> None:
    said = read(0, 0, *[1, 2] * 12)
    assert said.startswith("The run begins in state 0 (inflate, 8%), to which it does not come back. ")


def test_a_program_that_comes_back_to_nothing_is_told_in_order() -> None:
    said = read(*[0] * 5 + [1] * 10 + [2] * 5)
    assert said == (
        "The run begins in state 0, inflate (26% of the run); then state 1, deflate (51%); "
        "then state 2, longest_match (23%). It does one thing after the other and comes back to none."
    )  # the last interval is a half


def test_a_program_that_hardly_comes_back_is_told_in_order_too() -> None:
    said = read(*[0] * 5 + [1] * 10 + [0] * 5)
    assert said.startswith("The run begins in state 0, ") and "; then again state 0 (23%)" in said
    assert said.endswith("It does one thing after the other.")


def test_a_long_story_ends() -> None:
    assert read(*range(14)).count("; then 4 more stretches. It does one") == 1


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
        "Threads begin in state 0 (copy, 32%) and state 2. 54% of the run is spent in state 2: mostly main "
        "(100% of its instructions). Once there, the program stays. State 0 is 32% of the run, "
        "2 intervals at a time; then comes state 1 (sort, 14%), both times. "
        "State 1 is 14% of the run, 1 interval at a time; then comes state 0, the one time it was left."
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
