"""The tracker: counted by hand, held to the slow twin, and one row at a time as all at once."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from tests.reference import tracking as twin
from tests.reference.random import mix64

from phasemark.errors import DataError, UsageError
from phasemark.model import Counts
from phasemark.online import Observation, Tracker

#: Numbers of blocks that hash to counters of their own, of 32.
A, B, C, D = 0, 1, 2, 3


def exact(**parameters) -> Tracker:
    return Tracker.unrestricted(**{"min_count": 1, **parameters})


def phases(tracker: Tracker, rows) -> list[int]:
    return [tracker.update(row).phase for row in rows]


def test_blocks_of_these_tests_have_counters_of_their_own() -> None:
    assert len({twin.counter_of(block, 1, 32) for block in range(4)}) == 4


# ---------------------------------------------------------------- counters that were filled elsewhere


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.integers(0, 3000), min_size=9, max_size=9), min_size=1, max_size=12),
    st.sampled_from([1, 2, 32, 256]),
    st.sampled_from([4, 24, None]),
    st.integers(-3, 2**64),
)
def test_counters_give_what_the_keys_folded_into_them_give(rows, counters, bits, seed) -> None:
    parameters = {"min_count": 2, "counters": counters, "bits": bits, "seed": seed}
    keys = np.array([mix64(block) for block in range(9)], np.uint64)
    one, other = Tracker(**parameters), Tracker(**parameters)
    for row in rows:
        folded = [0] * counters
        for key, instructions in zip(keys, row, strict=True):
            folded[twin.counter_of(int(key), seed, counters)] += instructions
        assert one.update_counters(folded) == other.update(row, keys)
    assert one.save() == other.save(), "with those that were full"


def test_counters_of_any_size_stop_at_those_of_the_tracker() -> None:
    tracker = Tracker(min_count=1, counters=2, bits=4, compressed_bits=None)
    assert tracker.update_counters([2**62, 2**62]) == Observation(1, 2.0, True)
    assert tracker.update_counters([15, 15]) == Observation(1, 0.0, False)
    assert tracker.update_counters([0, 0]) == Observation(1, 0.0, False), "nothing: of the phase before it"


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([1] * 31, "31 counters instead of 32"),
        ([1, -1] * 16, "a counter is negative"),
        ([0.5] * 32, "no whole numbers"),
        ([2**62, 1] * 16, "more than 2"),
    ],
)
def test_counters_that_make_no_sense_are_refused(counts, said) -> None:
    tracker = Tracker(bits=None)
    with pytest.raises(DataError, match=said):
        tracker.update_counters(counts)
    assert tracker.stored == 0
    with pytest.raises(UsageError, match="none that others can fill"):
        exact().update_counters(counts)


# ---------------------------------------------------------------- by hand


def test_what_is_alike_is_one_phase_and_returns_to_it() -> None:
    tracker = Tracker(min_count=1)
    assert tracker.update([10, 30, 0]) == Observation(1, 2.0, True)
    assert tracker.update([20, 60, 0]) == Observation(1, 0.0, False)
    assert tracker.update([0, 0, 5]) == Observation(2, 2.0, True)
    assert tracker.update([10, 30, 0]).phase == 1


def test_a_distance_is_that_of_shares_and_must_be_below_the_threshold() -> None:
    tracker = exact(threshold=0.25)
    tracker.update([4, 4])
    assert tracker.update([5, 3]) == Observation(2, 0.25, True), "|1/8| + |-1/8|, which is not below 1/4"
    assert tracker.update([9, 7]) == Observation(1, 0.125, False), "as near to both: the earlier one"


def test_a_signature_is_in_transition_until_it_was_seen_often_enough() -> None:
    tracker = Tracker(min_count=3)
    assert phases(tracker, [[1, 0], [0, 1], [1, 0], [1, 0], [0, 1], [0, 1]]) == [0, 0, 0, 1, 0, 2]


def test_numbers_are_never_used_again() -> None:
    tracker = Tracker(min_count=1, signatures=2)
    seen = phases(tracker, np.eye(4, dtype=int)[[A, B, A, C, B, A]])
    assert seen == [1, 2, 1, 3, 4, 5], "C took the place of B, B that of A, A that of C"
    assert tracker.stored == 2


@pytest.mark.parametrize(("policy", "then"), [("keep", 0.375), ("replace", 0.125), ("average", 0.25)])
def test_what_becomes_of_a_signature_that_is_matched(policy, then) -> None:
    tracker = exact(threshold=0.5, policy=policy)
    tracker.update([16, 16])
    tracker.update([20, 12])
    assert tracker.update([22, 10]).distance == then


def test_counters_stop_at_their_largest_value() -> None:
    tracker = Tracker(min_count=1, bits=4, compressed_bits=None)
    tracker.update([15, 5])
    assert tracker.update([1000, 5]) == Observation(1, 0.0, False)
    assert "in 2 of 2 intervals a counter of 4 bits was full" in tracker.fit([[15, 5], [99, 5]]).notes_[0]


def test_a_counter_above_the_headroom_has_all_its_bits_set() -> None:
    """A mean of 4 has 3 bits; 2 above and 2 kept leave what is shifted by 3: 128 as 3 of 3."""
    rows = [[128, 0], [112, 16]]
    small = Tracker(counters=32, compressed_bits=2, min_count=1)
    assert [small.update(row).distance for row in rows] == [2.0, 0.8], "(3, 0) and (3, 2)"
    assert [Tracker(counters=32, compressed_bits=2, headroom=4, min_count=1).update(r) for r in rows]


def test_an_interval_without_an_instruction_is_of_the_phase_before() -> None:
    tracker = Tracker(min_count=1)
    assert tracker.update([0, 0]) == Observation(0, 0.0, False)
    assert phases(tracker, [[1, 0], [0, 0], [0, 1], [0, 0]]) == [1, 1, 2, 2]
    assert tracker.stored == 2


def test_rows_without_an_instruction_are_tracked_as_updates_are_and_make_no_model() -> None:
    none = np.zeros((3, 2), np.int64)
    for rows in (none, csr_matrix(none)):
        assert Tracker(min_count=1).track(rows).phase.tolist() == [0, 0, 0]
        assert Tracker(min_count=1).track([[1, 0]], [0]).phase.tolist() == [0]
        for weights in (None, [1, 1, 1]):
            with pytest.raises(DataError, match="no interval has an instruction"):
                Tracker().fit(rows, None, weights)
    assert Tracker(min_count=1).fit([[1, 0], [0, 1]]).predict(none).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("parameters", "of_one", "of_five"),
    [
        ({}, 0.15, 0.57),
        ({"counters": 64}, 0.27, 0.90),
        ({"headroom": 5}, 0.0, 0.10),
        ({"compressed_bits": None}, 0.02, 0.10),
    ],
)
def test_how_far_a_small_function_beside_a_large_one_moves_a_signature(
    parameters: dict[str, object], of_one: float, of_five: float
) -> None:
    """As docs/track.md has it: 1% and 5% of an interval beside the rest, and beside nothing."""
    for share, said in ((0.01, of_one), (0.05, of_five)):
        farthest = 0.0
        for whole in np.geomspace(1e5, 1.6e7, 100).astype(int).tolist():
            tracker = Tracker(threshold=2.0, min_count=1, **parameters)  # type: ignore[arg-type]
            tracker.update([whole, 0])
            small = round(share * whole)
            farthest = max(farthest, tracker.update([whole - small, small]).distance)
        assert farthest == pytest.approx(said, rel=0.03, abs=0.006)


def test_a_threshold_is_halved_where_the_metric_of_a_phase_varies() -> None:
    tracker = exact(threshold=0.5, deviation=0.1)
    near, far = [8, 8], [10, 6]
    assert tracker.update(near, metric=1.0).phase == 1
    assert tracker.update(far, metric=1.05).phase == 1, "1/4 away, and a metric that is alike"
    assert tracker.update(far, metric=2.0).phase == 1, "matched yet, but no longer what is so far away"
    assert tracker.update(far, metric=2.0).phase == 2
    assert tracker.update(near).phase == 1 and tracker.update(far).phase == 2


# ---------------------------------------------------------------- three ways in, one result

SIZES = st.fixed_dictionaries(
    {
        "threshold": st.sampled_from([0.05, 0.25, 0.6, 2.0]),
        "min_count": st.integers(1, 3),
        "signatures": st.sampled_from([1, 2, 5, None]),
        "policy": st.sampled_from(["keep", "replace", "average"]),
        "headroom": st.integers(0, 6),
        "deviation": st.sampled_from([0.1, 0.5]),
        "seed": st.integers(-5, 2**70),
    }
)
COUNTERS = st.one_of(
    st.just({"counters": None, "bits": None, "compressed_bits": None}),
    st.fixed_dictionaries(
        {
            "counters": st.sampled_from([1, 3, 32, 300]),
            "bits": st.sampled_from([3, 10, 24, 48, None]),
            "compressed_bits": st.sampled_from([1, 6, 20, None]),
        }
    ),
)
BLOCKS = 7
COUNT = st.one_of(st.just(0), st.integers(0, 60), st.integers(0, 2**40), st.integers(0, 2**58))
ROWS = st.lists(st.lists(COUNT, min_size=BLOCKS, max_size=BLOCKS), min_size=1, max_size=14)


def counts_of(rows) -> Counts:
    dense = np.array(rows, np.int64).reshape(-1, BLOCKS)
    indptr = np.concatenate(([0], np.cumsum((dense > 0).sum(axis=1))))
    keys = np.array([mix64(block) for block in range(BLOCKS)], np.uint64)
    return Counts(indptr, np.nonzero(dense)[1], dense[dense > 0], BLOCKS, keys)


@settings(max_examples=150, deadline=None)
@given(rows=ROWS, sizes=SIZES, counters=COUNTERS, data=st.data())
def test_branches_rows_and_the_whole_are_what_the_twin_gives(rows, sizes, counters, data) -> None:
    parameters = {**sizes, **counters}
    counts = counts_of(rows)
    n = len(rows)
    metrics = data.draw(st.lists(st.sampled_from([1.0, 1.25, 4.0]), min_size=n, max_size=n))
    learns = data.draw(st.lists(st.sampled_from([1, 1, 1, 0]), min_size=n, max_size=n))
    slow, fast, keys = twin.Tracker(**parameters), Tracker(**parameters), counts.keys.tolist()
    told = [
        slow.update(list(zip(keys, row, strict=True)), metric, bool(weight))
        for row, metric, weight in zip(rows, metrics, learns, strict=True)
    ]
    whole = fast.track(counts, learns, metric=metrics)
    assert [tuple(whole[row]) for row in range(n)] == told
    if all(learns):
        one, branches = Tracker(**parameters), Tracker(**parameters)
        for row, (values, metric) in enumerate(zip(rows, metrics, strict=True)):
            assert one.update(values, counts.keys, metric=metric) == whole[row]
            interval = branches.accumulator()
            for part in ([v // 2 for v in values], [v - v // 2 for v in values]):
                interval.add(counts.keys[::-1], part[::-1])
            assert branches.observe(interval, metric) == whole[row]
        assert one.save() == fast.save()


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, sizes=SIZES, counters=COUNTERS, cut=st.integers(0, 14))
def test_a_tracker_that_is_saved_goes_on_as_if_nothing_had_been(rows, sizes, counters, cut) -> None:
    whole = Tracker(**sizes, **counters)
    begun = Tracker(**sizes, **counters)
    expected = [whole.update(row) for row in rows]
    seen = [begun.update(row) for row in rows[:cut]]
    resumed = [Tracker.resume(begun.save()), pickle.loads(pickle.dumps(begun)), copy.deepcopy(begun)]
    for tracker in resumed:
        assert seen + [tracker.update(row) for row in rows[cut:]] == expected
        assert tracker.save() == whole.save()


def test_updating_row_by_row_gives_the_labels_of_fit_predict() -> None:
    random = np.random.default_rng(3)
    rows = np.repeat(random.integers(0, 1000, (5, 40)), 9, axis=0)[random.permutation(45)]
    for min_count in (1, 3):
        labels = Tracker(min_count=min_count).fit_predict(rows)
        told = phases(Tracker(min_count=min_count), rows)
        assert labels.tolist() == [phase - (min_count == 1) for phase in told]


def test_what_the_table_holds_is_bounded_and_so_is_what_is_saved() -> None:
    random = np.random.default_rng(4)
    tracker = Tracker(0.05)
    sizes = []
    for _ in range(3):
        tracker.track(random.integers(0, 50, (200, 60)))
        sizes.append(len(tracker.save()))
    assert tracker.stored == 20
    assert max(sizes) < 1.05 * min(sizes)


def test_threads_share_the_table_and_have_accumulators_of_their_own() -> None:
    tracker = Tracker(min_count=1)
    threads = [tracker.accumulator() for _ in range(10_000)]
    for number, interval in enumerate(threads):
        interval.add([number % 2], [100])
    assert [tracker.observe(interval).phase for interval in threads[:5]] == [1, 2, 1, 2, 1]
    assert tracker.stored == 2


# ---------------------------------------------------------------- as a model


def test_centres_are_means_of_shares_and_the_transition_is_recorded() -> None:
    found = Tracker(min_count=2).fit([[4, 0], [0, 4], [8, 0], [6, 2]]).phases_
    assert found.labels.tolist() == [0, 0, 1, 0] and found.model["transition"] == 0
    counters = [twin.counter_of(block, 1, 32) for block in (A, B)]
    assert found.centers[0, counters].tolist() == pytest.approx([10 / 16, 6 / 16])
    assert found.distances[2] == 0 and found.centers.shape == (2, 32)
    assert Tracker(min_count=1).fit([[1]]).phases_.model["transition"] is None


def test_a_fit_begins_anew_and_updates_go_on_from_it() -> None:
    rows = [[1, 0], [0, 1]]
    tracker = Tracker(min_count=1).fit([[5, 5]])
    assert tracker.fit_predict(rows).tolist() == [0, 1]
    assert tracker.update([0, 7]) == Observation(2, 0.0, False)
    assert tracker.phases_.labels.tolist() == [0, 1]


def test_rows_may_be_sparse_or_dense_or_few_at_a_time() -> None:
    from scipy.sparse import csr_matrix

    rows = np.array([[3, 0, 1], [0, 2, 2], [6, 0, 2]])
    labels = [Tracker(min_count=1).fit_predict(X).tolist() for X in (rows, csr_matrix(rows), rows * 1.0)]
    assert labels == [[0, 1, 0]] * 3
    tracker = Tracker(min_count=1)
    assert [tracker.update(csr_matrix(row[None])).phase for row in rows] == [1, 2, 1]


def test_notes_say_what_the_sizes_did() -> None:
    rows = np.eye(4, dtype=int)
    assert any("gave way" in note for note in Tracker(min_count=1, signatures=2).fit(rows).notes_)
    assert any("no signature was seen 8 times" in note for note in Tracker().fit(rows).notes_)
    assert Tracker(min_count=1).fit(rows).notes_ == []


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"threshold": 0}, "threshold is 0\n.*above 0"),
        ({"threshold": 2.5}, "threshold is 2.5\n.*at most 2"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"threshold": "0.25"}, "threshold is '0.25'"),
        ({"threshold": None}, "threshold is None"),
        ({"min_count": 0}, "min_count is 0"),
        ({"counters": 0}, "counters is 0"),
        ({"counters": 2**15}, "counters is 32768"),
        ({"bits": 64}, "bits is 64"),
        ({"compressed_bits": 0}, "compressed_bits is 0"),
        ({"signatures": 0}, "signatures is 0"),
        ({"signatures": 2.0}, "signatures is 2.0"),
        ({"headroom": -1}, "headroom is -1"),
        ({"deviation": 0}, "deviation is 0"),
        ({"policy": "forget"}, "policy is 'forget'"),
        ({"counters": None}, "counters is None and bits is 24"),
    ],
)
def test_sizes_that_make_no_sense(parameters, message) -> None:
    for use in (Tracker.check, Tracker.save, lambda t: t.update([1]), lambda t: t.fit([[1]])):
        with pytest.raises(UsageError, match=message):
            use(Tracker(**parameters))


@pytest.mark.parametrize(
    ("row", "keys", "message"),
    [
        ([1, -1], None, "row 1: .*negative"),
        ([1, float("nan")], None, "row 1: .*no whole numbers"),
        ([0.5], None, "row 0: .*no whole numbers"),
        ([2**63], None, "row 0"),
        ([[1, 2]], None, "2 dimensions"),
        (["a"], None, "no numbers"),
        ([1, 2], [1], "1 keys, and instructions of 2"),
        ([1], [-1], "row 0: a key is negative"),
        ([1], [0.5], "no whole numbers"),
    ],
)
def test_a_row_that_is_none(row, keys, message) -> None:
    with pytest.raises(DataError, match=message):
        Tracker().update(row, keys)


def test_a_metric_that_is_none() -> None:
    with pytest.raises(DataError, match="infinite"):
        Tracker().update([1], metric=float("inf"))
    with pytest.raises(DataError, match="row 1: a metric is infinite"):
        Tracker().track([[1], [1]], metric=[1.0, float("inf")])
    with pytest.raises(DataError, match="for 2 intervals"):
        Tracker().track([[1], [1]], metric=[1.0])
    assert Tracker(min_count=1).update([1], metric=float("nan")).phase == 1


def test_more_than_a_counter_without_end_holds() -> None:
    huge = [2**62, 1]
    for tracker in (exact(), Tracker(bits=None, compressed_bits=None)):
        with pytest.raises(DataError, match=r"more than 2\^62"):
            tracker.update(huge)
        with pytest.raises(DataError, match=r"row 1: .*more than 2\^62"):
            tracker.track([[1, 0], huge])
    assert Tracker().update(huge).new


def test_an_accumulator_of_another_tracker_is_refused() -> None:
    with pytest.raises(UsageError, match="other counters"):
        Tracker().observe(Tracker(counters=16).accumulator())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="x"), "no saved tracker"),
        (lambda d: d.update(format_version=9), "version 9"),
        (lambda d: d.pop("totals"), "damaged"),
        (lambda d: d["parameters"].update(threshold=7), "damaged"),
        (lambda d: d["parameters"].update(colour=7), "damaged"),
        (lambda d: d["parameters"].update(signatures=1), "2 signatures in a table of 1"),
        (lambda d: d["signatures"][0].update(keys=[32]), "counter 32 of 32"),
        (lambda d: d["signatures"][0].update(counts=[64]), "64 in 6 bits"),
        (lambda d: d["signatures"][0].update(counts=[0]), "damaged"),
        (lambda d: d["signatures"][0].update(counts=[1, 2]), "damaged"),
        (lambda d: d["signatures"][0].update(seen="many"), "damaged"),
        (lambda d: d.update(parameters={}), "no bits"),
        (lambda d: d["parameters"].pop("seed"), "no seed"),
        (lambda d: d["totals"].update(clock=2**63 - 1), "no count"),
        (lambda d: d["totals"].update(current=1), "not given"),
        (lambda d: d["totals"].update(clock=1), "no interval"),
        (
            lambda d: [d["totals"].update(last_phase=1), *(s.update(phase=1) for s in d["signatures"])],
            "twice",
        ),
        (lambda d: d["signatures"][0].update(keys=[1.5]), "no whole numbers"),
        (lambda d: d["signatures"][0].update(mean=float("nan")), "no number"),
        (lambda d: d["signatures"][0].update(mean="9" * 40), "no number"),
        (lambda d: d["signatures"][0].update(threshold=-1), "a threshold of -1"),
        (lambda d: d["signatures"][0].update(threshold=float("inf")), "no number"),
    ],
)
def test_what_was_saved_and_is_not_whole_is_refused(change, message) -> None:
    tracker = Tracker()
    tracker.track(np.eye(2, dtype=int))
    document = json.loads(tracker.save())
    change(document)
    with pytest.raises(DataError, match=message):
        Tracker.resume(json.dumps(document).encode())


def test_what_is_saved_has_the_parameters_that_it_was_made_with() -> None:
    """Changed ones count from a reset on."""
    tracker = Tracker(min_count=1)
    tracker.track(np.eye(4, dtype=int))
    tracker.set_params(signatures=2, counters=1)
    for again in (Tracker.resume(tracker.save()), copy.deepcopy(tracker)):
        assert [again.update(row) for row in np.eye(4, dtype=int)] == [
            copy.deepcopy(tracker).update(row) for row in np.eye(4, dtype=int)
        ]
    assert copy.deepcopy(tracker).reset().stored == 0 and tracker.get_params()["signatures"] == 2


def test_text_that_was_never_saved_is_refused() -> None:
    for saved in (b"", b"\xff", b"[]", b"[" * 100_000):
        with pytest.raises(DataError):
            Tracker.resume(saved)


def test_keys_name_the_columns_of_a_run_whatever_others_it_has() -> None:
    from tests.phases.runs import run

    from phasemark.signatures import counts
    from phasemark.signatures.projection import block_keys

    profile = run().profile
    vectors = counts(profile)
    assert vectors.keys.tolist() == block_keys(profile.block_table).tolist()
    turned = Counts(
        vectors.indptr,
        vectors.columns - 1 - vectors.indices.reshape(-1, 2)[:, ::-1].ravel(),
        vectors.data.reshape(-1, 2)[:, ::-1].ravel(),
        vectors.columns,
        vectors.keys[::-1],
    )
    few = [each.select(np.arange(60)) for each in (vectors, turned)]
    assert Tracker().fit_predict(few[0]).tolist() == Tracker().fit_predict(few[1]).tolist()
    assert (few[0].keys == vectors.keys).all()
