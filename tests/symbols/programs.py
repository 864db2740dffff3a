"""Programs built for a test, and their code as a Blocks table."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile

from phasemark.model import Blocks

C_SOURCE = r"""
#include <stdio.h>
#include <string.h>

static int __attribute__((noinline)) hidden(int x) {
    int sum = 0;
    for (int i = 0; i < x; i++)
        sum += i * x;
    return sum;
}

int shown(const char *text) {
    return hidden((int)strlen(text)) + 1;
}

int main(int argc, char **argv) {
    (void)argc;
    return printf("%d\n", shown(argv[0])) == 0;
}
"""

CPP_SOURCE = r"""
#include <string>
#include <vector>
namespace phases {
template <typename T> struct Tree {
    std::vector<T> leaves;
    __attribute__((noinline)) T sum(const std::vector<T> &more) const;
};
template <typename T> T Tree<T>::sum(const std::vector<T> &more) const {
    T total{};
    for (const T &leaf : leaves) total += leaf;
    for (const T &leaf : more) total += leaf;
    return total;
}
}
int main(int argc, char **) {
    phases::Tree<long> tree{{1, 2, argc}};
    return static_cast<int>(tree.sum({4, 5}));
}
"""


@dataclass(frozen=True)
class Program:
    """A built program; where things lie in it is asked of binutils, which share no code with phasemark."""

    path: Path

    def symbols(self) -> dict[int, set[str]]:
        """Address -> names of the functions there, as nm says."""
        found: dict[int, set[str]] = {}
        for line in _said("nm", "--defined-only", str(self.path)).splitlines():
            address, kind, name = line.split(maxsplit=2)
            if kind in "TtWwi":
                found.setdefault(int(address, 16), set()).add(name.split("@")[0])
        return found

    def places(self, addresses: list[int]) -> list[tuple[str, int]]:
        """File name and line of each address, as addr2line says."""
        said = _said("addr2line", "-e", str(self.path), *map(hex, addresses)).splitlines()
        pairs = (line.split(" (")[0].rpartition(":") for line in said)
        return [("", 0) if n in "?0" else (Path(file).name, int(n)) for file, _, n in pairs]

    def addresses(self, section: str = ".text") -> np.ndarray:
        """The address of every fourth byte of a section."""
        header = self._section(section)
        return np.arange(header["sh_addr"], header["sh_addr"] + header["sh_size"], 4)

    def blocks(self, addresses: np.ndarray, section: str = ".text") -> Blocks:
        """One block at each address."""
        header = self._section(section)
        return blocks_at(self.path, addresses - header["sh_addr"] + header["sh_offset"])

    def _section(self, name: str):
        with self.path.open("rb") as file:
            return ELFFile(file).get_section_by_name(name).header


def build(folder: Path, source: str, *flags: str, name: str = "program") -> Program:
    """The program that GCC makes of `source`."""
    compiler = shutil.which("g++" if source is CPP_SOURCE else "gcc")
    if compiler is None:
        pytest.skip("needs a compiler")
    text = folder / f"{name}.{'cc' if source is CPP_SOURCE else 'c'}"
    text.write_text(source)
    subprocess.run([compiler, *flags, "-o", folder / name, text], check=True, cwd=folder)
    return Program(folder / name)


def blocks_at(path: Path | str, offsets: np.ndarray | list[int]) -> Blocks:
    """One block at each offset of one module."""
    one = np.ones(len(offsets), np.int64)
    return Blocks((str(path),), one * 0, offsets, one, one)


def _said(*command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
