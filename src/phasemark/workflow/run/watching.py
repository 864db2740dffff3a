"""Who watches a program that runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phasemark.collect import Headway

    #: Called about twice a second while a program runs.
    Watching = Callable[[Headway], None] | None
