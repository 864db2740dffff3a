"""phasemark phases --model: options reach the model, others are refused, and states are told."""

from __future__ import annotations

import json
import re

import pytest
from tests.workflow.runs import run, three_phases

import phasemark
from phasemark.errors import UsageError
from phasemark.store.folder import Folder


def told(folder: Folder, *arguments: object) -> dict:
    return json.loads(run("phases", folder.path, "--json", *arguments))["states"]


def test_a_hidden_markov_model_is_found_told_recorded_and_kept(tmp_path) -> None:
    folder = three_phases(tmp_path)
    states = told(folder, "--model", "hmm", "--states", "2,3", "--restarts", "4", "--tempering", "10k")
    assert states["model"] == "hmm" and states["tried"] == [2, 3]
    assert (states["states"], states["used"], states["unused"]) == (3, 3, 0)
    assert states["converged"] and states["log_likelihood"] < 0 and states["evidence"] == 1000
    assert states["durations"][0] == pytest.approx(20, rel=0.01) and states["durations"][2] > 1000
    assert states["state_shares"] == pytest.approx([1 / 3] * 3)
    entry = folder.entry_of("phases")
    assert entry["model"] == "hmm" and entry["n_components"] == [2, 3]
    assert (entry["restarts"], entry["tempering"], entry["representation"]) == (4, 10_000, "full")
    kept = phasemark.open(folder.path).phases.states
    assert kept.durations().tolist() == pytest.approx(states["durations"])
    again = phasemark.open(folder.path).find_phases(
        model="hmm", n_components=[2, 3], restarts=4, tempering=10_000
    )
    assert again.phases.labels.tolist() == [0] * 20 + [1] * 20 + [2] * 20
    assert folder.entry_of("phases") == entry, "the command's path is Python's"


def test_what_is_printed(tmp_path) -> None:
    folder = three_phases(tmp_path)
    text = run("phases", folder.path, "--model", "hmm", "--states", "2,3")
    assert "hidden Markov model of 3 states, the best of 2 and 3 by BIC, a mean interval" in text
    assert "counting for 1,000 instructions\nlog likelihood -" in text and "converged\n" in text
    assert re.search(r"\n +0  33\.33% +20\.0  1 \(100%\)\n", text)
    assert re.search(r"\n +2  33\.33%  to the end *\n", text)
    mixture = run("phases", folder.path, "--model", "mixture", "--states", "3")
    assert "mixture of 3 states, a mean interval counting" in mixture and "lasts" not in mixture
    assert told(folder, "--model", "mixture", "--states", "3")["durations"] is None
    assert told(folder) is None


def test_dims_are_those_of_the_model_and_signatures_have_their_own(tmp_path) -> None:
    folder = three_phases(tmp_path)
    told(folder, "--model", "mixture", "--states", "3", "--representation", "reweight", "--dims", "4")
    opened = phasemark.open(folder.path)
    assert folder.entry_of("phases")["dims"] == 4 and opened.phases.model["dims"] == 4
    assert opened.signatures.matrix.shape[1] == 15
    told(folder, "--dims", "4")
    assert folder.entry_of("phases")["dims"] == 4
    assert phasemark.open(folder.path).signatures.matrix.shape[1] == 4


def test_every_instruction_may_count(tmp_path) -> None:
    folder = three_phases(tmp_path)
    told(folder, "--model", "hmm", "--states", "2", "--tempering", "all")
    assert folder.entry_of("phases")["tempering"] is None


def test_how_long_durations_are_told_apart_is_an_option_of_hsmm_alone(tmp_path) -> None:
    folder = three_phases(tmp_path)
    told(folder, "--model", "hsmm", "--states", "3", "--restarts", "2", "--longest", "16")
    assert folder.entry_of("phases")["longest"] == 16
    assert phasemark.open(folder.path).phases.model["longest"] == 16
    with pytest.raises(UsageError, match="--longest is no option of the model hmm"):
        run("phases", folder.path, "--model", "hmm", "--longest", "16")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--model", "hmm", "--k", "3"), r"--k is no option of the model hmm\n  hint: it has --states, "),
        (("--states", "3"), r"--states is no option of the model simpoint\n  hint: it has --max-k, --k, "),
        (("--model", "mixture", "--select", "elbow"), "select is 'elbow'"),
        (("--model", "markov"), r"no model of phases 'markov'\n  hint: use one of simpoint, mixture, hmm"),
        (("--model", "hmm", "--representation", "half"), "representation is 'half'"),
        (("--model", "hmm", "--dims", "9"), "nothing is projected"),
        (("--model", "hmm", "--states", "0"), "n_components is 0"),
    ],
)
def test_options_of_another_model_are_refused(arguments, message, tmp_path) -> None:
    folder = three_phases(tmp_path)
    with pytest.raises(UsageError, match=message):
        run("phases", folder.path, *arguments)
