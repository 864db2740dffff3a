"""The grammar of long strings: symbols a second, bytes a symbol of the grammar, and what must hold of it.

    python benchmarks/sequitur.py [--opponent PYTHON --pairs 3] [STRING.npy ...]

Without a STRING there are four: calls and returns of Python reading its own library (8 million symbols), loop
nests of random bounds (20 million), random letters (5 million), and one symbol (100 million). Promised are at
least 4 million symbols a second of CPU time on real traces, and at most 40 bytes at the peak for each symbol
of the grammar, the string itself not counted. Of each grammar it is checked that it expands to the string,
that no digram stands in it twice and that each rule is used twice; it stops if not.

PYTHON is that of an environment with scikit-sequitur: beside ours, in turns, on the first 300,000 symbols.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
import tokenize
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

#: Symbols that the opponent gets.
FEW = 300_000

OPPONENT = """
import sys, time
import numpy as np
from sksequitur import parse
string = np.load(sys.argv[1])[:int(sys.argv[2])].tolist()
began = time.process_time()
grammar = parse(string)
print(time.process_time() - began, sum(len(rule) for rule in grammar.values()))
"""


def calls(n: int) -> NDArray[np.int32]:
    """What Python calls and returns from while it parses and writes out its library."""
    trace = np.empty(n, np.int32)
    numbers: dict[tuple[object, str], int] = {}
    at = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal at
        if at == n:
            raise StopIteration
        place = argument if event.startswith("c_") else frame.f_code  # type: ignore[attr-defined]
        trace[at] = numbers.setdefault((place, event), len(numbers))
        at += 1

    sys.setprofile(note)
    try:
        while True:
            for path in sorted(Path(ast.__file__).parent.glob("*.py")):
                text = path.read_text()
                ast.unparse(ast.parse(text))
                list(tokenize.generate_tokens(io.StringIO(text).readline))
                json.dumps([re.findall(r"\w+", line) for line in text.splitlines()], indent=1)
    except StopIteration:
        return trace
    finally:
        sys.setprofile(None)


def nests(n: int) -> NDArray[np.int32]:
    """Phases of an outer, a middle and an inner loop with calls in between, of random bounds."""
    rng = np.random.default_rng(1)
    pieces: list[list[int]] = []
    size = 0
    while size < n:
        phase, piece = 100 * int(rng.integers(8)), []
        for _ in range(rng.integers(1, 50)):
            piece.append(phase)
            for _ in range(8 if rng.random() < 0.75 else rng.integers(3, 43)):
                callee = int(rng.integers(6))
                inner = 4 if rng.random() < 2 / 3 else int(rng.integers(16))
                piece += [phase + 1, phase + 10 + callee, *[phase + 20 + callee] * inner, phase + 30 + callee]
            piece.append(phase + 2)
        pieces.append(piece)
        size += len(piece)
    return np.concatenate([np.array(piece, np.int32) for piece in pieces])[:n]


def check(symbols: NDArray[np.int64], offsets: NDArray[np.int64]) -> None:
    """Digram uniqueness, overlaps aside, and rule utility."""
    of = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    at = np.flatnonzero(of[1:] == of[:-1])
    left, right = symbols[at], symbols[at + 1]
    order = np.lexsort((at, right, left))
    left, right, at = left[order], right[order], at[order]
    same = (left[1:] == left[:-1]) & (right[1:] == right[:-1])
    overlaps = (left[1:] == right[1:]) & (np.diff(at) == 1)
    if (same & ~overlaps).any() or (same[1:] & same[:-1]).any():
        sys.exit("a digram stands in the grammar twice")
    if (np.bincount(-symbols[symbols < 0], minlength=len(offsets) - 1)[1:] < 2).any():
        sys.exit("a rule is used once")


def peak_bytes() -> int:
    """The most memory that this process had so far; what getrusage says includes that of its parent."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(re.findall(r"^VmHWM:\s+(\d+)", status, re.MULTILINE)[0])


def child(path: str, n: int, exact: bool) -> None:
    """One grammar, in a process of its own."""
    from phasemark import _core
    from phasemark.intervals import Grammar

    string = np.ascontiguousarray(np.load(path)[:n])
    before = peak_bytes()
    began = time.process_time()
    symbols, offsets = _core.sequitur(string, 1)
    seconds = time.process_time() - began
    peak = peak_bytes() - before
    if exact:
        check(symbols, offsets)
        began = time.process_time()
        expanded = Grammar(symbols, offsets).expand()
        expanding = time.process_time() - began
        if not np.array_equal(expanded, string):
            sys.exit("the grammar expands to another string")
    print(seconds, len(symbols), len(offsets) - 1, peak, expanding if exact else 0)


def ours(path: Path, n: int, exact: bool = False) -> list[float]:
    """CPU seconds, symbols and rules of the grammar, bytes at the peak, seconds to expand it."""
    command = [sys.executable, __file__, "--child", str(path), str(n), str(int(exact))]
    return numbers_of(command)


def numbers_of(command: list[str]) -> list[float]:
    """The numbers that a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return [float(word) for word in done.stdout.split()]


def row(path: Path, n: int) -> str:
    """One string alone."""
    seconds, symbols, rules, peak, expanding = ours(path, n, exact=True)
    memory = f"{peak / symbols:8.1f}" if symbols > 100_000 else f"{peak / 2**20:4.1f} MiB"
    return (
        f"{path.stem:8} {n:12,} {seconds:7.2f} {n / seconds / 1e6:8.1f} {symbols:12,.0f} {rules:10,.0f} "
        f"{memory} {expanding:7.2f}"
    )


def against(path: Path, n: int, opponent: str, pairs: int) -> str:
    """One string beside the opponent's."""
    ratios, sizes = [], (0.0, 0.0)
    for _ in range(pairs):
        mine = ours(path, n)
        seconds, symbols = numbers_of([opponent, "-c", OPPONENT, str(path), str(n)])
        ratios.append(seconds / mine[0])
        sizes = (mine[1], symbols)
    spread = f"{min(ratios):.0f} to {max(ratios):.0f}"
    return (
        f"{path.stem:8} {statistics.median(ratios):6.0f} ({spread:>10}) {sizes[0]:12,.0f} {sizes[1]:12,.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("strings", nargs="*", metavar="STRING.npy", type=Path)
    parser.add_argument("--opponent", metavar="PYTHON", help="of an environment with scikit-sequitur")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        return child(arguments.child[0], int(arguments.child[1]), arguments.child[2] == "1")
    with tempfile.TemporaryDirectory() as folder:
        paths = arguments.strings or made(Path(folder))
        lengths = {path: len(np.load(path, mmap_mode="r")) for path in paths}
        print(
            f"{'string':8} {'symbols':>12} {'CPU s':>7} {'M/s, >=4':>8} {'of grammar':>12} {'rules':>10} ",
            end="",
        )
        print(f"{'B, <=40':>8} {'expand':>7}")
        for path in paths:
            print(row(path, lengths[path]), flush=True)
        if arguments.opponent:
            print(f"\n{'string':8} {'ratio of CPU time':>19} {'our symbols':>12} {'its symbols':>12}")
            for path in paths:
                few = min(FEW, lengths[path])
                print(against(path, few, arguments.opponent, arguments.pairs), flush=True)
    return None


def made(folder: Path) -> list[Path]:
    """The four strings, as files."""
    random = np.random.default_rng(1).integers(0, 1000, 5_000_000, np.int32)
    strings = {"calls": calls(8_000_000), "nests": nests(20_000_000), "random": random}
    strings["one"] = np.zeros(100_000_000, np.int32)
    for name, string in strings.items():
        np.save(folder / f"{name}.npy", string)
    return [folder / f"{name}.npy" for name in strings]


if __name__ == "__main__":
    main()
