"""Names of Rust: the legacy scheme, and v0 (RFC 2603; "Symbol Mangling" in The rustc book)."""

from __future__ import annotations

import re

from phasemark.symbols.rust_v0 import NotMangled, Reader

#: Itanium's nested name, of which the last part is a hash.
_LEGACY = re.compile(r"_ZN(.+)17h([0-9a-f]{16})E(?=$|[.@])")
_V0 = re.compile(r"_R[A-Z]\w+")
_LEAST_DIGITS = 5  # different ones in a hash; C++ may have a function called h0123...
_ESCAPES = {"SP": "@", "BP": "*", "RF": "&", "LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ","}
_ESCAPE = re.compile(r"\$(?:(SP|BP|RF|LT|GT|LP|RP|C)|u([0-9a-f]{1,6}))\$|(\.\.)")
_LLVM = re.compile(r"\.llvm\.[0-9A-F@]+$")


def is_mangled(name: str) -> bool:
    """Whether it looks like a name that the Rust compiler mangled."""
    if name.startswith("_R"):
        return _V0.match(name) is not None
    found = _LEGACY.match(name)
    return found is not None and len(set(found[2])) >= _LEAST_DIGITS


def demangle(name: str, most: int) -> str:
    """The path as Rust writes it, without hashes; empty where it is not understood or too long."""
    name = _LLVM.sub("", name)
    try:
        return _legacy(name) if name.startswith("_Z") else _v0(name, most)
    except (NotMangled, RecursionError, ValueError, OverflowError):
        return ""


def _v0(name: str, most: int) -> str:
    mangled = re.split(r"[.$]", name, maxsplit=1)[0]
    return Reader(mangled[2:], most).symbol() + name[len(mangled) :]


def _legacy(name: str) -> str:
    found = _LEGACY.match(name)
    if found is None:
        return ""
    path, parts = found[1], []
    while path:
        size = re.match(r"\d{1,9}", path)
        if size is None or not 0 < int(size[0]) <= len(path) - size.end():
            return ""
        end = size.end() + int(size[0])
        parts.append(_plain(path[size.end() : end]))
        path = path[end:]
    return "::".join(parts) + name[found.end() :]


def _plain(part: str) -> str:
    """One part of a legacy path, with its signs."""
    if part.startswith("_$"):
        part = part[1:]
    return _ESCAPE.sub(_sign, part)


def _sign(found: re.Match[str]) -> str:
    if found[3]:
        return "::"
    return _ESCAPES[found[1]] if found[1] else chr(int(found[2], 16))
