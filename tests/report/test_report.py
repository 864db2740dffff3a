"""The report's data and page, without a browser."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.views import synthetic

from phasemark import report
from phasemark.cli.app import application
from phasemark.errors import DataError, WorkError
from phasemark.model import Phases
from phasemark.report import data, page
from phasemark.store.folder import Folder
from phasemark.views import names


def unpack(packed: dict[str, str]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["data"]), np.dtype(packed["type"]).newbyteorder("<"))


def test_rows_hold_every_interval() -> None:
    run = synthetic.run(threads=3)
    made = data.collect(run)
    rows, intervals = made["rows"], run.profile.interval_table
    assert unpack(rows["start"]).tolist() == intervals.start.tolist()
    assert unpack(rows["length"]).tolist() == intervals.length.tolist()
    assert unpack(rows["phase"]).tolist() == run.phases.labels.tolist()
    assert [(t["first"], t["last"]) for t in made["threads"]] == [(0, 40), (40, 80), (80, 120)]
    json.dumps(made, allow_nan=False)


def test_a_long_run_is_shown_in_fewer_rows_without_losing_an_instruction(monkeypatch) -> None:
    monkeypatch.setattr(data, "ROWS", 16)
    monkeypatch.setattr(data, "CELLS", 5)
    run = synthetic.run(threads=2)
    made = data.collect(run)
    assert len(unpack(made["rows"]["start"])) == 16
    assert unpack(made["rows"]["length"]).sum() == run.profile.instructions
    assert unpack(made["rows"]["count"]).sum() == 80
    size = made["matrix"]["size"]
    assert size <= 5
    assert len(unpack(made["matrix"]["distance"])) == size * (size - 1) // 2


def test_the_matrix_alternates_as_the_program_does() -> None:
    made = data.collect(synthetic.run((0, 1) * 10))
    size, upper = made["matrix"]["size"], unpack(made["matrix"]["distance"])
    far = np.zeros((size, size))
    far[np.triu_indices(size, 1)] = upper
    assert far[0, 2::2].max() < far[0, 1::2].min()


def test_phases_name_share_point_functions_and_lines() -> None:
    run = synthetic.run()
    made = data.collect(run)
    assert sum(p["share"] for p in made["phases"]) == pytest.approx(1.0)
    assert [made["points"][p["points"][0]]["phase"] for p in made["phases"]] == [0, 1, 2]
    for phase in made["phases"]:
        shares = [share for _, _, share in phase["functions"]]
        assert shares == sorted(shares, reverse=True)
        assert phase["lines"][0][0].count(":") == 1


def test_vectors_without_modules_go_by_block_numbers() -> None:
    made = data.collect(synthetic.run(functions=False))
    assert all(name.startswith("block ") for name, _ in made["functions"])
    assert made["phases"][0]["lines"] == []
    assert made["places"] == "Blocks"


def test_what_the_steps_noted_is_said() -> None:
    run = synthetic.run()
    run.phases.model["notes"] = ["only 3 different vectors"]
    made = data.collect(run)
    assert made["warnings"][-1] == "only 3 different vectors"
    assert ("phases", "seed 7, threshold 0.9") in made["provenance"]


def test_a_given_k_has_no_threshold() -> None:
    run = synthetic.run()
    run.phases.scores.clear()
    assert data.collect(run)["scores"]["threshold"] is None


def test_phases_of_a_model_without_scores_and_centres_have_a_page_without_their_section(tmp_path) -> None:
    made = synthetic.run()
    section = '<section aria-labelledby="scores-title"'
    scored = report.write_page(made, tmp_path / "a.html").read_text(encoding="utf-8")
    assert f"{section}>" in scored
    labels = made.phases.labels
    bare = replace(made, phases=Phases(labels, None, np.zeros(len(labels)), k=3))
    page = report.write_page(bare, tmp_path / "b.html").read_text(encoding="utf-8")
    assert f"{section} hidden>" in page and '"k":3,' in page


def test_nothing_breaks_out_of_the_page(tmp_path) -> None:
    run = synthetic.run(command=("</title><script>alert(1)<b>\udcff", "a & b", "{{css}}", "\udcff"))
    path = report.write(synthetic.folder(tmp_path / "out", run))
    text = path.read_text(encoding="utf-8")
    assert text.count("</script>") == 2
    assert text.count("</title>") == 1
    inlined = re.search(r'id="data">(.*?)</script>', text, re.S)
    assert inlined
    assert not set("<>&") & set(inlined[1])
    held = json.loads(inlined[1])
    assert held["provenance"][0][1] == " ".join(run.profile.provenance.command)
    assert any(name == "</script><b>main" for name, _ in held["functions"])


def test_the_page_names_no_other_address(tmp_path) -> None:
    text = report.write(synthetic.folder(tmp_path / "out")).read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://[^\s\"']+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}


def test_equal_inputs_give_equal_bytes(tmp_path) -> None:
    first = report.write(synthetic.folder(tmp_path / "a"))
    second = report.write(synthetic.folder(tmp_path / "b"), tmp_path / "page.html")
    assert second == tmp_path / "page.html"
    assert first.read_bytes() == second.read_bytes()


def test_values_in_no_folder_have_the_same_page(tmp_path) -> None:
    made = synthetic.run(metrics=True)
    written = report.write(synthetic.folder(tmp_path / "out", made))
    assert written == tmp_path / "out" / "report.html"
    page = report.write_page(made, str(tmp_path / "page.html"))
    assert page == tmp_path / "page.html"
    assert page.read_bytes() == written.read_bytes()


def test_what_has_a_path_is_read_from_there(tmp_path) -> None:
    run = Folder(synthetic.folder(tmp_path / "out"))
    assert report.write(run) == run.report


def test_an_unfinished_run_says_what_to_do_first(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out")
    (folder / "points.csv").unlink()
    with pytest.raises(DataError, match="phasemark points"):
        report.write(folder)


def test_a_page_that_cannot_be_written_is_said(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out")
    with pytest.raises(WorkError, match=r"none/page\.html"):
        report.write(folder, tmp_path / "none" / "page.html")


def test_every_script_is_part_of_the_page() -> None:
    from importlib.resources import files

    names = {
        file.name for file in (files("phasemark.report") / "assets").iterdir() if file.name.endswith(".js")
    }
    assert names == set(page.SCRIPTS)


def test_vectors_of_another_tool_make_a_report(tmp_path) -> None:
    vectors = Path(__file__).parents[1] / "data" / "gem5-bootcamp" / "simpoint.bb.gz"
    for arguments in (
        ("import", str(vectors), "-o", str(tmp_path), "-q"),
        ("phases", str(tmp_path), "-q"),
        ("points", str(tmp_path), "-q"),
        ("report", str(tmp_path)),
    ):
        application()(arguments, standalone_mode=False)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert '"block 1902"' in text


def test_functions_are_of_all_blocks_and_lines_of_the_hot_ones(monkeypatch) -> None:
    asked = []

    def annotate(blocks, rows=None, *, build_ids, lines=True):
        asked.append((rows if rows is None else rows.tolist(), build_ids, lines))
        return blocks

    monkeypatch.setattr(names, "annotate", annotate)
    monkeypatch.setattr(names, "HOT_BLOCKS", 1)
    run = synthetic.run(functions=False)
    names.named(run)
    hottest = {int(run.profile.counts[run.phases.labels == p].sum(axis=0).argmax()) for p in range(3)}
    assert asked == [(None, None, False), (sorted(hottest), None, True)]


def test_names_that_a_profile_has_are_kept() -> None:
    run = synthetic.run()
    assert names.named(run) is run


def test_metrics_estimates_and_quality_are_gathered() -> None:
    run = synthetic.run((0, 1, 0, 1, 2), metrics=True)
    found = data.collect(run)
    cpi = found["metrics"][0]
    assert (cpi["name"], cpi["title"]) == ("cpi", "CPI")
    values = np.frombuffer(base64.b64decode(cpi["values"]["data"]), "<f4")
    assert values[:3] == pytest.approx([1, 2.1, 1]) and np.isnan(values[3])
    assert found["estimates"][0]["full"] == 2.1 and found["estimates"][1]["high"] is None
    quality = found["quality"]
    assert quality["missing"][0][0] == "cpi" and quality["largest"][0] in (0, 1)
    whole = quality["whole"][0]
    assert whole["metric"] == "cpi" and whole["cov"] < whole["before"] and whole["mean"] > 1
    assert quality["against_k"]["cpi"]["k"] == [1, 2, 3] and quality["sample"] == 30
    page.script_json(found)  # holds no NaN


def test_without_metrics_there_is_nothing_to_show_of_them() -> None:
    found = data.collect(synthetic.run())
    assert (found["metrics"], found["estimates"], found["quality"]) == ([], [], None)


def test_metrics_of_several_intervals_are_averaged_with_their_weights(monkeypatch) -> None:
    monkeypatch.setattr(data, "ROWS", 2)
    run = synthetic.run((0, 1, 0, 1), metrics=True)
    values = np.frombuffer(base64.b64decode(data.collect(run)["metrics"][0]["values"]["data"]), "<f4")
    # The second row lacks its second interval.
    assert values == pytest.approx([(1 + 2.1) / 2, 1])
