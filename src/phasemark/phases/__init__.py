"""Signatures -> Phases: which intervals behave alike.

What a model of phases is stands in `protocol`, which models there are in `registry`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.phases.fitting import data_for, find, sequences
    from phasemark.phases.hmm import MultinomialHMM
    from phasemark.phases.hsmm import MultinomialHSMM
    from phasemark.phases.labelled import of_labels
    from phasemark.phases.likelihoods import Chain, Likelihood, held_out_likelihood, likelihood
    from phasemark.phases.mixture import MultinomialMixture
    from phasemark.phases.prediction import Prediction, held_out
    from phasemark.phases.protocol import PhaseModel
    from phasemark.phases.registry import DEFAULT_MODEL, MODELS, model, recorded, register, reseeded
    from phasemark.phases.simpoint import DEFAULT_SEED, SimPoint
    from phasemark.phases.stability import Outcome, Stability, adjusted_rand_index

#: Loaded when first named: `phases.search` alone needs no NumPy.
_MODULES = {
    "Chain": "likelihoods",
    "DEFAULT_MODEL": "registry",
    "DEFAULT_SEED": "simpoint",
    "Likelihood": "likelihoods",
    "MODELS": "registry",
    "MultinomialHMM": "hmm",
    "MultinomialHSMM": "hsmm",
    "MultinomialMixture": "mixture",
    "Outcome": "stability",
    "PhaseModel": "protocol",
    "Prediction": "prediction",
    "SimPoint": "simpoint",
    "Stability": "stability",
    "adjusted_rand_index": "stability",
    "data_for": "fitting",
    "find": "fitting",
    "held_back": "fitting",
    "held_out": "prediction",
    "held_out_likelihood": "likelihoods",
    "lengths_of": "fitting",
    "likelihood": "likelihoods",
    "model": "registry",
    "of_labels": "labelled",
    "recorded": "registry",
    "register": "registry",
    "reseeded": "registry",
    "sequences": "fitting",
}

__all__ = [
    "DEFAULT_MODEL",
    "DEFAULT_SEED",
    "MODELS",
    "Chain",
    "Likelihood",
    "MultinomialHMM",
    "MultinomialHSMM",
    "MultinomialMixture",
    "Outcome",
    "PhaseModel",
    "Prediction",
    "SimPoint",
    "Stability",
    "adjusted_rand_index",
    "data_for",
    "find",
    "held_back",
    "held_out",
    "held_out_likelihood",
    "lengths_of",
    "likelihood",
    "model",
    "of_labels",
    "recorded",
    "register",
    "reseeded",
    "sequences",
]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
