"""Which blocks are named."""

from __future__ import annotations

from tests.views import synthetic

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
