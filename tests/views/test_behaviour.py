"""What phases do with memory and branches, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.views import counted
from tests.views.behaving import reuse
from tests.views.synthetic import counts_of

from phasemark.model import Blocks, Intervals, Phases, Profile, Provenance, Reuse
from phasemark.views.behaviour import Behaviour, behaviour, heading, of_what, over_run

NAMES = ("data_32K", "data_256K", "data_2M", "data_new", "code_32K", "code_256K", "surprises")


def profile(lengths: list[int], known: Reuse | None) -> Profile:
    """Of one block."""
    counts, table = counts_of(np.array(lengths)[:, None]), Intervals.of_thread(np.array(lengths))
    return Profile(
        Blocks(("/bin/a",), [0], [0], [1], [4], [1]), table, counts, Provenance("hand"), reuse=known
    )


def phases(*labels: int) -> Phases:
    return Phases(np.array(labels, np.int32), None, np.zeros(len(labels)))


def found(lengths: list[int], known: Reuse, *labels: int) -> Behaviour:
    made = behaviour(profile(lengths, known), phases(*labels))
    assert made is not None
    return made


def test_rates_are_of_a_phase_s_instructions_and_stand_for_all_lines() -> None:
    # 64 times 3 of 2,000 instructions come after 32K and more, 64 times 1 after 256K and more, of phase 0.
    made = found(
        [1000, 1000, 500],
        reuse([{"32K": 2}, {"256K": 1}, {"new": 5}], [4, 6, 8], [{}, {"256K": 3}, {"32K": 1}]),
        *(0, 0, 1),
    )
    assert made.columns == NAMES and len(made) == 2 and made.remembered == 32 << 20
    assert made.rates.tolist() == [
        [96, 32, 0, 0, 96, 96, 5],
        [640, 640, 640, 640, 128, 0, 16],
    ]
    assert made.run.tolist() == pytest.approx([204.8, 153.6, 128, 128, 102.4, 76.8, 7.2])
    frame = made.frame()
    assert frame.index.tolist() == ["0", "1", "run"] and frame.loc["1", "surprises"] == 16


def test_there_is_nothing_where_nothing_was_recorded() -> None:
    assert behaviour(profile([10], None), phases(0)) is None
    assert behaviour(profile([0], reuse([{}])), phases(0)) is None
    run = counted.run()
    assert behaviour(run.profile, run.phases) is None


def test_columns_are_those_that_were_recorded() -> None:
    # Of each line, in four bands: none, 64, 128 bytes, and what is new or was forgotten after those.
    made = found([1000], Reuse([[5, 4, 3, 2]], [[1, 0, 0, 0]], 1), 0)
    assert made.columns == ("data_new",) and made.rates.tolist() == [[2]] and made.remembered == 256
    # Of one line in 1,024, distances are told from 64K on.
    assert found([1000], Reuse([[1] * 8], [[1] * 8], 1024), 0).columns == (
        "data_256K", "data_2M", "data_new", "code_256K",
    )  # fmt: skip


def test_a_phase_without_instructions_has_no_rates() -> None:
    made = found([1000, 0], reuse([{"new": 1}, {}], [1, 0], [{}, {}]), 0, 1)
    assert np.isnan(made.rates[1]).all() and made.run[-1] == 1
    assert made.differences(1, 0) == made.differences(0, 1) == ()


def test_differences_are_one_of_a_kind_and_the_most_telling_first() -> None:
    # Phase 1 has four times the data after 256K, which is what 32K differ by; and a tenth more surprises.
    long = [10_000_000] * 2
    made = found(long, reuse([{"256K": 1000}, {"256K": 4000}], [5000, 5500], [{}, {}]), 0, 1)
    (one,) = made.differences(1, 0)
    assert (one.column, one.here, one.there, one.times) == ("data_256K", 25.6, 6.4, 4)
    (back,) = made.differences(0, 1)
    assert back.times == 0.25 and back.column == "data_256K"
    # Of what is new and comes after 2M both, new says more.
    made = found(long, reuse([{}, {"new": 1000}], [5000, 50_000], [{}, {"32K": 900}]), 0, 1)
    told = made.differences(1, 0)
    assert [one.column for one in told] == ["surprises", "code_32K", "data_new"]
    assert told[1].times == told[2].times == np.inf
    # Of many intervals that differ in surprises, and few in what is new, that is the more telling.
    made = found(
        [10**7] * 8, reuse([{"new": 900}] + [{}] * 7, [90_000, 9_000] * 4), *(0, 1, 2, 1, 2, 1, 2, 1)
    )
    assert [one.column for one in made.differences(0, 1)] == ["data_new", "surprises"]
    assert [one.column for one in made.differences(2, 1)] == ["surprises"]


def test_what_a_few_lines_seen_by_chance_would_make_is_no_difference() -> None:
    # 1 access seen and 2: 0.64 and 1.28 per 1,000 instructions. A hundred times as many are another matter.
    few = found([100_000] * 2, reuse([{"new": 1}, {"new": 2}]), 0, 1)
    many = found([10_000_000] * 2, reuse([{"new": 100}, {"new": 200}]), 0, 1)
    assert few.differences(0, 1) == () and len(many.differences(0, 1)) == 1
    assert few.rates[:, 3].tolist() == many.rates[:, 3].tolist() == [0.64, 1.28]
    # Surprises are counted, all of them, but 0.009 per 1,000 instructions matter to nobody.
    rare = found([1_000_000_000] * 2, reuse([{}, {}], [900, 9_000]), 0, 1)
    assert rare.differences(0, 1) == ()
    # Nor does what is far less than intervals differ by elsewhere.
    apart = found([10**8] * 3, reuse([{}] * 3, [2_000, 4_000, 9_000_000]), 0, 1, 2)
    assert apart.differences(0, 1) == () and len(apart.differences(0, 2)) == 1


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_phases_add_up_to_the_run(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    lengths = data.draw(st.lists(st.integers(1, 10**6), min_size=n, max_size=n))
    bands = st.fixed_dictionaries({name: st.integers(0, 999) for name in ("32K", "256K", "2M", "new")})
    rows = data.draw(st.lists(bands, min_size=n, max_size=n))
    of_branches = data.draw(st.lists(st.integers(0, 999), min_size=n, max_size=n))
    labels = np.unique(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), return_inverse=True)[1]
    made = found(lengths, reuse(rows, of_branches, rows), *labels.tolist())
    assert np.allclose(np.bincount(labels, lengths) / sum(lengths) @ made.rates, made.run)
    assert (np.diff(made.rates[:, :4], axis=1) <= 0).all()
    for here in range(len(made)):
        assert made.differences(here, here) == ()
        for there in range(len(made)):
            one, other = made.differences(here, there), made.differences(there, here)
            assert [d.column for d in one] == [d.column for d in other]
            assert [(d.here, d.there) for d in one] == [(d.there, d.here) for d in other]


def test_columns_have_names_for_tables_and_sentences() -> None:
    assert [heading(name) for name in ("data_32K", "surprises")] == ["data 32K", "surprises"]
    assert of_what("code_256K") == "accesses to code after 256K of other code"
    assert of_what("data_new") == "accesses to new data"


def test_it_is_told_in_python() -> None:
    made = found([1000], reuse([{"new": 1}]), 0)
    assert repr(made) == (
        "<Behaviour: phases=1, columns=data_32K, data_256K, data_2M, data_new, code_32K, code_256K>"
    )
    assert "64.00" in made._repr_html_()
    assert replace(made, names=("x",)).frame().index[0] == "x"


def test_over_the_run_each_interval_has_its_rate() -> None:
    # Of the run's 2,500 instructions 64 * 3 come after 2M and more, and next to none are of code.
    made = profile([1000, 0, 1500], reuse([{"2M": 2}, {}, {"2M": 1}], [0, 0, 3], [{}, {}, {}]))
    first, second, third = over_run(made)
    assert [one.name for one in (first, second, third)] == ["data_32K", "data_2M", "surprises"]
    assert second.title == "Accesses to data after 2M of other data per 1000 instructions"
    assert third.title == "Branches that nothing foretold per 1000 instructions"
    assert second.values[[0, 2]].tolist() == [128, pytest.approx(64 / 1.5)] and np.isnan(second.values[1])
    assert third.values[[0, 2]].tolist() == [0, 2] and third.known.tolist() == [True, False, True]
    assert over_run(profile([1000], None)) == over_run(profile([0], reuse([{}]))) == []
