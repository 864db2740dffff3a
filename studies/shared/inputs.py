"""Inputs of the study's programs, made from a seed: equal seeds give equal bytes."""

from __future__ import annotations

import bz2
import gzip
import random
from collections.abc import Callable
from pathlib import Path

WORDS = 4000


def mixed(rng: random.Random, size: int) -> bytes:
    """Stretches of text, log lines, numbers, noise, repetition and code: what archives hold."""
    kinds = [_text, _log, _numbers, _noise, _repetition, _code]
    out = bytearray()
    while len(out) < size:
        out += rng.choice(kinds)(rng, rng.randrange(size // 24, size // 8))
    return bytes(out[:size])


def lines(rng: random.Random, count: int) -> bytes:
    """Lines to sort: words, then numbers, then long lines that share a beginning."""
    words = _vocabulary(rng)
    thirds = count // 3
    out = [f"{rng.choice(words)} {rng.choice(words)}" for _ in range(thirds)]
    out += [str(rng.randrange(10**9)) for _ in range(thirds)]
    out += ["common prefix of a long line " * 2 + rng.choice(words) for _ in range(count - 2 * thirds)]
    return ("\n".join(out) + "\n").encode()


def sql(rng: random.Random, rows: int) -> bytes:
    """A database filled, indexed, joined, grouped, changed and searched."""
    words = _vocabulary(rng)
    script = ["CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price REAL, shop INTEGER);"]
    script += ["CREATE TABLE shop(id INTEGER PRIMARY KEY, town TEXT);", "BEGIN;"]
    script += [f"INSERT INTO shop VALUES({i},'{rng.choice(words)}');" for i in range(200)]
    script += [
        f"INSERT INTO item VALUES({i},'{rng.choice(words)}',{rng.random() * 100:.2f},{rng.randrange(200)});"
        for i in range(rows)
    ]
    script += ["COMMIT;", "CREATE INDEX by_name ON item(name);"]
    script += [
        "SELECT town, count(*), avg(price) FROM item JOIN shop ON shop = shop.id GROUP BY town ORDER BY 3;",
        "SELECT a.name, count(*) FROM item a JOIN item b ON a.name = b.name AND a.id < b.id GROUP BY 1;",
        "UPDATE item SET price = price * 1.1 WHERE shop % 3 = 0;",
        "SELECT count(*) FROM item WHERE name LIKE '%a%e%' OR price BETWEEN 20 AND 30;",
        "SELECT name, price FROM item ORDER BY price DESC, name;",
    ]
    return "\n".join(script).encode()


def c_source(rng: random.Random, functions: int) -> bytes:
    """A translation unit, already preprocessed: loops, switches, arithmetic, tables and structures."""
    shapes = [_c_loop, _c_switch, _c_arithmetic, _c_structure]
    body = [rng.choice(shapes)(rng, number) for number in range(functions)]
    calls = "".join(f"  sum += f{number}(sum, {number});\n" for number in range(functions))
    return ("\n".join(body) + f"\nint main(void) {{\n  int sum = 1;\n{calls}  return sum;\n}}\n").encode()


def write(folder: Path, seed: int, scale: float = 1.0) -> None:
    """Write every input, but those that are there.

    Args:
        folder: where.
        seed: of all inputs.
        scale: of their size; 1 makes runs of some hundred million instructions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    archive = mixed(random.Random(f"{seed} archive"), int(4_000_000 * scale))
    contents: dict[str, Callable[[], bytes]] = {
        "archive": lambda: archive,
        "sample": lambda: mixed(random.Random(f"{seed} sample"), int(1_000_000 * scale)),
        "archive.gz": lambda: gzip.compress(archive * 3, mtime=0),
        "archive.bz2": lambda: bz2.compress(archive),
        "lines": lambda: lines(random.Random(f"{seed} lines"), int(250_000 * scale)),
        "queries.sql": lambda: sql(random.Random(f"{seed} sql"), int(30_000 * scale)),
        "unit.i": lambda: c_source(random.Random(f"{seed} c"), int(40 * scale) + 1),
    }
    for name, make in contents.items():
        path = folder / name
        if not path.exists():
            partial = path.with_name(name + ".partial")
            partial.write_bytes(make())
            partial.rename(path)


def _vocabulary(rng: random.Random) -> list[str]:
    letters = "etaoinshrdlucmfwypvbgk"
    return ["".join(rng.choices(letters, k=rng.randrange(2, 10))) for _ in range(WORDS)]


def _text(rng: random.Random, size: int) -> bytes:
    words = _vocabulary(rng)
    ranks = [1 / (rank + 2) for rank in range(WORDS)]
    return " ".join(rng.choices(words, ranks, k=size // 6 + 1)).encode()[:size]


def _log(rng: random.Random, size: int) -> bytes:
    out = bytearray()
    while len(out) < size:
        out += b"2024-03-%02d %02d:%02d:%02d host-%d GET /page/%d 200 %d\n" % tuple(
            rng.randrange(1, limit) for limit in (29, 24, 60, 60, 9, 500, 90000)
        )
    return bytes(out[:size])


def _numbers(rng: random.Random, size: int) -> bytes:
    return ",".join(f"{rng.gauss(0, 100):.3f}" for _ in range(size // 7 + 1)).encode()[:size]


def _noise(rng: random.Random, size: int) -> bytes:
    return rng.randbytes(size)


def _repetition(rng: random.Random, size: int) -> bytes:
    unit = rng.randbytes(rng.randrange(1, 40))
    return (unit * (size // len(unit) + 1))[:size]


def _code(rng: random.Random, size: int) -> bytes:
    unit = c_source(rng, max(2, min(200, size // 400)))
    return (unit * (size // len(unit) + 1))[:size]


def _c_loop(rng: random.Random, number: int) -> str:
    steps = rng.randrange(3, 60)
    return (
        f"static int t{number}[{steps}];\nint f{number}(int a, int b) {{\n  int i, s = a;\n"
        f"  for (i = 0; i < {steps}; i++) {{\n"
        f"    t{number}[i] += a * i; if (t{number}[i] & b) s ^= t{number}[i];\n  }}\n"
        f"  return s;\n}}"
    )


def _c_switch(rng: random.Random, number: int) -> str:
    cases = "".join(
        f"  case {case}: a = a * {rng.randrange(2, 99)} + b; break;\n" for case in range(rng.randrange(4, 40))
    )
    return f"int f{number}(int a, int b) {{\n  switch (b % 50) {{\n{cases}  default: a--; }}\n  return a;\n}}"


def _c_arithmetic(rng: random.Random, number: int) -> str:
    steps = "".join(
        f"  x = x {rng.choice('+-*^')} {rng.randrange(1, 999)}; y = (y << {rng.randrange(1, 7)}) - x;\n"
        for _ in range(rng.randrange(5, 40))
    )
    return f"int f{number}(int a, int b) {{\n  unsigned x = a, y = b;\n{steps}  return (int)(x ^ y);\n}}"


def _c_structure(rng: random.Random, number: int) -> str:
    fields = "".join(f" int m{field};" for field in range(rng.randrange(2, 12)))
    return (
        f"struct s{number} {{{fields} struct s{number} *next; }};\n"
        f"static struct s{number} n{number}[4];\nint f{number}(int a, int b) {{\n"
        f"  struct s{number} *p = &n{number}[a & 3];\n  int s = b;\n"
        f"  while (p) {{ s += p->m0 - p->m1; p = p->next; }}\n  return s;\n}}"
    )
