"""Names of functions in the room that there is."""

from __future__ import annotations

import pytest

from phasemark.cli.printing.names import cut, fitting

HASHED = "std::_Hashtable<std::string, std::pair<std::string const, int>, std::less<>>::_M_rehash(int, long)"


@pytest.mark.parametrize(
    ("name", "width", "text"),
    [
        ("deflate", 10, "deflate"),
        (HASHED, 200, HASHED),
        (HASHED, 60, "std::_Hashtable<...>::_M_rehash(int, long)"),
        (HASHED, 40, "std::_Hashtable<...>::_M_rehash(...)"),
        (HASHED, 20, "std::_Has...ash(...)"),
        ("f(std::vector<int, long>, int)", 26, "f(std::vector<...>, int)"),
        ("operator<<(std::ostream&, pair const&)", 20, "operator<<(...)"),
        ("bool operator< <int, long long>(A const&)", 36, "bool operator< <...>(A const&)"),
        ("(anonymous namespace)::work(int, int, int)", 36, "(anonymous namespace)::work(...)"),
        (
            "std::function<void (int, long)>::operator()(int) const",
            41,
            "std::function<...>::operator()(int) const",
        ),
        ("a" * 50, 11, "aaaa...aaaa"),
        ("gzip:0x4290", 10, "gzip...290"),
    ],
)
def test_what_tells_least_goes_first(name: str, width: int, text: str) -> None:
    assert cut(name, width) == text and len(text) <= width


@pytest.mark.parametrize("width", range(10, 110, 7))
def test_no_name_is_longer_than_its_room(width: int) -> None:
    for name in (
        HASHED,
        "f<<<<>>",
        "<" * 300,
        ")" * 300,
        "operator<=>" * 40,
        "\N{LATIN SMALL LETTER E}" * 300,
        "",
    ):
        assert len(cut(name, width)) <= width


def test_the_longest_of_several_is_cut() -> None:
    assert fitting(["crc32", "x" * 60, "y" * 20], 50) == ["crc32", "x" * 11 + "..." + "x" * 11, "y" * 20]
    assert [len(name) for name in fitting(["x" * 60] * 3, 0)] == [10, 10, 10]
    assert fitting([], 5) == []
