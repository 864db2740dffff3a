"""Programs of a study, several at a time: one that fails is named, and the others go on."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from programs import PROGRAMS, Program

import phasemark


class Named(Protocol):
    """A program of a study."""

    @property
    def name(self) -> str: ...


def arguments_of(
    about: str | None,
    out: str,
    *,
    scale: float,
    seeds: int,
    programs: Sequence[Named] = PROGRAMS,
    more: Callable[[argparse.ArgumentParser], object] | None = None,
) -> argparse.Namespace:
    """The command line of a study: out, scale, seeds, jobs, only.

    Args:
        about: what the study says of itself.
        out, scale, seeds: what they are where they are not given.
        programs: among which `--only` chooses.
        more: adds the options that this study alone has.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawTextHelpFormatter)
    say = f"folder of inputs, runs, tables and figures [{out}]"
    parser.add_argument("-o", "--out", type=Path, default=Path(out), help=say)
    parser.add_argument("--scale", type=float, default=scale, help=f"of inputs and intervals [{scale:g}]")
    parser.add_argument("--seeds", type=int, default=seeds, help=f"of phases and what is chosen [{seeds}]")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time [2]")
    parser.add_argument("--only", nargs="*", choices=[p.name for p in programs], help="these programs")
    if more is not None:
        more(parser)
    return parser.parse_args()


def study_all(programs: Sequence[Named], jobs: int, study: Callable[..., None], *arguments: Any) -> list[str]:
    """Call `study(program, *arguments)` in a process a program; returns the names of those that went well."""
    done = []
    with ProcessPoolExecutor(jobs, initializer=_silence) as pool:
        running = {p.name: pool.submit(study, p, *arguments) for p in programs}
        for name, job in running.items():
            try:
                job.result()
                done.append(name)
                print(f"{name}: done", flush=True)
            except Exception as error:
                print(f"{name}: {error}", file=sys.stderr, flush=True)
    return done


def publish(
    out: Path,
    chosen: Sequence[Named],
    done: Sequence[str],
    *,
    answers: Callable[[str], Any],
    show: Callable[[dict[str, Any]], str],
    draw: Callable[[dict[str, Any]], None],
    name: str = "results.json",
) -> int:
    """Write the answers of all programs, tables and figures; the study's exit status.

    Args:
        out: where.
        chosen, done: the programs that were to be studied, and those that were.
        answers: of a program.
        show, draw: the answers of all as tables, and as figures in `out`.
        name: of the file that has all answers.
    """
    if not done:
        return 1
    results = {program: answers(program) for program in done}
    (out / name).write_text(json.dumps(results, indent=1) + "\n")
    (out / "tables.md").write_text(show(results))
    draw(results)
    print(f"wrote {out / 'tables.md'} and figures")
    return 0 if len(done) == len(chosen) else 1


def kept_in(folder: Path) -> Callable[[str], Any]:
    """What finds the answers of a program that `keep` wrote."""
    return lambda name: json.loads((folder / f"{name}.json").read_text())


@contextlib.contextmanager
def standard_input(program: Program, inputs: Path) -> Iterator[int | None]:
    """The open file that a program reads, by number; None where it reads none."""
    with (inputs / program.stdin).open("rb") if program.stdin else contextlib.nullcontext() as source:
        yield source.fileno() if source else None


def command_of(program: Program, inputs: Path) -> list[str]:
    """The command line of a program that is there.

    Raises:
        FileNotFoundError: it is not; says which package has it.
    """
    command = program.command(inputs)
    if shutil.which(command[0]) is None:
        raise FileNotFoundError(f"{command[0]} is missing: apt install {program.package}")
    return command


def record(program: Program, inputs: Path, folder: Path, interval: int) -> None:
    """Profile a program under the timing model, its loops, calls and returns too, unless that was done.

    Args:
        inputs: where they are.
        folder: of the run.
        interval: instructions.

    Raises:
        FileNotFoundError: there is no such program.
        RuntimeError: it failed.
    """
    if (folder / "metrics.csv").exists():
        return
    command = command_of(program, inputs)
    with standard_input(program, inputs) as stdin:
        run = phasemark.profile(
            command, out=folder, interval=interval, events=True, timing="modern", stdin=stdin
        )
    if run.recording is not None and run.recording.status:
        raise RuntimeError(f"{command[0]} ended with {run.recording.status}")


def keep(path: Path, answers: dict[str, Any]) -> None:
    """Write a program's results as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(answers))
    partial.rename(path)


def _silence() -> None:
    """What the programs of a worker print is of no interest, and not to be mixed with what the study says."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
