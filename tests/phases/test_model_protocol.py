"""What `PhaseModel` promises, of every model there is and of two toys that are unlike SimPoint.

A new model is held to all of this by its line in the registry.
"""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from typing import get_args

import numpy as np
import pytest
from tests.phases.makers import make
from tests.phases.runs import Run, run
from tests.phases.toys import TOYS

from phasemark import phases
from phasemark.errors import DataError, UsageError
from phasemark.model import Phases, StateMachine
from phasemark.phases import protocol, registry
from phasemark.points import nearest, spread_of
from phasemark.store import phases_store

KNOWN = {**registry.MODELS, **TOYS}

pytestmark = pytest.mark.parametrize("name", KNOWN)


@pytest.fixture(autouse=True)
def _with_toys(monkeypatch) -> None:
    monkeypatch.setattr(registry, "MODELS", KNOWN)


def fitted(name: str, of: Run, **parameters) -> phases.PhaseModel:
    model = make(name, **parameters)
    phases.find(model, of.intervals, of.signatures, lambda: of.profile.vectors)
    return model


def found(name: str, of: Run | None = None, **parameters) -> Phases:
    return fitted(name, of or run(), **parameters).phases_


def data(model: phases.PhaseModel, of: Run):
    return phases.data_for(model, of.signatures, lambda: of.profile.vectors)


def test_keeps_the_protocol(name) -> None:
    model = phases.model(name)
    assert model.name == name and model.input in get_args(protocol.Input) and model.ordered in (True, False)
    for member, of_protocol in inspect.getmembers(protocol.PhaseModel, inspect.isfunction):
        if not member.startswith("_"):
            own = inspect.signature(getattr(type(model), member)).parameters
            assert list(own) == list(inspect.signature(of_protocol).parameters), member


def test_parameters_are_those_of_the_constructor(name) -> None:
    model = phases.model(name)
    assert list(model.get_params()) == list(inspect.signature(type(model)).parameters)
    assert set(model.options) <= set(model.get_params())
    assert model.set_params(**model.get_params()) is model
    with pytest.raises(UsageError, match=r"no parameter 'colour'"):
        model.set_params(colour=1)
    with pytest.raises(UsageError, match=r"no parameter 'colour'"):
        phases.model(name, colour=1)
    model.check()
    assert repr(model) == f"{type(model).__name__}()"


def test_gives_valid_phases(name) -> None:
    seen = run()
    value = found(name)
    assert isinstance(value, Phases) and len(value) == len(seen.intervals)
    assert value.k == len(set(value.labels.tolist()))
    _, first = np.unique(value.labels, return_index=True)
    assert (np.diff(first) > 0).all(), "numbered by first appearance"
    assert repr(value) == f"<Phases: k={value.k}, intervals={len(value)}, method={name}>"


def test_fit_returns_the_model_and_tells_progress(name) -> None:
    seen, told = run(), []
    model = make(name)
    same = model.fit(data(model, seen), progress=lambda done, total: told.append((done, total)))
    assert same is model
    assert told and all(done <= total for done, total in told) and told[-1][0] == told[-1][1]


def test_what_is_recorded_finds_the_same_again(name) -> None:
    value = found(name)
    again = phases.recorded(Phases(**{**vars(value), "model": json.loads(json.dumps(value.model))}))
    assert again.name == name and not hasattr(again, "phases_")
    seen = run()
    same = phases.find(again, seen.intervals, seen.signatures, lambda: seen.profile.vectors)
    assert same.labels.tolist() == value.labels.tolist()
    assert same.distances.tobytes() == value.distances.tobytes()
    assert same.model == value.model


def test_the_same_seed_gives_the_same_whatever_the_threads(name, monkeypatch) -> None:
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("PHASEMARK_THREADS", threads)
        value = found(name)
        results.append((value.labels.tobytes(), value.distances.tobytes(), value.scores))
    assert results[0] == results[1]


def test_another_seed_is_the_same_model_otherwise(name) -> None:
    model = make(name)
    other = phases.reseeded(model, 77)
    assert other is not model and type(other) is type(model)
    asked = {key: value for key, value in model.get_params().items() if key != "seed"}
    assert {key: value for key, value in other.get_params().items() if key != "seed"} == asked
    assert other.get_params().get("seed", 77) == 77


def test_the_scale_of_weights_does_not_matter(name) -> None:
    seen = run()
    labels = []
    for factor in (1.0, 1024.0):
        model = make(name)
        model.fit(data(model, seen), None, seen.signatures.weights * factor)
        labels.append(model.phases_.labels.tolist())
    assert labels[0] == labels[1]


def test_rows_of_weight_zero_have_a_phase_and_no_influence(name) -> None:
    seen = run()
    weights = np.r_[np.ones(len(seen.intervals) - 5), np.zeros(5)]
    lengths = phases.sequences(seen.intervals)
    model, other = make(name), make(name)
    model.fit(data(model, seen), None, weights, sequences=lengths)
    changed = run(tail_seed=9)
    other.fit(data(other, changed), None, weights, sequences=lengths)
    assert len(model.phases_) == len(seen.intervals)
    assert model.phases_.labels[:-5].tolist() == other.phases_.labels[:-5].tolist()
    assert seen.profile.counts[-1].toarray().tolist() != changed.profile.counts[-1].toarray().tolist()


def test_order_matters_only_to_those_that_say_so(name) -> None:
    seen = run()
    turned = seen.turned()
    one, other = found(name, seen).labels[::-1], found(name, turned).labels
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    if not KNOWN[name].ordered:
        assert len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))


def test_predict_gives_what_fit_gave(name) -> None:
    seen = run()
    model = fitted(name, seen)
    lengths = phases.sequences(seen.intervals)
    labels = model.predict(data(model, seen), sequences=lengths)
    assert labels.dtype == np.int32 and labels.tolist() == model.phases_.labels.tolist()


@pytest.mark.parametrize("bad", [[3], [30, 31], [60, 0], [61, -1], [30.0, 30.0], [[30, 30]]])
def test_sequences_that_are_none_are_refused(name, bad) -> None:
    seen = run()
    model = fitted(name, seen)
    for use in (model.fit, model.predict):
        with pytest.raises(DataError, match="sequences"):
            use(data(model, seen), sequences=bad)
    with pytest.raises(
        (DataError, UsageError), match=r"sequences|as many phases as threads|cannot be asked for"
    ):
        model.phases_by_k([2], data(model, seen), sequences=bad)


def test_a_bad_weight_names_its_row(name) -> None:
    seen = run()
    weights = np.ones(len(seen.intervals))
    weights[4] = -1
    model = make(name)
    with pytest.raises(DataError, match="row 4"):
        model.fit(data(model, seen), None, weights)


def test_data_of_another_kind_are_refused(name) -> None:
    seen = run()
    model = make(name)
    other = seen.profile.vectors if model.input == "signatures" else seen.signatures
    with pytest.raises(DataError):
        model.fit(other)


def test_data_are_neither_changed_nor_kept(name) -> None:
    few, many = run(), run(repeats=40)
    before = copy.deepcopy(many.signatures.matrix)
    sizes = []
    for seen in (few, many):
        model = fitted(name, seen)
        sizes.append(len(pickle.dumps(model)) - _value_bytes(model.phases_))
    assert (many.signatures.matrix == before).all()
    assert sizes[1] - sizes[0] < 4 * (len(many.intervals) - len(few.intervals)), "what a row costs"


def test_a_pickled_model_is_the_same_model(name) -> None:
    seen = run()
    model = fitted(name, seen)
    again = pickle.loads(pickle.dumps(model))
    assert again.phases_.labels.tolist() == model.phases_.labels.tolist()
    lengths = phases.sequences(seen.intervals)
    assert again.predict(data(model, seen), sequences=lengths).tolist() == model.phases_.labels.tolist()


def test_gives_the_phases_of_any_k_or_says_why_not(name) -> None:
    seen = run()
    model = make(name)
    lengths = phases.sequences(seen.intervals)
    try:
        by_k = model.phases_by_k([2, 1, 3], data(model, seen), sequences=lengths)
    except UsageError as error:
        assert error.hint
        return
    assert sorted(by_k) == [1, 2, 3]
    assert {k: value.k for k, value in by_k.items()} == {1: 1, 2: 2, 3: 3}
    assert not hasattr(model, "phases_"), "the model stays as it is"
    one = fitted(name, seen, k=2)
    assert by_k[2].labels.tolist() == one.phases_.labels.tolist()


def test_points_know_how_far_apart_the_intervals_of_a_phase_are(name) -> None:
    seen = run()
    value = found(name)
    spread = spread_of(value, seen.signatures.weights)
    assert spread.shape == (value.k,) and np.isfinite(spread).all() and (spread >= 0).all()
    assert np.isfinite(nearest(seen.intervals, value).spread).all()


def test_survives_the_file(name, tmp_path) -> None:
    value = found(name)
    phases_store.write_model(tmp_path / "model.h5", run().signatures, value)
    _, again = phases_store.read_model(tmp_path / "model.h5")
    for attribute, held in vars(value).items():
        other = getattr(again, attribute)
        if isinstance(held, StateMachine):
            assert pickle.dumps(other) == pickle.dumps(held)
        elif isinstance(held, np.ndarray):
            assert other.tobytes() == held.tobytes() and other.dtype == held.dtype, attribute
        else:
            assert other == held, attribute


def _value_bytes(value: Phases) -> int:
    arrays = [held for held in vars(value).values() if isinstance(held, np.ndarray)]
    return sum(array.nbytes for array in arrays)
