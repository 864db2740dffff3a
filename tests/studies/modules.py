"""Modules of a study, which other studies have under the same names."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType


@contextlib.contextmanager
def modules(study: Path, *names: str) -> Iterator[list[ModuleType]]:
    """Those of a study's folder and of what studies share; forgotten afterwards."""
    places = [str(study), str(study.parent / "shared")]
    before = set(sys.modules)
    sys.path[:0] = places
    try:
        yield [importlib.import_module(name) for name in names]
    finally:
        for place in places:
            sys.path.remove(place)
        for name in set(sys.modules) - before:
            if str(study.parent) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
