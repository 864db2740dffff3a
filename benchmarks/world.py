"""Unlike real programs, alone and under `phasemark profile`: do they do the same, and what does it cost?

    python benchmarks/world.py [--only NAME ...] [--keep FOLDER]

Interpreters and virtual machines, compiled programs linked statically, servers with a short load and SIGTERM,
a forking database, builds, pipelines, daemons, dropped rights. Each runs once alone and once under the
collector, in a folder of its own; exit status, standard output and error, and the files it leaves are
compared. The table has CPU seconds alone, how many times as many the collector takes, start-up and conversion
included, peak memory of the largest process under it in MiB, and what differs. Programs that this machine
lacks are named and left out. The exit status is 1 if
something differs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

WORLD = Path(__file__).parents[1] / "tests" / "collector" / "programs" / "world.c"

C_PROGRAM = (
    '#include <stdio.h>\n#ifndef NAME\n#define NAME "a"\n#endif\nint main(void) { puts(NAME); return 0; }\n'
)
GO_PROGRAM = "package main\nfunc main() { c := make(chan int); go func() { c <- 42 }(); println(<-c) }\n"
JAVA_PROGRAM = 'class Hello { public static void main(String[] a) { System.out.println("hello"); } }\n'
RUST_PROGRAM = (
    "fn main() { let v: Vec<u64> = (0..99999).map(|x| x * x % 97).collect(); "
    'println!("{}", v.iter().sum::<u64>()); }\n'
)
SERVER = (
    "import http.server, signal, sys, threading\n"
    "s = http.server.HTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\n"
    "s.RequestHandlerClass.log_message = lambda *a: None\n"
    "signal.signal(signal.SIGTERM, lambda *a: threading.Thread(target=s.shutdown).start())\n"
    "open('port', 'w').write(str(s.server_port)); s.serve_forever(); print('ended well')\n"
)
ASK = (
    "import time, urllib.request, pathlib\n"
    "p = pathlib.Path('port')\n"
    "while not p.exists() or not p.read_text(): time.sleep(0.1)\n"
    "for i in range(20): body = urllib.request.urlopen(f'http://127.0.0.1:{p.read_text()}/text').read()\n"
    "print(len(body))\n"
)
FORKING = (
    "import os, sqlite3\n"
    "for i in range(4):\n"
    "    if not os.fork():\n"
    "        d = sqlite3.connect('base', timeout=999); d.execute('create table if not exists t(a)')\n"
    "        d.executemany('insert into t values (?)', [(i,)] * 500); d.commit(); os._exit(i)\n"
    "print(sorted(os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(4)))\n"
    "print(sqlite3.connect('base').execute('select count(*), sum(a) from t').fetchone())\n"
)
DAEMON = (
    "import os, time\n"
    "if os.fork(): os._exit(0)\n"
    "os.setsid(); open('alive', 'w').write('x'); os.execvp('sh', ['sh', '-c', 'sleep 1; echo late >late'])\n"
)
MAKEFILE = "all: a.o b.o c.o\n\tcc -o all a.o b.o c.o\n%.o: %.c\n\tcc -O1 -c -o $@ $<\n"


@dataclass(frozen=True)
class Case:
    """One program.

    Attributes:
        script: run by sh in a folder with the files of `prepare`.
        needs: programs that must be there.
        root: only root can do it.
    """

    script: str
    needs: tuple[str, ...] = ()
    root: bool = False


CASES = {
    "sh": Case("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i; exit 7"),
    "bash coprocess": Case(
        "bash -c 'coproc cat; echo hi >&${COPROC[1]}; read x <&${COPROC[0]}; echo $x'", ("bash",)
    ),
    "python3": Case("python3 -c 'print(sum(i * i % 7 for i in range(300000)))'", ("python3",)),
    "python3 threads": Case(
        "python3 -c 'import threading as t; "
        "a = [t.Thread(target=sum, args=(range(9999),)) for _ in range(9)]; "
        "[x.start() for x in a]; [x.join() for x in a]; print(len(a))'",
        ("python3",),
    ),
    "python3 multiprocessing": Case(
        "python3 -c 'import multiprocessing as m; print(m.Pool(3).map(abs, range(-9, 9)))'", ("python3",)
    ),
    "perl": Case("perl -e 'for (1..300000) { $h{$_ % 97} += $_ } print $h{5}, \"\\n\"; exit 3'", ("perl",)),
    "tclsh": Case("echo 'for {set i 0} {$i<90000} {incr i} {}; puts $i' | tclsh", ("tclsh",)),
    "node": Case("node -e 'let s = 0; for (let i = 0; i < 3e6; i++) s += i % 7; console.log(s)'", ("node",)),
    "java": Case("java -Xshare:auto -XX:+UseSerialGC Hello.java", ("java", "javac")),
    "go, static": Case("go build -o g g.go && ./g", ("go",)),
    "rust": Case("rustc -O r.rs && ./r", ("rustc",)),
    "static C": Case("cc -static -DNAME='\"static\"' -o s a.c && ./s", ("cc",)),
    "cc": Case("cc -O2 -DNAME='\"built\"' a.c -o a && ./a", ("cc",)),
    "make -j": Case("make -s -j3 CFLAGS= 2>&1 | grep -c . ; ls *.o | wc -l", ("make", "cc")),
    "git": Case(
        "git init -q r; cd r; cp ../text .; git add .; "
        "git -c user.name=a -c user.email=a commit -qm x; git ls-files",
        ("git",),
    ),
    "gzip": Case("gzip -9nc text | cksum", ("gzip",)),
    "xz -T2": Case("xz -T2 -c text | cksum", ("xz",)),
    "zstd": Case("zstd -qc text | cksum", ("zstd",)),
    "pipeline": Case("cat text | tr a-z A-Z | sort | uniq -c | sort -rn | head -3; seq 1000000 | head -1"),
    "tar": Case("tar cf - text | tar tf -; find . -name text | xargs wc -l", ("tar",)),
    "awk": Case("awk '{n[$1]++} END {print length(n)}' text", ("awk",)),
    "openssl": Case(
        "openssl dgst -sha256 text; openssl enc -aes-128-cbc -k a -nosalt -pbkdf2 -in text | cksum",
        ("openssl",),
    ),
    "bc": Case("echo 'scale=300; 4*a(1)' | bc -l | cksum", ("bc",)),
    "sqlite3": Case(
        "sqlite3 base 'create table t(a); with recursive c(x) as (select 1 union all select x+1 from c where "
        "x<30000) insert into t select x*7919%1000 from c; select sum(a) from t;'",
        ("sqlite3",),
    ),
    "forking database": Case("python3 forking.py", ("python3",)),
    "server and SIGTERM": Case(
        "python3 server.py & s=$!; python3 ask.py; kill $s; wait $s; echo $?", ("python3",)
    ),
    "daemon": Case("python3 daemon.py; while [ ! -e late ]; do sleep 0.2; done; cat late", ("python3",)),
    "dropped rights": Case(
        "setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'id -u; (id -g; echo x) | cat'",
        ("setpriv",),
        root=True,
    ),
    "setuid child": Case("cp $(command -v id) own; chmod 4755 own; ./own -u", (), root=True),
    "signals": Case(
        "trap 'echo got' TERM; kill -TERM $$; sh -c 'kill -9 $$'; echo $?; sh -c 'kill -SEGV $$'; echo $?"
    ),
    "gpg": Case("gpg --homedir . --batch -q --print-md sha1 text", ("gpg",)),
    "closed files": Case(
        "sh -c 'echo x' >&-; echo $?; sh -c 'read a' <&-; echo $?; { echo X >&3; } 2>/dev/null || echo shut"
    ),
    "execs": Case("exec sh -c 'exec sh -c \"exec ls /proc/self/fd | wc -l\"'"),
    "its world": Case("cc -o world world.c && ./world plain | grep -v '^signal 64'", ("cc",)),
}


def prepare(folder: Path) -> None:
    """What the programs read."""
    (folder / "text").write_text("".join(f"{i * 7919 % 10007} line {i} of a text\n" for i in range(20_000)))
    for name, text in {
        "server.py": SERVER,
        "ask.py": ASK,
        "forking.py": FORKING,
        "daemon.py": DAEMON,
        "Makefile": MAKEFILE,
        "g.go": GO_PROGRAM,
        "r.rs": RUST_PROGRAM,
        "a.c": C_PROGRAM,
        "b.c": "int b;\n",
        "c.c": "int c;\n",
        "Hello.java": JAVA_PROGRAM,
        "world.c": WORLD.read_text(),
    }.items():
        (folder / name).write_text(text)


@dataclass(frozen=True)
class Outcome:
    """How a run ended, what it said, and what it cost."""

    status: int
    said: str
    seconds: float
    megabytes: float


def outcome(before: Sequence[str], script: str, place: Path) -> Outcome:
    """Run a script in `place`, which is made anew: both ways have the same path."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    place.chmod(0o777)
    prepare(place)
    # The outer shell gives the program its own standard error: ours is for phasemark.
    words = [*before, "sh", "-c", f"exec 2>>../said; {script}"]
    with (place.parent / "said").open("w+") as said:
        process = subprocess.Popen(
            words, cwd=place, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    return Outcome(process.returncode, text, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=list(CASES), metavar="NAME")
    parser.add_argument("--keep", type=Path, help="where the runs' folders and what differs stay")
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="world-"))
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    wrong, missing = [], []
    print("| | alone, s | under it | MiB | differs |\n|---|---|---|---|---|", flush=True)
    for number, (name, case) in enumerate(CASES.items()):
        if options.only and name not in options.only:
            continue
        if any(shutil.which(program) is None for program in case.needs) or (case.root and os.geteuid() != 0):
            missing.append(name)
            continue
        run = str(folder / f"run{number}")
        profile = [sys.executable, "-m", "phasemark", "profile", "-q", "-o", run, "--"]
        alone = outcome([], case.script, folder / "place")
        under = outcome(profile, case.script, folder / "place")
        differs = [
            what
            for what, same in (
                ("status", (alone.status if alone.status >= 0 else 128 - alone.status) == under.status),
                ("output", alone.said == under.said),
            )
            if not same
        ]
        if differs:
            wrong.append(name)
            (folder / f"differs{number}").write_text(
                f"{alone.status}\n{alone.said}\n---\n{under.status}\n{under.said}"
            )
        factor = f"{under.seconds / max(alone.seconds, 0.001):.0f}"
        told = ", ".join(differs)
        print(f"| {name} | {alone.seconds:.2f} | {factor} | {under.megabytes:.0f} | {told} |", flush=True)
    if missing:
        print(f"left out, for they are not on this machine: {', '.join(missing)}")
    if not options.keep:
        shutil.rmtree(folder)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
