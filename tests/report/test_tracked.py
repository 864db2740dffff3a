"""Online phases as the page is given them."""

from __future__ import annotations

from tests.plots.test_track import run
from tests.views import synthetic

from phasemark.report import page
from phasemark.report.tracked import tracked


def test_online_phases_name_the_page_s_phase_that_they_mostly_are() -> None:
    made = tracked(run([0, 1, 1, 2, 3, 3]))
    assert made is not None
    page.script_json(made)  # JSON has no NaN
    assert made["said"].startswith("3 phases when each interval is classified as it ends, 18.2% of the")
    assert made["said"].endswith("of this page is 0.29."), "1 pair of 2 and 3, 0.4 by chance: 0.6 / 2.1"
    of_one = next(one for one in made["phases"] if one["phase"] == 1)
    assert (of_one["own"], of_one["intervals"], of_one["part"]) == (0, 2, 0.5)
    assert made["foretold"] == [5, 3]
    assert made["predictors"][0] == {"name": "last", "values": [0.4, 0, 0, None]}


def test_where_they_are_the_page_s_own_they_are_not_compared() -> None:
    made = tracked(run([0, 0, 1, 1, 2, 2], None))
    assert made is not None and made["said"].endswith("They are the phases of this page.")
    assert tracked(synthetic.run()) is None
