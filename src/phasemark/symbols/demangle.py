"""Names of C++ and Rust as people write them."""

from __future__ import annotations

import re
from functools import lru_cache

from phasemark.symbols import rust

#: Characters of a name that is shown; few mangled letters that refer to one another can stand for gigabytes.
LONGEST = 1 << 16

_CPLUSPLUS = re.compile(r"_Z|_GLOBAL_[._$][DI]_")


@lru_cache(maxsize=65536)
def demangle(name: str) -> str:
    """The name in its language's own words; a name that is not mangled, or not understood, as it is.

    As `c++filt --no-verbose` of binutils has it: with parameters, without what only compilers need.
    """
    if rust.is_mangled(name):
        return rust.demangle(name, LONGEST) or name
    if not _CPLUSPLUS.match(name) or len(name) > LONGEST or not name.isascii():
        return name
    from phasemark import _core

    return _core.demangled(name, LONGEST) or name
