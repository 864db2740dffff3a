"""Names of C++ and Rust as people write them, as binutils has them."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasemark import _core
from phasemark.symbols.demangle import LONGEST, demangle


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("main", "main"),
        ("_start", "_start"),
        ("_ZN3foo3barEi", "foo::bar(int)"),
        ("_ZNK6phases4TreeIlE3sumEv", "phases::Tree<long>::sum() const"),
        ("_ZN4TreeIlED2Ev", "Tree<long>::~Tree()"),
        ("_ZN4TreeI3FooIiEEC1ERKS2_", "Tree<Foo<int> >::Tree(Tree<Foo<int> > const&)"),
        ("_ZN3foo3barEi.constprop.0", "foo::bar(int) [clone .constprop.0]"),
        ("_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const"),
        ("_ZNSs4findEPKc", "std::string::find(char const*)"),
    ],
)
def test_names_of_cplusplus(mangled, name) -> None:
    assert demangle(mangled) == name


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        # the legacy scheme
        ("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"),
        (
            "_ZN71_$LT$foo..Bar$u20$as$u20$core..ops..Deref$LT$$RF$str$C$$LP$$RP$$GT$$GT$5deref17"
            "h5b8e9f0a1c2d3e4fE.llvm.12AB",
            "<foo::Bar as core::ops::Deref<&str,()>>::deref",
        ),
        # a function of C++ that only looks like it
        ("_ZN3foo17h0000000000000000E", "foo::h0000000000000000"),
        # examples of RFC 2603 and of "Symbol Mangling" in The rustc book
        ("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"),
        ("_RINvCs1_4core3maplmE", "core::map::<i32, u32>"),
        ("_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}"),
        ("_RNvMsr_NtCs3ssYzQotkvD_3std4pathNtB5_7PathBuf3newCs1_1a", "<std::path::PathBuf>::new"),
        ("_RNvXs5_NtCs1_4core3fmtRjNtB5_5Debug3fmt", "<&usize as core::fmt::Debug>::fmt"),
        ("_RNvC6_123foo3bar", "123foo::bar"),
        (
            "_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
            "utf8_idents::საჭმელად_გემრიელი_სადილი",
        ),
        ("_RIC0DNvC1a1bEL_E", "::<dyn a::b>"),
        ("_RINvC1a1bFG_RL0_hEuKj7b_E", "a::b::<for<'a> fn(&'a u8), 123>"),
        ("_RINvC1a1bASmj2_Kb1_Kc76_E", "a::b::<[[u32]; 2], true, 'v'>"),
        ("_RNvC1a1b.cold", "a::b.cold"),
    ],
)  # fmt: skip
def test_names_of_rust(mangled, name) -> None:
    assert demangle(mangled) == name


def test_all_names_of_the_cplusplus_library_are_those_of_binutils() -> None:
    if not shutil.which("c++filt"):
        pytest.skip("needs c++filt")
    library = subprocess.run(
        ["gcc", "-print-file-name=libstdc++.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    listed = subprocess.run(["nm", "-D", library], capture_output=True, text=True, check=True).stdout
    names = sorted({line.split()[-1].split("@")[0] for line in listed.splitlines()})
    said = subprocess.run(
        ["c++filt", "--no-verbose"], input="\n".join(names), capture_output=True, text=True, check=True
    ).stdout.splitlines()
    differ = [
        (name, ours, its) for name, its in zip(names, said, strict=True) if (ours := demangle(name)) != its
    ]
    assert not differ
    assert sum(name.startswith("_Z") for name in names) > 2000


@pytest.mark.parametrize(
    "odd",
    [
        *("_Z", "_Znonsense", "_ZN", "_Z" + "N" * 5000, "_Z1f" + "P" * 100_000 + "i", "_Z1fé"),
        *("_R", "_RNv", "_RNvC1a", "_RB_", "_RNvB_1a", "_RC99999a", "_RNvC1au1_", "_R" + "Y" * 50_000),
    ],
)
def test_what_is_not_understood_stays_as_it_is(odd) -> None:
    assert demangle(odd) == odd


def test_few_letters_that_stand_for_very_many_stay_as_they_are() -> None:
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    doubled = "".join(f"S_IS{digits[at]}_S{digits[at]}_E" for at in range(30))
    assert demangle("_Z1f1AIiiE" + doubled) == "_Z1f1AIiiE" + doubled
    assert len(_core.demangled("_Z1f1AIiiE" + doubled[:60], LONGEST)) > 1000
    # Each tuple holds the one before it twice.
    text = "NvC1a1bTuuE"
    for _ in range(40):
        last = text.rindex("T")
        back = f"B{_base62(last + 3)}"  # counts from behind _R, and from I
        text += f"T{back}{back}E"
    assert demangle("_RI" + text + "E") == "_RI" + text + "E"


def _base62(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    text, left = "", number - 1
    while left >= 0:
        text, left = digits[left % 62] + text, left // 62 or -1
    return f"{text}_"


@given(st.text(alphabet="RNCMXYIBTSAFDKLGEpsu0123456789_abzZ.$", max_size=60))
def test_no_name_fails(tail) -> None:
    for start in ("_R", "_RNvC1a1b", "_RINvC1a1b", "_ZN", "_ZN1a17h0123456789abcdef"):
        assert demangle(start + tail)
