"""How phases were found, as options of the command."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.workflow.runs import run, three_phases

from phasemark.model.signatures import Recipe
from phasemark.phases import SimPoint
from phasemark.store import phases_store
from phasemark.views.recipes import beside_code, of_phases, of_signatures


def test_what_the_command_calls_options_is_said_and_defaults_of_the_rest_are_not() -> None:
    found = SimPoint(max_k=3, threshold=0.85).fit(np.eye(20, 3)).phases_
    assert of_phases(found.model) == (
        "phasemark phases --model simpoint --max-k 3 --search all --restarts 5 --threshold 85% --seed 1 "
        "--init incremental --sample-size 100000 --select bic-threshold"
    )
    assert of_phases({**found.model, "max_iter": 7}).endswith("bic-threshold; max_iter 7")
    assert of_phases({"method": "given"}) == "given by another tool" and of_phases({"method": "other"}) == ""


@pytest.mark.parametrize("model", ["simpoint", "mixture", "hmm", "hsmm", "online"])
def test_what_is_said_can_be_given_to_the_command(model: str, tmp_path) -> None:
    folder = three_phases(tmp_path)
    own = {"simpoint": ("--restarts", "2"), "online": ("--threshold", "0.5", "--min-count", "2")}
    states = ("--restarts", "2", "--states", "2,3", "--tempering", "all")
    run("phases", folder.path, "--model", model, *own.get(model, states))
    before = phases_store.read_model(folder.model)[1]
    said = of_phases(before.model)
    run("phases", folder.path, *said.split()[2:])
    after = phases_store.read_model(folder.model)[1]
    assert of_phases(after.model) == said and after.labels.tolist() == before.labels.tolist()


def test_the_signature_is_an_option_where_the_model_compares_signatures() -> None:
    recipe = Recipe("l1", "uniform", 15, 1, "module+offset")
    for events, key, seen in (
        ("", "module+offset", "blocks"),
        ("", "site", "loops"),
        ("l2_mpki branch_mpki", "module+offset", "code+events"),
        ("data_reuse_4K branch_surprises", "module+offset", "code+behaviour"),
    ):
        said = of_phases({"method": "simpoint", "k": 3}, replace(recipe, events=events, key=key))
        assert said == f"phasemark phases --model simpoint --signature {seen} --k 3"
    assert "--signature" not in of_phases({"method": "simpoint"}, replace(recipe, events="data_reuse_4K"))
    assert "--signature" not in of_phases({"method": "mixture"}, recipe)


def test_signatures_are_said_in_words() -> None:
    assert of_signatures(Recipe("l1", "uniform", 15, 1, "module+offset")) == (
        "blocks, by module and offset, as shares of the interval, projected at random to 15 dimensions "
        "(seed 1)"
    )
    assert of_signatures(Recipe("none", "none", 1, 1, "site")) == (
        "loops, calls and returns, as counts, in 1 dimension"
    )


def test_what_is_beside_code_has_a_word() -> None:
    recipe = Recipe("l1", "uniform", 15, 1, "id")
    for events, said in (
        ("", ""),
        ("data_reuse_4K code_reuse_4K branch_surprises", "memory and branches"),
        ("data_reuse_4K", "memory"),
        ("branch_surprises", "branches"),
        ("l2_misses", "rates of events"),
    ):
        assert beside_code(replace(recipe, events=events)) == said
