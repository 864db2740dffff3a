"""A `perf` that writes what a test has made, for odd streams and odd perfs."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

#: Answers as perf does on its control channel; what it writes is in the files 0, 1, 2 ... beside it, one for
#: each time it is asked, the first as it begins. `counters` there: the machine has them; `deaf`: it does not
#: end by SIGINT; `why`: it says that and ends; `too many`: options with which there are too many files.
_SCRIPT = r"""
import os, signal, sys, time
here = os.path.dirname(os.path.abspath(__file__))
def there(name):
    return os.path.exists(os.path.join(here, name))
def content(name):
    try:
        with open(os.path.join(here, name), "rb") as file:
            return file.read()
    except OSError:
        return b""
if sys.argv[1] == "--version":
    print("perf version 0.0")
    sys.exit()
if sys.argv[1] == "stat":
    if there("forbidden"):
        sys.exit("Error:\nNo permission to enable task-clock:u event.")
    have = "1" if there("counters") else "<not supported>"
    for event, count in (("instructions:u", have), ("cycles:u", have), ("task-clock:u", "1.5")):
        print(f"{count},,{event},1,100.00,,", file=sys.stderr)
    sys.exit()
with open(os.path.join(here, "ran"), "w") as file:
    file.write(f"{os.getpid()}\n" + "\n".join(sys.argv[1:]))
if there("why"):
    sys.exit(content("why").decode())
if set(sys.argv) & set(content("too many").decode().split()):
    sys.exit("Error:\nHint: Try increasing the limit with 'ulimit -n <limit>'")
control, tells = map(int, next(word for word in sys.argv if word.startswith("--control"))[13:].split(","))
ended = []
# By the system, not by Python, which would look for a signal only after the read that this one may precede.
signal.signal(signal.SIGINT, signal.SIG_IGN if there("deaf") else signal.SIG_DFL)
asked = 0
while said := os.read(control, 64):
    for _ in said.splitlines():
        os.write(1, content(str(asked)))
        asked += 1
        os.write(tells, b"ack\n\0")
        if there(f"killed{asked}"):
            os.kill(os.getpid(), signal.SIGKILL)
        if there(f"end{asked}"):
            sys.exit(content(f"end{asked}").decode() or 0)
"""


def perf(folder: Path, *pieces: bytes) -> Path:
    """Make one that writes these pieces; the folder for PATH."""
    folder.mkdir(exist_ok=True)
    program = folder / "perf"
    (folder / "perf.py").write_text(_SCRIPT)
    words = shlex.join([sys.executable, "-S", "-E", str(folder / "perf.py")])
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    for number, piece in enumerate(pieces):
        (folder / str(number)).write_bytes(piece)
    return folder
