"""The text of OpenMetrics."""

from __future__ import annotations

from phasemark.formats.openmetrics import Family, text


def test_families_are_written_as_the_standard_has_them() -> None:
    families = [
        Family("a", "gauge", "Of a.", [({}, 1.0), ({"p": 'x"\\\n', "q": "\udc80"}, 0.25)]),
        Family("b_seconds", "counter", "Of b.", [({"p": "1"}, 2**60)], "seconds"),
        Family("c", "info", "Of c.", []),
    ]
    assert text(families) == (
        "# TYPE a gauge\n# HELP a Of a.\na 1\n"
        'a{p="x\\"\\\\\\n",q="\\\\udc80"} 0.25\n'
        "# TYPE b_seconds counter\n# UNIT b_seconds seconds\n# HELP b_seconds Of b.\n"
        'b_seconds_total{p="1"} 1.152921504606847e+18\n'
        "# TYPE c info\n# HELP c Of c.\n# EOF\n"
    )
