"""Configurations of the timing model: presets load, what makes no sense is refused with the key."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from phasemark.errors import DataError, UsageError
from phasemark.simulate import config

MODERN, PAPER, _ = (
    files("phasemark.simulate").joinpath(f"presets/{name}.toml").read_text("utf-8") for name in config.PRESETS
)


def test_the_papers_machine_is_that_of_its_table() -> None:
    paper = config.load("paper")
    assert (paper.core.width, paper.core.window, paper.memory) == (8, 64, 120)
    assert (paper.l1i.size, paper.l1i.ways, paper.l1i.line) == (16 << 10, 4, 32)
    assert (paper.l2.size, paper.l2.ways, paper.l2.latency) == (128 << 10, 8, 12)
    assert (paper.branches.gshare, paper.branches.history, paper.branches.bimodal) == (2048, 8, 8192)
    assert (paper.dtlb.page, paper.dtlb.penalty) == (8192, 30)
    assert paper.l3 is None
    assert not any(name.startswith("l3") for name in paper.counters)


def test_the_small_core_is_in_order_and_has_two_levels() -> None:
    little = config.load("little")
    assert (little.core.width, little.core.window, little.l3) == (2, 8, None)
    # A misprediction costs the front end and the root of what is in flight: 9 cycles, as on a Cortex-A53.
    assert 8.5 < little.core.frontend + little.core.window**0.5 < 9.5


def test_presets_are_named_after_themselves_and_differ() -> None:
    presets = [config.load(name) for name in config.PRESETS]
    assert tuple(preset.name for preset in presets) == config.PRESETS
    assert len({preset.digest for preset in presets}) == len(config.PRESETS)
    # What is gathered with one preset is known by this, so it stays as it is.
    assert [preset.digest for preset in presets] == ["5375b03bd05f", "0051e89363d9", "1feba613a8ad"]


def test_a_file_is_named_after_itself_and_equal_ones_have_equal_digests(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MODERN)
    assert config.load(path).name == "mine"
    assert config.load(path).digest == config.load("modern").digest
    path.write_text(MODERN.replace("latency = 200", "latency = 201"))
    assert config.load(path).digest != config.load("modern").digest


def test_energy_is_events_times_coefficients(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MODERN[: MODERN.index("[energy]")] + "[energy]\ninstructions = 2\nmemory_accesses = 10\n")
    counters = {name: np.array([1.0, 2.0]) for name in config.COUNTERS}
    np.testing.assert_array_equal(config.load(path).energy(counters), [12, 24])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("width = 6", "width = 0", "core.width: is 0"),
        ("width = 6", "widht = 6", "core.widht: is unknown"),
        ("width = 6", "", "core.width: is missing"),
        ("width = 6", 'width = "six"', "core.width: is 'six', not a whole number"),
        ("width = 6", "width = true", "core.width: is True, not a whole number"),
        ("line = 64", "line = 48", "l1i.line: 48 is no power of two"),
        ('size = "512K"', 'size = "500K"', "l2.size: 512000 does not divide"),
        ("entries = 128", "entries = 127", "itlb.entries: 127 does not divide"),
        ("[memory]", "[memroy]", "memroy: is unknown"),
        ("chooser = 16384", "chooser = 0", "branches.chooser: is 0"),
        ("cycles = 30", "cylces = 30", "energy.cylces: is no counter"),
        ("cycles = 30", "cycles = -1", "energy.cycles: is -1"),
        ("[core]", "[core", "is not TOML"),
        ("[core]", f"[core]\nx = {'9' * 5000}", "is not TOML"),
        ("[core]", f"x = {'[' * 5000}", "is not TOML"),
        ('size = "512K"', 'size = "2G"', "l2.size: makes 33554432 entries"),
        ("chooser = 16384", 'chooser = "32M"', "branches.chooser: is 33554432"),
        ("line = 64", "line = 128", "l1i.line: 128 is longer than a line of l2, 64"),
        ('page = "4K"', "page = 32", "l1i.line: 64 is longer than a page, 32"),
    ],
)
def test_nonsense_is_refused_with_its_key(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    assert old in MODERN
    path.write_text(MODERN.replace(old, new, 1))
    with pytest.raises(DataError, match=r"bad\.toml") as caught:
        config.load(path)
    assert message in str(caught.value)
    assert caught.value.hint or "TOML" in message


def test_the_second_level_fits_the_third(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    before, _, behind = MODERN.partition("[l3]")
    path.write_text(before + "[l3]" + behind.replace("line = 64", "line = 32"))
    with pytest.raises(DataError, match=r"l2\.line: 64 is longer than a line of l3, 32"):
        config.load(path)


def test_a_name_that_is_nothing_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="neither a preset nor a file"):
        config.load("mordern")


def test_the_second_level_is_a_cores_own_unless_it_is_last_or_said_to_be_shared(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    modern, paper = config.load("modern"), config.load("paper")
    assert (modern.shared_l2, paper.shared_l2) == (False, True)
    assert "l2.shared" not in modern.flat() + paper.flat()  # their digests are what they were
    path.write_text(MODERN.replace("latency = 14", "latency = 14\nshared = true"))
    assert "l2.shared=1\n" in config.load(path).flat()
    assert config.load(path).digest != modern.digest
    for text, message in (
        (MODERN.replace("latency = 14", "latency = 14\nshared = 1"), "l2.shared: is 1"),
        (MODERN.replace("latency = 42", "latency = 42\nshared = true"), "l3.shared: is unknown"),
        (PAPER.replace("latency = 12\n", "latency = 12\nshared = false\n"), "l2.shared: is false"),
    ):
        path.write_text(text)
        with pytest.raises(DataError) as caught:
            config.load(path)
        assert message in str(caught.value)
