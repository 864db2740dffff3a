"""Names of functions in the room that there is."""

from __future__ import annotations

import pytest

from phasemark.cli.printing.names import cut, distinct

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


def test_different_names_stay_different_and_addresses_whole() -> None:
    long = [f"VeryLongNameOfAFunction{end}OfThisProgram(int, int)" for end in ("A", "B", "C")]
    templates = ["filter<int, double, 17>::run(int)", "filter<long, double, 1009>::run(int)", "a.out:0x4290"]
    for width in (10, 24, 40):
        texts = distinct([*long, *templates], width)
        assert len(set(texts.values())) == 6 and texts["a.out:0x4290"] == "a.out:0x4290"
    assert distinct([], 5) == {}
