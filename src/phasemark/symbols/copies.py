"""Copies that a compiler makes of a function."""

from __future__ import annotations

import re

_COPIES = re.compile(r"(\.(isra|constprop|part|cold|lto_priv)(\.\d+)?)+$")


def original(function: str) -> str:
    """A function's name without what a compiler adds to the copies that it makes of one: `.constprop.0`."""
    return _COPIES.sub("", function)
