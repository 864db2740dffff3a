"""SimPoint is an estimator as scikit-learn understands it: its own checks say so."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from phasemark.errors import UsageError
from phasemark.phases import SimPoint

#: What does not apply, and why.
EXPECTED = {
    "check_estimators_unfitted": "our UsageError says it: NotFittedError would need scikit-learn",
    "check_sample_weight_equivalence_on_dense_data": "a weight is how long an interval is, not how often it "
    "occurs: BIC counts intervals, and random draws are among them",
}


@pytest.mark.filterwarnings("ignore:y is not used:UserWarning")
@pytest.mark.filterwarnings("ignore:Estimator SimPoint does not inherit:UserWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_passes_scikit_learns_checks() -> None:
    results = check_estimator(SimPoint(), expected_failed_checks=EXPECTED, on_fail=None)
    outcomes = {result["check_name"]: result for result in results}
    assert len(outcomes) > 40
    assert {name for name, result in outcomes.items() if result["status"] == "failed"} == set()
    assert {name for name, result in outcomes.items() if result["status"] == "xfail"} == set(EXPECTED)


def test_is_cloned_with_its_parameters_alone() -> None:
    model = SimPoint(max_k=5, seed=3).fit(np.eye(6))
    copy = clone(model)
    assert copy.get_params() == model.get_params() and not hasattr(copy, "phases_")


def test_ends_a_pipeline() -> None:
    x = np.repeat([[0.0, 5.0], [1.0, 0.0]], 20, axis=0)
    pipeline = make_pipeline(StandardScaler(), SimPoint(k=2))
    assert pipeline.fit_predict(x).tolist() == [0] * 20 + [1] * 20
    assert pipeline.predict(x[[20, 0]]).tolist() == [1, 0]


def test_a_second_argument_that_has_no_effect_is_said_so() -> None:
    with pytest.warns(UserWarning, match="weights are given as sample_weight"):
        SimPoint().fit([[0.0], [1.0]], [1.0, 3.0])


def test_what_is_not_fitted_says_so() -> None:
    for use in (lambda model: model.predict([[0.0]]), lambda model: model.phases_of(1)):
        with pytest.raises(UsageError, match="not fitted"):
            use(SimPoint())


def test_shows_what_differs_from_the_defaults() -> None:
    assert repr(SimPoint()) == "SimPoint()"
    assert repr(SimPoint(max_k=9, select="elbow")) == "SimPoint(max_k=9, select='elbow')"
    assert repr(SimPoint(init=np.zeros((3, 2)))) == "SimPoint(init=<array of 3 x 2>)"


def test_the_points_are_kept_only_where_that_is_asked_for() -> None:
    x = np.random.default_rng(1).random((5000, 15))
    model = SimPoint(k=[2, 3, 5]).fit(x)
    assert len(pickle.dumps(model)) < 5000 * 12 + 30_000, "labels and distances, and centres"
    assert not hasattr(model, "evidence_")
    assert model.phases_of(model.chosen_k_) is model.phases_
    other = next(k for k in (2, 3, 5) if k != model.chosen_k_)
    with pytest.raises(UsageError, match=f"k = {other} need the data"):
        model.phases_of(other)
    with pytest.raises(UsageError, match="no clustering of 4 phases"):
        model.phases_of(4)
    kept = SimPoint(k=[2, 3, 5], keep_data=True).fit(x)
    assert len(pickle.dumps(kept)) > x.nbytes
    assert kept.phases_of(other).labels.tolist() == SimPoint(k=other).fit(x).labels_.tolist()
    assert "keep_data" not in kept.phases_.model
    kept.set_params(keep_data=False).fit(x)
    assert not hasattr(kept, "evidence_") and len(pickle.dumps(kept)) < 5000 * 12 + 30_000


def test_scikit_learn_is_not_needed() -> None:
    program = (
        "import sys; from phasemark.phases import SimPoint; print(SimPoint(k=1).fit([[0.0]]).phases_);"
        "assert not [name for name in sys.modules if name.startswith('sklearn')]"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
