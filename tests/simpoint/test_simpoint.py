"""phasemark simpoint: the flags and files of SimPoint 3.2."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.waiting import LONG, cpu_seconds, until

from phasemark.errors import DataError, UsageError, WorkError
from phasemark.formats.vectors import simpoint_tables
from phasemark.formats.vectors.simpoint_tables import Table
from phasemark.simpoint import command, full, light
from phasemark.simpoint.parsing import parse

DATA = Path(__file__).parents[1] / "data"
BASE = DATA / "edge-cases" / "base.bb"


def simpoint(*arguments: object) -> None:
    command.run_command([str(argument) for argument in arguments])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines()]


def test_a_usual_command_line_writes_the_usual_files(here: Path, capsys) -> None:
    simpoint(
        *(
            "-loadFVFile",
            BASE,
            "-maxK",
            30,
            "-numInitSeeds",
            3,
            "-iters",
            "off",
            "-seedkm",
            5,
            "-seedproj",
            -7,
        ),
        *("-saveSimpoints", "s", "-saveSimpointWeights", "w", "-saveLabels", "l", "-coveragePct", 0.6),
    )
    assert lines(here / "s") == [["1", "0"], ["3", "1"], ["6", "2"]]
    assert lines(here / "w") == [["0.375", "0"], ["0.375", "1"], ["0.25", "2"]]
    assert [label for label, _ in lines(here / "l")] == list("00011122")
    assert lines(here / "s.lpt0.6") == [["1", "0"], ["3", "1"]]
    assert lines(here / "w.lpt0.6") == [["0.5", "0"], ["0.5", "1"]]
    assert "best clustering for the BIC threshold 0.9: k = 3" in capsys.readouterr().out


def test_fixed_length_off_weighs_by_length(here: Path) -> None:
    simpoint("-loadFVFile", BASE, "-k", 3, "-fixedLength", "off", "-saveSimpointWeights", "w")
    assert [weight for weight, _ in lines(here / "w")] == ["0.239479", "0.243487", "0.517034"]


def test_gzip_is_told_by_content_whatever_the_flag_says(here: Path) -> None:
    (here / "z").write_bytes(gzip.compress(BASE.read_bytes()))
    for vectors, options in (("z", ()), ("z", ("-inputVectorsGzipped",)), (BASE, ("-inputVectorsGzipped",))):
        simpoint("-loadFVFile", vectors, "-k", 3, *options, "-saveLabels", "l")
        assert len(lines(here / "l")) == 8


def test_save_all_names_files_by_run_and_k(here: Path) -> None:
    simpoint("-loadFVFile", BASE, "-k", "1:2,4", "-saveAll", "-saveSimpoints", "s", "-coveragePct", "0.50")
    assert sorted(path.name for path in here.iterdir()) == [
        *("s.lpt0.5.run_1_k_1", "s.lpt0.5.run_2_k_2", "s.lpt0.5.run_3_k_4"),
        *("s.run_1_k_1", "s.run_2_k_2", "s.run_3_k_4"),
    ]
    assert len(lines(here / "s.run_3_k_4")) == 4


@pytest.mark.parametrize("form", ["Txt", "Bin"])
def test_projected_vectors_go_out_and_come_in(here: Path, form) -> None:
    simpoint(
        "-loadFVFile", BASE, "-k", 3, "-fixedLength", "off", f"-saveVectors{form}Fmt", "v", "-saveLabels", "a"
    )
    simpoint(f"-loadVectors{form}Fmt", "v", "-k", 3, "-fixedLength", "off", "-saveLabels", "b")
    assert (here / "a").read_bytes() == (here / "b").read_bytes()


@pytest.mark.parametrize("form", ["Txt", "Bin"])
def test_a_projection_matrix_goes_out_and_comes_in(here: Path, form) -> None:
    simpoint("-loadFVFile", BASE, "-k", 3, f"-saveProjMatrix{form}Fmt", "p", "-saveVectorsTxtFmt", "a")
    simpoint("-loadFVFile", BASE, "-k", 3, f"-loadProjMatrix{form}Fmt", "p", "-saveVectorsTxtFmt", "b")
    one, other = (simpoint_tables.read_text_table(here / name) for name in "ab")
    assert np.allclose(one.values, other.values, atol=1e-14)


def test_starts_can_be_given_as_centres_or_labels(here: Path) -> None:
    simpoint("-loadFVFile", BASE, "-k", 3, "-saveFinalCtrs", "c", "-saveInitCtrs", "i", "-saveLabels", "l")
    assert len(simpoint_tables.read_text_table(here / "i").values) == 3
    simpoint("-loadFVFile", BASE, "-loadInitCtrs", "c", "-saveLabels", "a")
    (here / "names").write_text("x x x y y y z z\n")
    simpoint("-loadFVFile", BASE, "-loadInitLabels", "names", "-saveLabels", "b")
    assert lines(here / "l") == lines(here / "a") == lines(here / "b")


def test_weights_can_be_given(here: Path) -> None:
    (here / "weights").write_text("1 1 1 1 1 1 1 3\n")
    simpoint(
        *("-loadFVFile", BASE, "-k", 3, "-loadVectorWeights", "weights"),
        *("-saveSimpointWeights", "w", "-saveVectorWeights", "vw"),
    )
    assert [weight for weight, _ in lines(here / "w")] == ["0.3", "0.3", "0.4"]
    assert (here / "vw").read_text().split()[-1] == "0.3"
    (here / "weights").write_text("1 1\n")
    with pytest.raises(DataError, match="2 weights for 8 vectors"):
        simpoint("-loadFVFile", BASE, "-k", 3, "-loadVectorWeights", "weights")


def test_without_projection_and_with_sizes(here: Path) -> None:
    simpoint("-loadFVFile", BASE, "-dim", "noProject", "-k", 3, "-numFVs", 8, "-FVDim", 8, "-saveLabels", "l")
    assert [label for label, _ in lines(here / "l")] == list("00011122")
    with pytest.raises(UsageError, match="8 vectors of 8 dimensions, not -numFVs 9"):
        simpoint("-loadFVFile", BASE, "-k", 3, "-numFVs", 9, "-FVDim", 8)


def test_a_sample_labels_every_vector(here: Path) -> None:
    simpoint("-loadFVFile", BASE, "-k", 2, "-sampleSize", 5, "-seedsample", 3, "-saveLabels", "l")
    assert len(lines(here / "l")) == 8


@pytest.mark.parametrize(
    ("name", "k", "intervals"),
    [
        *(("base", 3, 8), ("blank", 3, 8), ("comment", 3, 8), ("crlf", 3, 8), ("nonl", 3, 8)),
        *(("emptyT", 3, 9), ("gap", 4, 9), ("id0", 4, 9), ("one", 1, 1), ("same", 1, 10)),
    ],
)
def test_bent_files_lose_no_interval(here: Path, name, k, intervals) -> None:
    path = DATA / "edge-cases" / f"{name}.bb"
    simpoint("-loadFVFile", path, "-maxK", 5, "-k", "search", "-saveLabels", "l", "-saveSimpoints", "s")
    assert len(lines(here / "l")) == intervals
    assert len(lines(here / "s")) == k


def test_the_vectors_of_a_gem5_course(here: Path) -> None:
    vectors = DATA / "gem5-bootcamp" / "simpoint.bb.gz"
    simpoint(
        "-loadFVFile",
        vectors,
        "-inputVectorsGzipped",
        "-k",
        5,
        "-saveLabels",
        "l",
        "-saveSimpointWeights",
        "w",
    )
    assert [weight for weight, _ in lines(here / "w")] == ["0.111111", "0.222222", "0.666667"]


@pytest.mark.parametrize(
    ("text", "ks"),
    [
        *(("search", None), ("4", [4]), ("2:4", [2, 3, 4]), ("4:2", [4, 3, 2])),
        *(("1:3:9,2", [1, 4, 7, 2]), ("9:-3:1", [9, 6, 3]), ("9:3:1", [9, 6, 3])),
    ],
)
def test_ranges_of_k(text, ks) -> None:
    more = ["-maxK", "9"] if ks is None else []
    assert parse(["-loadFVFile", "f", "-k", text, *more]).k == ks


FV = "-loadFVFile f"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "no input is given"),
        (f"{FV} -loadVectorsTxtFmt g -k 3", "-loadFVFile and -loadVectorsTxtFmt are given"),
        (f"{FV} -k 3 -saveLables l", "unknown flag -saveLables\n  hint: did you mean -saveLabels"),
        (f"{FV} --k 3", "unknown flag --k\n  hint: did you mean -k"),
        (f"{FV} -k 3 extra", "'extra' belongs to no flag"),
        (f"{FV} -k 3 -maxK", "-maxK needs a value"),
        (f"{FV} -k 3 -maxK 5", "-maxK has no effect beside -k"),
        (FV, "a search over k needs its upper end"),
        (f"{FV} -k 0", "-k 0 makes no sense"),
        (f"{FV} -k 1:0:5", "-k 1:0:5 makes no sense"),
        (f"{FV} -k 1:2:3:4", "-k 1:2:3:4 makes no sense"),
        (f"{FV} -k x", "-k x makes no sense"),
        (f"{FV} -k 3 -dim 0", "-dim 0 makes no sense"),
        (f"{FV} -k 3 -dim 99999999999", "-dim 99999999999 makes no sense"),
        (f"{FV} -k 3 -iters 99999999999", "-iters 99999999999 makes no sense"),
        (f"{FV} -k 3 -numInitSeeds 99999999999", "-numInitSeeds 99999999999 makes no sense"),
        (f"{FV} -k 1:99999999999", "-k 1:99999999999 makes no sense"),
        (f"{FV} -k 3 -coveragePct 1.5 -saveSimpoints s", "-coveragePct 1.5 makes no sense"),
        (f"{FV} -k 3 -coveragePct 0.9", "-coveragePct has no effect"),
        (f"{FV} -k 3 -fixedLength yes", "-fixedLength yes makes no sense"),
        (f"{FV} -k 3 -initkm best", "-initkm best makes no sense"),
        (f"{FV} -k 3 -numFVs 4", "-numFVs and -FVDim go together"),
        (f"{FV} -k 3 -seedsample 4", "-seedsample has no effect"),
        (f"{FV} -k 3 -sampleSize 0", "-sampleSize 0 makes no sense"),
        (f"{FV} -k 3 -loadInitCtrs c", "-loadInitCtrs and -k exclude"),
        (f"{FV} -loadInitCtrs c -loadInitLabels l", "-loadInitCtrs and -loadInitLabels exclude"),
        (f"{FV} -k 3 -fixedLength on -loadVectorWeights w", "-fixedLength on and -loadVectorWeights"),
        (f"{FV} -k 3 -dim noProject -seedproj 4", "-dim noProject needs no projection matrix"),
        ("-loadVectorsTxtFmt f -k 3", "add -fixedLength off"),
        ("-loadVectorsTxtFmt f -k 3 -fixedLength on -dim 4", "-loadVectorsTxtFmt and -dim exclude"),
    ],
)
def test_command_lines_that_make_no_sense_say_so(line, said) -> None:
    with pytest.raises(UsageError) as caught:
        parse(line.split())
    assert said in str(caught.value)


def test_the_command_exits_2_on_an_unknown_flag_and_loads_nothing_heavy(here: Path) -> None:
    program = (
        "import sys; from phasemark.cli import main; sys.argv[0] = 'phasemark'\n"
        "try: main()\n"
        "finally: print('heavy:', {'numpy', 'pandas', 'scipy', 'h5py', 'rich'} & set(sys.modules))"
    )

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-c", program, "simpoint", *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, check=False, timeout=LONG)

    done = run("-loadFVFile", BASE, "-k", 3, "-saveLabels", "l")
    assert done.returncode == 0 and "heavy: set()" in done.stdout, done.stderr
    wrong = run("-loadFVFile", BASE, "-kk", 3)
    assert wrong.returncode == 2 and "unknown flag -kk" in wrong.stderr
    missing = run("-loadFVFile", "nowhere", "-k", 3)
    assert missing.returncode == 3 and "nowhere" in missing.stderr


@pytest.mark.parametrize(
    "text",
    ["", "x", "2:w\n1 2: 1 2\n", "1:w\n2: 1 2\n", "1:w\n1 3: 1 2\n", "2:\n2: 1 2\n1: 1\n", "1:w\n1 1: x\n"],
)
def test_a_bent_table_is_refused(here: Path, text) -> None:
    (here / "t").write_text(text)
    with pytest.raises(DataError, match="t"):
        simpoint_tables.read_text_table(here / "t")
    (here / "b").write_bytes(text.encode().ljust(30, b"\x07"))
    with pytest.raises(DataError, match="b"):
        simpoint_tables.read_binary_table(here / "b")


def test_tables_give_the_same_doubles_back(here: Path) -> None:
    values = np.random.default_rng(0).normal(size=(5, 3)) * 10.0 ** np.arange(-9, 6).reshape(5, 3)
    table = Table(values, np.array([0.1, 0.2, 0.3, 0.4, 0.0]))
    simpoint_tables.write_text_table(here / "t", table)
    simpoint_tables.write_binary_table(here / "b", table)
    for again in (simpoint_tables.read_text_table(here / "t"), simpoint_tables.read_binary_table(here / "b")):
        assert again.values.tolist() == values.tolist()
        assert again.weights.tolist() == table.weights.tolist()
    (here / "plain").write_text("2:\n1: 5\n1: 6\n")
    assert simpoint_tables.read_text_table(here / "plain").weights.tolist() == [0.5, 0.5]


def test_a_table_of_one_row_is_one_and_bytes_that_are_no_text_are_refused(here: Path) -> None:
    (here / "one").write_text("1:w\n0.5 2: 3 4\n")
    assert simpoint_tables.read_text_table(here / "one").values.tolist() == [[3, 4]]
    (here / "bad").write_bytes(b"1:w\n0.5 2: 3 \xff\n")
    with pytest.raises(DataError, match="bad:2: the line does not read `weight dims: value"):
        simpoint_tables.read_text_table(here / "bad")
    with pytest.raises(DataError, match="holds something else than numbers"):
        simpoint_tables.read_numbers(here / "bad")
    (here / "unlike").write_text("2:w\n0.5 2: 3 4\n0.5 1: 3\n")
    with pytest.raises(DataError, match="rows of unlike length"):
        simpoint_tables.read_text_table(here / "unlike")


def vectors_of(path: Path, seed: int) -> Path:
    """A program of a few phases, with an interval in which nothing ran."""
    random = np.random.default_rng(seed)
    phases = random.integers(0, 2000, (5, 30))
    rows = [phases[i // 40 % 5] * random.uniform(0.8, 1.2, 30) for i in range(500)]
    lines = ["T" + " ".join(f":{b}:{int(n) + 1}" for b, n in enumerate(row, 1)) for row in rows]
    path.write_text("\n".join([*lines[:60], "T", *lines[60:]]) + "\n")
    return path


@pytest.mark.parametrize("name", ["base", "blank", "emptyT", "gap", "id0", "one", "same", "made"])
@pytest.mark.parametrize(
    "more",
    ["-maxK 12", "-k 1:9", "-k 7,3,40 -numInitSeeds 2 -seedkm 5 -iters off", "-maxK 5 -dim 3 -seedproj 1"],
)
def test_usual_flags_give_what_any_flags_give(here: Path, capfd, name, more) -> None:
    source = vectors_of(here / "made.bb", 1) if name == "made" else DATA / "edge-cases" / f"{name}.bb"
    files = ["-saveSimpoints", "s", "-saveSimpointWeights", "w", "-saveLabels", "l"]
    parsed = parse(["-loadFVFile", str(source), *more.split(), *files])
    assert light.suits(parsed)
    said = []
    for folder, run in (("usual", light.run), ("any", full.run)):
        (here / folder).mkdir()
        os.chdir(here / folder)
        run(parsed)
        written = capfd.readouterr()
        said.append((sorted(written.out.splitlines()), written.err))
    assert said[0] == said[1]
    for file in ("s", "w", "l"):
        assert (here / "usual" / file).read_bytes() == (here / "any" / file).read_bytes()


def test_without_standard_input_it_says_so(here: Path) -> None:
    script = "import sys; sys.stdin = None; from phasemark.cli import main; main()"
    arguments = [sys.executable, "-c", script, "simpoint", "-loadFVFile", "-", "-k", "2"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=LONG)
    assert (done.returncode, "there is no standard input" in done.stderr) == (3, True)


def test_an_impatient_ctrl_c_ends_the_work_as_one_does(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    rows = random.integers(1, 1000, (20_000, 12))
    vectors = tmp_path / "v.bb"
    lines = ["T", *("T" + " ".join(f":{b + 1}:{n}" for b, n in enumerate(row)) for row in rows)]
    vectors.write_text("\n".join(lines))
    script = "from phasemark.cli import main; main()"
    arguments = [sys.executable, "-c", script, "simpoint", "-loadFVFile", vectors, "-k", "1:200"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as child:
        try:
            # The empty interval is told when all are read and the search begins.
            assert child.stderr is not None and "empty intervals" in child.stderr.readline()
            begun = cpu_seconds(child.pid)
            until(lambda: cpu_seconds(child.pid) > begun + 0.2, child)
            for _ in range(20):
                child.send_signal(signal.SIGINT)
                time.sleep(0.001)
            message = child.stderr.read()
        finally:
            child.kill()
    assert (child.returncode, message) == (130, "phasemark: interrupted\n")


def test_a_folder_that_is_not_there_is_told_before_the_work(here: Path) -> None:
    arguments = ["-loadFVFile", "nowhere.bb", "-k", "2", "-saveLabels", "none/labels"]
    with pytest.raises(WorkError, match="none is no folder"):
        command.run_command(arguments)
