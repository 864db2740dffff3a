"""Which blocks are named."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import synthetic

from phasemark.model import Blocks, Intervals, Profile, Provenance
from phasemark.views import names


def test_functions_are_of_all_blocks_and_lines_of_the_hot_ones(monkeypatch) -> None:
    asked = []

    def annotate(blocks, rows=None, *, build_ids, lines=True):
        asked.append((rows if rows is None else rows.tolist(), build_ids, lines))
        return blocks

    monkeypatch.setattr(names, "annotate", annotate)
    monkeypatch.setattr(names, "HOT_BLOCKS", 1)
    run = synthetic.run(functions=False)
    names.named(run)
    hottest = {int(run.profile.counts[run.phases.labels == p].sum(axis=0).argmax()) for p in range(3)}
    assert asked == [(None, None, False), (sorted(hottest), None, True)]


def test_names_that_a_profile_has_are_kept() -> None:
    run = synthetic.run()
    assert names.named(run) is run


@pytest.mark.parametrize(
    ("functions", "told"),
    [
        (["f", "g"], None),
        (["gzip:0x10", "g"], "75% of the instructions ran in functions without names, most of them in "
                             "/bin/gzip; to name them: do this"),
        (["f", "[anonymous 0]"], "25% of the instructions ran in functions without names, most of them in "
                                 "[anonymous 0]; a program that compiles at run time can write a map"),
        (["", ""], "100% of the instructions ran in functions without names, most of them in /bin/gzip; "),
    ],
    ids=["named", "stripped", "compiled", "none"],
)  # fmt: skip
def test_how_names_come_is_told_where_they_are_missing(monkeypatch, functions, told) -> None:
    blocks = Blocks(("/bin/gzip", "[anonymous 0]"), [0, 1], [0, 0], [1, 1], [4, 4], function=functions)
    profile = Profile(
        blocks,
        Intervals.of_thread(np.array([4])),
        synthetic.counts_of(np.array([[3, 1]])),
        Provenance("test"),
    )
    monkeypatch.setattr(names, "is_there", lambda *_: True)
    monkeypatch.setattr(names, "advice", lambda _: "do this")
    monkeypatch.setattr(names, "notes", tuple)
    said = names.missing(profile)
    assert [sentence[: len(told or "")] for sentence in said] == ([told] if told else [])


def test_a_module_that_is_gone_needs_no_package(monkeypatch) -> None:
    blocks = Blocks(("/no/such",), [0], [0], [1], [4], function=["such+0x0"])
    assert names.missing(_profile(blocks, [4]))[0].endswith(
        "the file is gone, or is another build than the one that ran"
    )


def _profile(blocks: Blocks, counts: list[int]) -> Profile:
    intervals = Intervals.of_thread(np.array([sum(counts)]))
    return Profile(blocks, intervals, synthetic.counts_of(np.array([counts])), Provenance("test"))
