"""Some thousand bent files, the same ones each time, through every reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzz import bends
from tests.fuzz.files import Sample, samples
from tests.fuzz.readers import READERS, fault
from tests.fuzz.trial import Trial, failures

from phasemark.formats.recogniser import KINDS
from phasemark.formats.vectors.registry import DIALECTS

#: Trials of each sample.
_TRIALS = 25


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sample]:
    return samples(tmp_path_factory.mktemp("samples"))


def test_there_is_a_sample_of_every_kind(known: dict[str, Sample]) -> None:
    names = {name.removeprefix("kind ").removeprefix("a run's ") for name in known}
    # What is wrong with a perf.data, perf says.
    assert {kind.name for kind in KINDS} - {"perf.data"} <= names
    assert {f"vectors of {dialect.name}" for dialect in DIALECTS} <= set(known)


def test_every_sample_is_good_to_some_reader(known: dict[str, Sample], tmp_path: Path) -> None:
    """A sample that nothing reads would try nothing but the first lines of readers."""
    for name, sample in known.items():
        path = tmp_path / sample.name
        path.write_bytes(sample.content)
        assert any(_reads(reader, path) for reader in READERS if reader != "recognise"), name


def _reads(reader: str, path: Path) -> bool:
    try:
        READERS[reader](path)
    except ValueError:
        return False
    return True


def test_bent_files_are_read_or_refused_in_words(known: dict[str, Sample]) -> None:
    trials = [Trial(name, number) for name in sorted(known) for number in range(_TRIALS)]
    found = failures(trials, known)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("raise KeyError('x')", "KeyError at"),
        ("open(path).read().x", "AttributeError at"),
        ("bytearray(1 << 31)", "MemoryError at"),
        ("import os; os.abort()", "ended with -6"),
        ("time.sleep(99)", "hangs"),
        ("sum(range(10**7))", "took"),
    ],
)
def test_a_reader_that_does_otherwise_is_caught(
    does: str, said: str, known: dict[str, Sample], monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoilt(path: Path) -> None:
        import time

        exec(does, {"path": path, "time": time})

    for reader in READERS:
        monkeypatch.setitem(READERS, reader, spoilt)
    monkeypatch.setattr("tests.fuzz.trial.SILENCE", 1.0 if said == "hangs" else 300.0)
    monkeypatch.setattr("tests.fuzz.trial.SECONDS", 0.01 if said == "took" else 10.0)
    found = failures([Trial("a run's points.csv", 0)], known)
    assert found and said in found[0] and '--again "a run\'s points.csv" 0 --reader' in found[0]


def test_every_bend_bends_and_is_the_same_again(known: dict[str, Sample]) -> None:
    from random import Random

    sample = known["a run's points.csv"].content
    for bend in bends.BENDS:
        made = [bend(sample, Random(seed)) for seed in range(20)]
        assert any(content != sample for content in made), bend.__name__
        assert made == [bend(sample, Random(seed)) for seed in range(20)]
        assert isinstance(bend(b"", Random(1)), bytes)


def test_a_message_without_measure_is_a_fault(tmp_path: Path) -> None:
    from phasemark.errors import DataError

    def read(path: Path) -> None:
        raise DataError("x" * 5000, path=path)

    assert isinstance(fault(read, tmp_path), AssertionError)
