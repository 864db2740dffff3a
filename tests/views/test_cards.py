"""What there is to say of a phase, counted by hand."""

from __future__ import annotations

from tests.views import counted

from phasemark.views import cards as card_module
from phasemark.views import places
from phasemark.views.cards import Card, cards


def shown(top: int) -> list[Card]:
    analysis = counted.run()
    blocks = analysis.profile.block_table
    return cards(analysis, places.functions(blocks), places.lines(blocks), top)


def test_each_phase_has_its_share_intervals_functions_lines_and_points() -> None:
    first, second, third = shown(2)
    assert first == Card(
        30 / 93, 3, [("copy", "prog", 28 / 30), ("sort", "prog", 2 / 30)],
        [("a.c:7", "copy", 28 / 30), ("a.c:9", "sort", 2 / 30)], [0], 1.0,
    )  # fmt: skip
    assert second == Card(13 / 93, 2, [("sort", "prog", 1.0)], [("a.c:9", "sort", 1.0)], [1], 1.0)
    assert third == Card(50 / 93, 2, [("main", "prog", 1.0)], [], [2], 0.0)  # its file is not known


def test_only_the_hottest_are_named() -> None:
    assert [len(card.functions) for card in shown(1)] == [1, 1, 1]


def test_traces_are_left_out(monkeypatch) -> None:
    monkeypatch.setattr(card_module, "_TRACE", 2 / 30)
    assert len(shown(2)[0].functions) == 2
    monkeypatch.setattr(card_module, "_TRACE", 0.07)
    assert len(shown(2)[0].functions) == 1
