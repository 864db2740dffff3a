"""C++ names as people write them."""

from __future__ import annotations

import pytest

from phasemark.symbols.demangle import demangle


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("main", "main"),
        ("_start", "_start"),
        ("_ZN3foo3barEi", "foo::bar(int)"),
        ("_ZNK6phases4TreeIlE3sumEv", "phases::Tree<long>::sum() const"),
        ("_ZN4TreeIlED2Ev", "Tree<long>::~Tree()"),
        ("_ZN4TreeI3FooIiEEC1ERKS2_", "Tree<Foo<int>>::Tree(Tree<Foo<int>> const&)"),
        ("_ZN3foo3barEi.constprop.0", "foo::bar(int) [.constprop.0]"),
    ],
)
def test_names(mangled, name) -> None:
    assert demangle(mangled) == name


@pytest.mark.parametrize("odd", ["_Z", "_Znonsense", "_ZZ4mainENKUlvE_clEv", "_ZN", "_Z" + "N" * 5000])
def test_what_is_not_understood_stays_as_it_is(odd) -> None:
    assert demangle(odd) == odd
