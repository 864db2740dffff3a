"""What a file is: one table for import, check and phasemark.read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.cli.runs import analysed
from tests.formats.samples import DATA, SAMPLES
from tests.store.test_events_h5 import packed

import phasemark
from phasemark.checking import check_file
from phasemark.checking.files import _DESCRIPTIONS, _METRICS_OF_OTHERS
from phasemark.errors import DataError
from phasemark.formats import recogniser
from phasemark.formats.metrics import measurements
from phasemark.formats.recogniser import KINDS, recognise
from phasemark.formats.vectors import profiles, runs
from phasemark.model import Hierarchy
from phasemark.store import events_h5, hierarchy_h5

KEY = "run,thread,index,start,length"
STATS = "---------- Begin Simulation Statistics ----------\nsimInsts 7 # (Count)\n"
STATS += "---------- End Simulation Statistics   ----------\n"

#: Kind -> a file of it: its name, what it holds, and what check says of it.
FILES = {
    "gem5's stats.txt": ("x", STATS, "gem5's stats: 7 instructions"),
    "metrics.csv": ("x", f"{KEY},cycles\n0,0,0,0,5,9\n", "metrics: 1 row of 1 counter by "),
    "perf stat -x or -j": (
        "x", "0.1,100,,instructions,10,100.00,,\n", "perf stat -x or -j: 1 row of metrics",
    ),
    "perf script": (
        "x",
        "a b 7/8 1.000000002: 1000 task-clock:u: 4010ab f+0x3 (/bin/x)\n",
        "samples of perf: 1 sample of task-clock:u, 1 thread, 1 address",
    ),
    "a trace of threads": (
        "x",
        '{"displayTimeUnit":"ns","otherData":{},"traceEvents":[\n'
        '{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"phase 0"}\n]}\n',
        "a trace: 1 stretch of 1 thread",
    ),
    "ChampSim's output": (
        "x",
        "CPU 0 cumulative IPC: 2 instructions: 1000 cycles: 500\n",
        "ChampSim's output: 1 row of metrics",
    ),
    "ChampSim's JSON": (
        "x",
        '[{"name":"Simulation","roi":{"cores":[{"cycles":5,"instructions":7}]},'
        '"sim":{"cores":[{"cycles":5,"instructions":7}]}}]\n',
        "ChampSim's JSON: 1 row of metrics",
    ),
    "CSV with a heading": ("x", "phase,cycles\n0,1\n", "CSV with a heading: 1 row of metrics"),
    "SimPoint's weights": ("x", "0.25 0\n0.75 3\n", "weights: 2 clusters"),
    "SimPoint's labels": ("x", "0 0.5\n3 1e-3\n", "labels: 2 intervals"),
    "SimPoint's simpoints": ("x", "17 0\n4 3\n", "simpoints: 2 clusters"),
    "champsim.csv": (
        "x",
        "run,thread,interval,phase,skip,warmup,simulate,weight\n0,0,4,0,30,10,50,0.25\n0,0,9,1,90,0,50,0.75\n",
        "ChampSim's points: 2",
    ),
    "PinPoints' regions": (
        "x",
        "comment,thread-id,region-id,simulation-region-start-icount,simulation-region-end-icount,"
        "region-weight\n# Region = 1\ncluster 0 from slice 2,0,1,200,250,1.000000\n",
        "PinPoints' regions: 1",
    ),
    "simpoint_summary.json": (
        "x",
        '{\n  "app": {\n    "insts": "250",\n    "points": {\n      "0": "0.4",\n      "2": "0.6"\n'
        "    }\n  }\n}\n",
        "XiangShan's points: 2",
    ),
    "gem5's LoopPoint JSON": (
        "x",
        '{"1": {"simulation": {"start": {"pc": 1, "global": 2}}, "multiplier": 3.5}}\n',
        "LoopPoint's regions: 1",
    ),
    "models.csv": (
        "x",
        "model,representation,states,seed,used,log_likelihood,bic,held_out,own,cov\nhmm,full,4,1,2,-2,-3,,,\n",
        "models: 1 fit",
    ),
    "models-points.csv": (
        "x",
        "model,representation,states,seed,method,estimator,points,share,value,low,high,error,interval_error\n"
        "hmm,full,4,1,nearest,epm1,2,0.5,1.5,1,2,0.1,\n",
        "points of models: 1 estimate",
    ),
    "exp-bbv's pc.out": ("x", "F:1:401000:main\nF:2:401010:\n", "exp-bbv's functions: of 2 blocks"),
    "T:id:count": ("x", "T:1:10 :2:5\nT:1:15\n", "simpoint vectors: 30 instructions, 2 intervals, 2 blocks"),
}  # fmt: skip

#: What kinds hold.
HOLDS = {
    "a model": ["model.h5"],
    "a hierarchy": ["hierarchy.h5"],
    "a trace of events": ["events.h5"],
    "a profile": ["profile.h5"],
    "the steps of a run": ["run.json"],
    "metrics": [
        "gem5's stats.txt",
        "metrics.csv",
        "perf stat -x or -j",
        "ChampSim's output",
        "ChampSim's JSON",
        "CSV with a heading",
    ],
    "when threads were in which phase": ["a trace of threads"],
    "samples": ["perf.data", "perf script"],
    "points": ["points.csv"],
    "points for ChampSim": ["champsim.csv"],
    "points for XiangShan": ["simpoint_summary.json"],
    "regions": ["PinPoints' regions"],
    "places in the code": ["gem5's LoopPoint JSON"],
    "phases": ["phases.csv"],
    "weights": ["SimPoint's weights"],
    "models side by side": ["models.csv"],
    "what points of models estimate": ["models-points.csv"],
    "labels": ["SimPoint's labels"],
    "simpoints": ["SimPoint's simpoints"],
    "functions": ["exp-bbv's pc.out"],
    "vectors": ["T:id:count"],
}

#: Of which tools write no byte order mark, and readers take none.
UNMARKED = {
    "a trace of threads",
    "T:id:count",
    "perf script",
    "perf stat -x or -j",
    "ChampSim's output",
    "ChampSim's JSON",
}

#: Which are JSON, and hold no comments.
UNCOMMENTED = {"a trace of threads", "simpoint_summary.json", "gem5's LoopPoint JSON", "ChampSim's JSON"}

#: Made by another program, in tests of its own.
MADE = {"perf.data"}

#: Files of a run's folder.
OF_A_RUN = {"run.json", "profile.h5", "model.h5", "points.csv", "phases.csv", "hierarchy.h5", "events.h5"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = analysed(tmp_path_factory.mktemp("run"))
    whole = Hierarchy([0], [0], [0], [-1], [0], [5])
    hierarchy_h5.write(run.hierarchy, hierarchy_h5.StoredHierarchy(whole))
    events_h5.write(run.events, packed())
    return run.path


def test_every_kind_is_tried_here_and_described_by_check() -> None:
    assert [kind.name for kind in KINDS] == [*dict.fromkeys(kind.name for kind in KINDS)]
    assert {kind.name for kind in KINDS} == FILES.keys() | OF_A_RUN | MADE
    held = {holds: [kind.name for kind in KINDS if kind.holds == holds] for holds in HOLDS}
    assert held == HOLDS and sum(map(len, held.values())) == len(KINDS)
    assert {*KINDS, recogniser.UNKNOWN} == {*_DESCRIPTIONS, *_METRICS_OF_OTHERS}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("bent", ["plain", "gzip", "commented", "returns", "marked"])
def test_a_file_is_known_by_its_content(tmp_path: Path, kind: str, bent: str) -> None:
    name, text, said = FILES[kind]
    content = {
        "plain": text.encode(),
        "gzip": gzip.compress(text.encode()),
        "commented": b"# by hand\n\n" + text.encode(),
        "returns": text.replace("\n", "\r\n").encode(),
        "marked": b"\xef\xbb\xbf" + text.encode(),
    }[bent]
    path = tmp_path / name
    path.write_bytes(content)
    if bent == "marked" and kind in UNMARKED:
        return
    if bent == "commented" and kind in UNCOMMENTED:
        return
    assert recognise(path).name == kind
    if bent in ("plain", "returns"):
        assert check_file(path).found == said


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_dialect_is_vectors(tmp_path: Path, name: str) -> None:
    (tmp_path / "v").write_bytes(SAMPLES[name].content)
    assert recognise(tmp_path / "v") is recogniser.VECTORS


@pytest.mark.parametrize("name", sorted(OF_A_RUN))
def test_files_of_a_run_are_known_whatever_their_name(run: Path, tmp_path: Path, name: str) -> None:
    copy = tmp_path / "x"
    copy.write_bytes((run / name).read_bytes())
    assert recognise(copy).name == recognise(run / name).name == name


@pytest.mark.parametrize("name", ["simpoints", "weights", "labels"])
def test_a_name_tells_where_whole_numbers_do_not(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.t0").write_text("1 0\n")
    assert recognise(tmp_path / f"{name}.t0").holds == name
    (tmp_path / "x").write_text("1 0\n")
    assert recognise(tmp_path / "x") is recogniser.SIMPOINTS


@pytest.mark.parametrize(
    "content", [b"", b"hello\n", b"hello world\n", b"{}\n", b"\0\1\2\r3", b"a,b\n1,2\n", b"T1:2\n"]
)
def test_what_is_of_no_kind_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    assert recognise(tmp_path / "x") is recogniser.UNKNOWN
    with pytest.raises(DataError, match="is no file of metrics that is known"):
        measurements.read([tmp_path / "x"])


def test_two_words_beside_vectors_are_no_simpoints(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("P: 0\n1 2\nT:1:5\n")
    assert recognise(tmp_path / "x") is recogniser.VECTORS


def test_points_with_counters_beside_them_are_metrics_to_who_wants_metrics(tmp_path: Path, run: Path) -> None:
    head, *rows = [line for line in (run / "points.csv").read_text().splitlines() if line[0] != "#"]
    (tmp_path / "x").write_text("\n".join([f"{head},cycles", *(f"{row},7" for row in rows)]) + "\n")
    assert recognise(tmp_path / "x") is recogniser.POINTS
    assert measurements.recognise(tmp_path / "x") is recogniser.RESULTS
    with pytest.raises(DataError, match=r"holds points \(points.csv\), not metrics"):
        measurements.recognise(run / "points.csv")


@pytest.mark.parametrize("kind", [kind for kind in FILES if kind != "T:id:count"])
def test_other_things_than_vectors_are_named(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    path.write_text(FILES[kind][1])
    if kind == "exp-bbv's pc.out":
        return  # it may stand beside vectors: see test_profiles
    for read in (
        *([] if kind == "perf script" else [phasemark.read]),
        lambda path: profiles.read([path]),
        lambda path: runs.read_projected(path, 3, 1),
    ):
        with pytest.raises(DataError) as caught:
            read(path)
        assert f"({kind}), not vectors" in str(caught.value) and caught.value.hint
        metrics = kind in HOLDS["metrics"]
        assert ("import --metrics" in caught.value.hint) == metrics


def test_other_things_than_metrics_are_named(tmp_path: Path, run: Path) -> None:
    with pytest.raises(
        DataError, match=r"holds vectors \(T:id:count\), not metrics\n.*import` takes it, without"
    ):
        measurements.read([DATA / "gem5-bootcamp" / "simpoint.bb.gz"])
    for name, step in (
        ("profile.h5", "phases"),
        ("model.h5", "points"),
        ("run.json", "report"),
        ("phases.csv", "points"),
        ("points.csv", "simulate"),
    ):
        with pytest.raises(
            DataError, match=rf"\({name}\), not metrics\n.*`phasemark {step}` takes the run's folder"
        ):
            measurements.read([run / name])


def test_the_fault_of_a_vector_file_is_named_as_before(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("0 1\nT:1:5\n")
    with pytest.raises(DataError, match="x:1: is neither a vector nor a comment: '0 1'"):
        profiles.read([tmp_path / "x"])
    (tmp_path / "gone.gz").write_bytes(gzip.compress(b"T:1:5\n" * 99)[:-9])
    with pytest.raises(DataError, match="cut short"):
        profiles.read([tmp_path / "gone.gz"])
