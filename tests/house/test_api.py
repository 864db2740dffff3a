"""The public interface changes on purpose or not at all."""

from __future__ import annotations

import difflib

from tests.house import api


def test_the_public_interface_is_the_one_agreed_on() -> None:
    agreed, found = api.SNAPSHOT.read_text(encoding="utf-8"), api.listing()
    diff = "\n".join(
        difflib.unified_diff(agreed.splitlines(), found.splitlines(), "agreed", "found", "", "", 0)
    )
    assert agreed == found, f"meant? then run: python -m tests.house.api\n{diff}"
