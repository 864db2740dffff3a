"""Names of code beside other tools': agreement with c++filt, and what share of generated code has a name.

    python benchmarks/names.py symbols [FILE ...]     programs and libraries; without them, those found here
    python benchmarks/names.py generated [--only node java]

`symbols` takes up to 60,000 mangled names of each file and says how many `c++filt --no-verbose` of binutils
writes otherwise: in all, of C++, and but for what follows a name of Rust behind a dot, which c++filt drops.
`generated` profiles small programs under runtimes that write a map for `perf`, of which those that are
installed run; it takes some minutes.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

import phasemark
from phasemark.symbols.demangle import demangle

_MOST = 60_000
_HERE = (
    *("/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/lib/x86_64-linux-gnu/libLLVM*.so*", "/usr/bin/node"),
    *("/usr/lib/libreoffice/program/lib*.so", "/usr/lib/chromium/chromium", "/usr/bin/cmake"),
    *("/root/.rustup/toolchains/*/lib/librustc_driver*.so", "/usr/lib/x86_64-linux-gnu/libicu*.so.*"),
)
_SUFFIX = re.compile(r"(?:\.\w+)+$")

_NODE = """
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
for (let i = 0; i < 20; i++) fib(18);
"""
_JAVA = """
public class Fib {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    public static void main(String[] words) { for (int i = 0; i < 50; i++) fib(20); }
}
"""
_RUNTIMES = {
    "node": ("a.js", _NODE, ["node", "--perf-basic-prof", "a.js"]),
    "java": (
        "Fib.java",
        _JAVA,
        ["java", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit", "-cp", ".", "Fib"],
    ),
}


def symbols(files: list[Path]) -> None:
    """Print how names of each file agree."""
    print(f"{'names':>7} {'C++':>7} {'differ':>7} {'in C++':>7} {'no dot':>7} {'us each':>8}  file")
    for path in files:
        names = _mangled(path)
        if not names:
            continue
        began = time.perf_counter()
        ours = [demangle(name) for name in names]
        each = (time.perf_counter() - began) / len(names) * 1e6
        theirs = _said(["c++filt", "--no-verbose"], "\n".join(names))
        rows = list(zip(names, ours, theirs, strict=True))
        differ = [row for row in rows if row[1] != row[2]]
        cplusplus = [row for row in differ if row[0].startswith("_Z")]
        whole = [row for row in differ if row[0].startswith("_Z") or _SUFFIX.sub("", row[1]) != row[2]]
        of = sum(name.startswith("_Z") for name in names)
        columns = (len(names), of, len(differ), len(cplusplus), len(whole))
        print(*(f"{column:7,}" for column in columns), f"{each:8.1f}  {path}")


def _mangled(path: Path) -> list[str]:
    listed = {line.split()[-1] for flag in ("-D", "-a") for line in _said(["nm", flag, str(path)])}
    names = sorted({name.split("@")[0] for name in listed if name.startswith(("_Z", "_R"))})
    random.Random(1).shuffle(names)
    return names[:_MOST]


def _said(command: list[str], text: str = "") -> list[str]:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, errors="replace")
    return done.stdout.splitlines()


def generated(only: list[str]) -> None:
    """Print which share of generated code is named, and the hottest of its functions."""
    for name in only:
        if shutil.which(name) is None or (name == "java" and shutil.which("javac") is None):
            print(f"{name}: not installed")
            continue
        source, text, command = _RUNTIMES[name]
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / source).write_text(text)
            if name == "java":
                subprocess.run(["javac", source], cwd=folder, check=True)
            run = phasemark.profile(command, out=Path(folder) / "out", interval="5M", cwd=folder)
            _show(name, run.profile)
            for image in run.recording.images:
                Path(f"/tmp/perf-{image.pid}.map").unlink(missing_ok=True)


def _show(name: str, profile: phasemark.model.Profile) -> None:
    blocks, counts = profile.block_table, profile.vectors.column_sums()
    is_generated = np.array([blocks.modules[m].startswith("[anonymous ") for m in blocks.module.tolist()])
    functions = blocks.function or ("",) * len(blocks)
    times: Counter[str] = Counter()
    for function, count, here in zip(functions, counts.tolist(), is_generated.tolist(), strict=True):
        if here:
            times[function] += count
    whole = max(sum(times.values()), 1)
    print(
        f"{name}: {whole / counts.sum():.1%} of {counts.sum():,} instructions in generated code, "
        f"{1 - times.pop('', 0) / whole:.1%} of them named: "
        + ", ".join(f"{function} {count / whole:.0%}" for function, count in times.most_common(3))
    )


def main() -> None:
    """Run the part that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("symbols").add_argument("files", nargs="*", type=Path)
    parts.add_parser("generated").add_argument(
        "--only", nargs="+", choices=list(_RUNTIMES), default=list(_RUNTIMES)
    )
    arguments = parser.parse_args()
    if arguments.part == "symbols":
        found = [path for pattern in _HERE for path in sorted(Path("/").glob(pattern[1:]))]
        symbols(arguments.files or list({path.resolve(): path for path in found}.values()))
    else:
        generated(arguments.only)


if __name__ == "__main__":
    main()
