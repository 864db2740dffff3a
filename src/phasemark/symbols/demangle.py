"""C++ names as people write them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_SPECIAL = re.compile(r"\{(?:\w+ )?(ctor|dtor)\}")
_INNERMOST = re.compile(r"<[^<>]*>")


@lru_cache(maxsize=65536)
def demangle(name: str) -> str:
    """The name in C++'s own words; a name that is not mangled, or not understood, as it is."""
    if not name.startswith("_Z"):
        return name
    from itanium_demangler import parse

    # GCC's clones of a function (`.constprop.0`, `.cold`) follow the mangled name.
    mangled, dot, clone = name.partition(".")
    try:
        tree = parse(mangled)
        return name if tree is None else _text(tree) + (f" [{dot}{clone}]" if dot else "")
    except Exception:  # The library has its gaps (local names), and tells them by many kinds of error.
        return name


def _text(tree: Any) -> str:
    """The library writes `sum const(int)`; a method's qualifier belongs behind its parameters."""
    if tree.kind == "func" and tree.name is not None and tree.name.kind == "cv_qual":
        return f"{_text(tree._replace(name=tree.name.value))} {' '.join(sorted(tree.name.qual))}"
    return _SPECIAL.sub(_class_name, str(tree))


def _class_name(special: re.Match[str]) -> str:
    """The library writes `Tree<int>::{base dtor}` for `Tree<int>::~Tree`."""
    scope, changed = special.string[: special.start()].removesuffix("::"), 1
    while changed:
        scope, changed = _INNERMOST.subn("", scope)
    last = re.search(r"\w*$", scope)
    return ("~" if special[1] == "dtor" else "") + (last[0] if last else "")
