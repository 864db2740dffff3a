"""The programs of the study: what they run on, and which Debian package has them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Program:
    """One run.

    Attributes:
        name: in tables and of its folder.
        package: Debian's.
        argv: the command; `{input}` is the folder of the inputs, `{here}` that of the study.
        stdin: an input to read from, or None.
        interval: instructions per interval at full size.
    """

    name: str
    package: str
    argv: tuple[str, ...]
    stdin: str | None = None
    interval: int = 1_000_000

    def command(self, inputs: Path) -> list[str]:
        """The command line, with the paths in it."""
        here = Path(__file__).parent
        return [
            part.replace("{input}", str(inputs)).replace("{here}", str(here)).replace("{cc1}", _cc1(part))
            for part in self.argv
        ]


def _cc1(part: str) -> str:
    """Where gcc keeps the compiler proper; asked only where it is named."""
    if "{cc1}" not in part:
        return ""
    asked = subprocess.run(["gcc", "-print-prog-name=cc1"], capture_output=True, text=True, check=True)
    return asked.stdout.strip()


PROGRAMS = (
    Program("gzip", "gzip", ("gzip", "-6", "-c", "{input}/archive")),
    Program("gunzip", "gzip", ("gzip", "-dc", "{input}/archive.gz")),
    Program("bzip2", "bzip2", ("bzip2", "-9", "-c", "{input}/sample"), interval=2_000_000),
    Program("bunzip2", "bzip2", ("bzip2", "-dc", "{input}/archive.bz2")),
    Program("xz", "xz-utils", ("xz", "-1", "-T1", "-c", "{input}/archive"), interval=2_000_000),
    Program("zstd", "zstd", ("zstd", "-9", "--single-thread", "--no-asyncio", "-q", "-c", "{input}/archive")),
    Program("sort", "coreutils", ("sort", "--parallel=1", "{input}/lines")),
    Program("sqlite3", "sqlite3", ("sqlite3", ":memory:"), stdin="queries.sql", interval=2_000_000),
    Program("perl", "perl", ("perl", "{here}/scripts/words.pl", "{input}/sample")),
    Program(
        "python3",
        "python3",
        ("/usr/bin/python3", "-I", "-S", "{here}/scripts/tables.py", "{input}/lines"),
        interval=2_000_000,
    ),
    Program(
        "cc1",
        "gcc",
        ("{cc1}", "-quiet", "-O2", "-fpreprocessed", "{input}/unit.i", "-o", "/dev/null"),
        interval=2_000_000,
    ),
)

#: Programs of other kinds than the above, looked at once everything was decided on those.
SECOND = (
    Program("bc", "bc", ("bc", "-lq", "{here}/scripts/series.bc"), interval=2_000_000),
    Program(
        "espeak-ng", "espeak-ng", ("espeak-ng", "--stdout", "-f", "{input}/speech.txt"), interval=2_000_000
    ),
    Program("flac", "flac", ("flac", "-8", "-c", "--totally-silent", "{input}/sound.wav")),
    Program("gawk", "gawk", ("gawk", "-f", "{here}/scripts/report.awk", "{input}/few-lines")),
    Program(
        "gnuplot",
        "gnuplot-nox",
        ("gnuplot", "-e", "FILE='{input}/table.dat'", "{here}/scripts/plots.gp"),
        interval=2_000_000,
    ),
    Program(
        "gs",
        "ghostscript",
        ("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=ppmraw", "-sOutputFile=/dev/null", "{input}/pages.ps"),
    ),
    Program("jq", "jq", ("jq", "-f", "{here}/scripts/filter.jq", "{input}/records.json"), interval=2_000_000),
    Program("lame", "lame", ("lame", "--quiet", "-b", "128", "{input}/short.wav", "-")),
    Program("lua5.4", "lua5.4", ("lua5.4", "{here}/scripts/mix.lua", "{input}/few-lines")),
    Program(
        "ruby",
        "ruby",
        ("ruby", "--disable=gems", "{here}/scripts/mix.rb", "{input}/few-lines"),
        interval=2_000_000,
    ),
    Program("tclsh", "tcl", ("tclsh", "{here}/scripts/mix.tcl", "{input}/few-lines"), interval=2_000_000),
)
