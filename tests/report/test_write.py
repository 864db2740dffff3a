"""A page written from a run's folder or from values."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.views import synthetic

from phasemark import report
from phasemark.cli.app import application
from phasemark.errors import DataError, WorkError
from phasemark.store.folder import Folder


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
