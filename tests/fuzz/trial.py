"""Trials in a process of their own, with a share of memory, watched for one that does not end.

The process writes the number of each trial before it begins; a trial is a sample, its number and a seed, so
that any one can be done again.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.fuzz.bends import bent
from tests.fuzz.files import Sample
from tests.fuzz.readers import READERS, fault

#: Bytes of address space beyond what the process has when it begins.
MEMORY = 1 << 30

#: Seconds of processor time that one reader may take for one file.
SECONDS = 10.0

#: Seconds without a sign of the process, after which it hangs: a machine may be busy.
SILENCE = 300.0


@dataclass(frozen=True)
class Trial:
    """A bend of a sample.

    Attributes:
        what: which sample.
        number: of the trial; sample and number are the seed.
    """

    what: str
    number: int


def content(trial: Trial, sample: Sample) -> tuple[bytes, list[str]]:
    """The bent file, and the readers that take it: those that recognise by content, and some others."""
    chance = Random(f"{trial.what} {trial.number}")
    made = bent(sample.content, chance)
    return made, ["check", "phasemark.read", *chance.sample(sorted(READERS), 4), *_own(trial.what)]


def _own(what: str) -> list[str]:
    return [name for name in READERS if name in what]


def failures(trials: Sequence[Trial], known: dict[str, Sample]) -> list[str]:
    """Do the trials in a process of their own; what went wrong, each with how to do it again."""
    with tempfile.TemporaryDirectory() as place:
        reading, writing = os.pipe()
        with warnings.catch_warnings():  # of threads, which the child does not need
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if not child:
            os.close(reading)
            status = 1
            try:
                faulthandler.disable()
                _limit()
                _work(trials, known, Path(place), writing)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(writing)
        return _watched(child, reading, trials)


def _limit() -> None:
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _work(trials: Sequence[Trial], known: dict[str, Sample], place: Path, writing: int) -> None:
    for number, trial in enumerate(trials):
        sample = known[trial.what]
        made, names = content(trial, sample)
        path = place / sample.name
        path.write_bytes(made)
        for name in names:
            os.write(writing, f"at {number} {name}\n".encode())
            begun = time.process_time()
            error = fault(READERS[name], path)
            taken = time.process_time() - begun
            if error is not None:
                last = traceback.extract_tb(error.__traceback__)[-1:]
                where = f"{Path(last[0].filename).name}:{last[0].lineno}" if last else "?"
                text = f"{type(error).__name__} at {where}: {str(error)[:200]!r}"
                os.write(writing, f"wrong {text}\n".encode("utf-8", "backslashreplace"))
            elif taken > SECONDS:
                os.write(writing, f"wrong took {taken:.1f} s\n".encode())


def _watched(child: int, reading: int, trials: Sequence[Trial]) -> list[str]:
    import select

    found: list[str] = []
    at, rest = "nothing yet", b""
    while True:
        if not select.select([reading], [], [], SILENCE)[0]:
            os.kill(child, 9)
            found.append(f"{at}: hangs")
            break
        piece = os.read(reading, 1 << 16)
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            kind, _, text = line.decode("utf-8", "replace").partition(" ")
            if kind == "at":
                number, _, name = text.partition(" ")
                trial = trials[int(number)]
                at = f"python -m tests.fuzz --again {trial.what!r} {trial.number} --reader {name!r}"
            else:
                found.append(f"{at}: {text}")
        if not piece:
            break
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status and not (found and found[-1].endswith("hangs")):
        found.append(f"{at}: the process ended with {status}")
    return found


def show(trial: Trial, sample: Sample, reader: str) -> None:
    """Do one trial here, with a traceback."""
    made, _ = content(trial, sample)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / sample.name
        path.write_bytes(made)
        print(f"{len(made)} bytes: {made[:3000]!r}")
        error = fault(READERS[reader], path)
        if error is not None:
            traceback.print_exception(error, file=sys.stdout)
