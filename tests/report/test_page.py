"""The document, without a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from tests.views import synthetic

from phasemark import report
from phasemark.model import Phases
from phasemark.report import page


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


def test_every_script_is_part_of_the_page() -> None:
    from importlib.resources import files

    names = {
        file.name for file in (files("phasemark.report") / "assets").iterdir() if file.name.endswith(".js")
    }
    assert names == set(page.SCRIPTS)


def test_a_number_that_json_cannot_say_is_never_written() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        page.script_json({"cpi": float("nan")})
