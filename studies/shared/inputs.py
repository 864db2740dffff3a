"""Inputs of the study's programs, made from a seed: equal seeds give equal bytes."""

from __future__ import annotations

import array
import bz2
import gzip
import json
import math
import random
import struct
import sys
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


def speech(rng: random.Random, words: int) -> bytes:
    """Sentences, numbers and lists to be read aloud."""
    known = _vocabulary(rng)
    out = []
    while words > 0:
        count = rng.randrange(3, 14)
        out.append(" ".join(rng.choice(known) for _ in range(count)).capitalize() + rng.choice(".?!,;"))
        if rng.random() < 0.2:
            out.append(f"{rng.randrange(10**6)}, {rng.random() * 100:.2f}.")
        words -= count
    return "\n".join(out).encode()


def sound(rng: random.Random, samples: int) -> bytes:
    """A WAV file, mono, 44.1 kHz, 16 bits: chords, sweeps, noise, plucked notes and silence in turn."""
    values = array.array("h")
    kinds = [_chord, _sweep, _hiss, _pluck, _silence]
    while len(values) < samples:
        length = rng.randrange(samples // 40 + 1, samples // 12 + 2)
        values.extend(rng.choice(kinds)(rng, length))
    del values[samples:]
    if sys.byteorder == "big":
        values.byteswap()
    data = values.tobytes()
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 44100, 88200, 2, 16)
    header = b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVE" + form
    return header + b"data" + struct.pack("<I", len(data)) + data


def table(rng: random.Random, rows: int) -> bytes:
    """Columns to plot: place, a wave with noise, a measure that few rows share."""
    return "".join(
        f"{x} {math.sin(x / 50) + rng.gauss(0, 0.2):.4f} {rng.expovariate(0.5):.4f}\n" for x in range(rows)
    ).encode()


def records(rng: random.Random, count: int) -> bytes:
    """JSON: objects with names, prices, shops, tags and parts within parts."""
    words = _vocabulary(rng)

    def part(depth: int) -> dict[str, object]:
        return {"size": rng.randrange(99), "of": [part(depth - 1) for _ in range(rng.randrange(depth + 1))]}

    items = [
        {
            "name": f"{rng.choice(words)} {rng.choice(words)}",
            "price": round(rng.random() * 100, 2),
            "shop": rng.randrange(40),
            "tags": rng.choices(words[:200], k=rng.randrange(6)),
            "parts": part(2),
        }
        for _ in range(count)
    ]
    return json.dumps(items).encode()


def pages(rng: random.Random, count: int) -> bytes:
    """PostScript: pages of text, curves, shading, recursion and an image."""
    words = _vocabulary(rng)
    kinds = [_ps_text, _ps_curves, _ps_shading, _ps_tree, _ps_image]
    body = [rng.choice(kinds)(rng, words) + "\nshowpage" for _ in range(count)]
    return ("%!PS-Adobe-3.0\n" + "\n".join(body) + "\n%%EOF\n").encode()


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
        "speech.txt": lambda: speech(random.Random(f"{seed} speech"), int(150 * scale) + 1),
        "sound.wav": lambda: sound(random.Random(f"{seed} sound"), int(2_400_000 * scale)),
        "short.wav": lambda: sound(random.Random(f"{seed} short"), int(700_000 * scale)),
        "table.dat": lambda: table(random.Random(f"{seed} table"), int(1_500 * scale) + 200),
        "records.json": lambda: records(random.Random(f"{seed} records"), int(1_500 * scale) + 10),
        "pages.ps": lambda: pages(random.Random(f"{seed} pages"), int(12 * scale) + 1),
        "few-lines": lambda: lines(random.Random(f"{seed} few"), int(30_000 * scale) + 3),
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


def _chord(rng: random.Random, length: int) -> list[int]:
    steps = [rng.uniform(0.01, 0.2) for _ in range(rng.randrange(1, 4))]
    size = 28_000 / len(steps)
    return [int(size * sum(math.sin(i * step) for step in steps)) for i in range(length)]


def _sweep(rng: random.Random, length: int) -> list[int]:
    slope = rng.uniform(0.05, 1.5) / length
    return [int(20_000 * math.sin(i * i * slope)) for i in range(length)]


def _hiss(rng: random.Random, length: int) -> list[int]:
    size = rng.choice([300, 3_000, 15_000])
    return [rng.randrange(-size, size) for _ in range(length)]


def _pluck(rng: random.Random, length: int) -> list[int]:
    string = [rng.randrange(-20_000, 20_000) for _ in range(rng.randrange(50, 400))]
    out = []
    for i in range(length):
        at = i % len(string)
        out.append(string[at])
        string[at] = (string[at] + string[at - 1]) // 2 if i % 20_000 else rng.randrange(-20_000, 20_000)
    return out


def _silence(rng: random.Random, length: int) -> list[int]:
    return [0] * (length // 2)


def _ps_text(rng: random.Random, words: list[str]) -> str:
    font = rng.choice(["Times-Roman", "Helvetica", "Courier"])
    out = [f"/{font} findfont {rng.randrange(7, 12)} scalefont setfont"]
    for y in range(760, 40, -12):
        out.append(f"40 {y} moveto ({' '.join(rng.choices(words, k=12))}) show")
    return "\n".join(out)


def _ps_curves(rng: random.Random, words: list[str]) -> str:
    def place() -> str:
        return f"{rng.randrange(600)} {rng.randrange(800)}"

    return "\n".join(
        f"{rng.random():.2f} setgray newpath {place()} moveto {place()} {place()} {place()} curveto "
        f"{rng.randrange(1, 9)} setlinewidth {rng.choice(['stroke', 'closepath fill'])}"
        for _ in range(rng.randrange(200, 500))
    )


def _ps_shading(rng: random.Random, words: list[str]) -> str:
    return (
        f"<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [300 400 {rng.randrange(1, 90)} 300 400 "
        f"{rng.randrange(200, 380)}] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 {rng.random():.2f}] "
        "/C1 [0 1 1] /N 2 >> /Extend [true true] >> shfill"
    )


def _ps_tree(rng: random.Random, words: list[str]) -> str:
    return (
        f"/branch {{ dup 0 gt {{ 0 0 moveto 0 60 lineto stroke gsave 0 60 translate .72 dup scale "
        f"gsave {rng.randrange(15, 40)} rotate dup 1 sub branch grestore "
        f"gsave -{rng.randrange(15, 40)} rotate dup 1 sub branch grestore grestore }} if pop }} def\n"
        f"gsave 300 80 translate {rng.randrange(8, 11)} branch grestore"
    )


def _ps_image(rng: random.Random, words: list[str]) -> str:
    data = rng.randbytes(48 * 48).hex()
    return (
        "gsave 60 200 translate 480 480 scale 48 48 8 [48 0 0 48 0 0] currentfile /ASCIIHexDecode filter "
        f"image\n{data}>\ngrestore"
    )
