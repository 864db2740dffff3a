"""phases.csv, for people: an interval, its phase, its distance; and model.h5, for the next step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import KINDS, Intervals, Phases, Recipe, Signatures, StateMachine
from phasemark.store import hdf5, tables
from phasemark.store.stored import Group

FORMAT = "phasemark-model"

#: 1: centres, and neither a posterior nor distances of the whole. 2: whatever a model of phases gives.
FORMAT_VERSION = 2

#: What not every model gives -> its dimensions.
_OPTIONAL = {"centers": 2, "posterior": 2, "undivided": 1}


def write_csv(
    path: str | Path,
    intervals: Intervals,
    phases: Phases,
    *,
    made_by: Mapping[str, object] | None = None,
    more: Mapping[str, NDArray[Any]] | None = None,
) -> None:
    """phases.csv: run, thread, index, start, length, kind, phase, distance, and more columns where there are.

    Raises:
        WorkError: the file cannot be written.
    """
    table = {name: getattr(intervals, name) for name in ("run", "thread", "index", "start", "length")}
    table["kind"] = np.array(KINDS)[intervals.kind]
    table["phase"] = phases.labels
    table["distance"] = phases.distances
    table |= more or {}
    tables.write(path, table, made_by={**(made_by or {}), "unit": "instructions"})


def write_model(path: str | Path, signatures: Signatures, phases: Phases) -> None:
    """model.h5: signatures and phases, every number as it is.

    Raises:
        WorkError: the file cannot be written.
    """

    def fill(file: Any) -> None:
        file.attrs["format"] = FORMAT
        file.attrs["format_version"] = _version(phases)
        file.attrs["recipe"] = json.dumps(_told(signatures.recipe), sort_keys=True)
        file.attrs["model"] = json.dumps(phases.model, sort_keys=True)
        for name in ("matrix", "weights"):
            file.create_dataset(f"signatures/{name}", data=getattr(signatures, name))
        put(file.create_group("phases"), phases)

    hdf5.write(path, fill)


def _told(recipe: Recipe) -> dict[str, Any]:
    """A recipe of code alone is told as it always was, so that older phasemarks read it."""
    return {name: value for name, value in vars(recipe).items() if name != "events" or value}


def read_model(path: str | Path) -> tuple[Signatures, Phases]:
    """Read model.h5.

    Raises:
        DataError: not such a file, or damaged.
    """
    return _read_model(path, sealed=True)


def read_unsealed_model(path: str | Path) -> tuple[Signatures, Phases]:
    """As `read_model`, of a file without its digest: only in a process that may be stopped.

    Raises:
        DataError: as `read_model`.
    """
    return _read_model(path, sealed=False)


def made_again_by(path: str | Path) -> str:
    """A hint: which command makes such a file; those of `track` are told by name."""
    command = "track" if Path(path).stem == "track" else "phases"
    return f"run `phasemark {command}` again"


def _read_model(path: str | Path, *, sealed: bool) -> tuple[Signatures, Phases]:
    again = made_again_by(path)
    with hdf5.reading(path, "a model", hint=again, sealed=sealed) as file:
        if file.text("format", "") != FORMAT or file.integer("format_version") > FORMAT_VERSION:
            raise DataError("no model file that this phasemark can read", hint=again)
        recipe = Recipe(**json.loads(file.text("recipe")))
        made = file.group("signatures")
        signatures = Signatures(made.reals("matrix", 2), made.reals("weights"), recipe)
        return signatures, taken(file.group("phases"), dict(json.loads(file.text("model"))))


def put(group: Any, phases: Phases) -> None:
    """Write phases, but for the model that found them, to a group of h5py."""
    for name in ("labels", "centers", "distances", "posterior", "undivided"):
        if getattr(phases, name) is not None:
            group.create_dataset(name, data=getattr(phases, name))
    group.attrs["k"] = phases.k
    for name in ("scores", "inertia"):
        value: dict[int, float] = getattr(phases, name)
        group.create_dataset(f"{name}_k", data=np.array(list(value), np.int64))
        group.create_dataset(name, data=np.array(list(value.values()), np.float64))
    if phases.states is not None:
        _put_states(group.create_group("states"), phases.states)


def taken(group: Group, model: dict[str, Any]) -> Phases:
    """Read what `put` wrote.

    Args:
        group: where it is.
        model: that found them.

    Raises:
        DataError: it breaks an invariant.
    """
    fields: dict[str, Any] = {
        n: dict(zip(group.integers(f"{n}_k").tolist(), group.reals(n).tolist(), strict=True))
        for n in ("scores", "inertia")
    }
    fields |= {"labels": group.integers("labels"), "distances": group.reals("distances")}
    fields |= {n: group.reals(n, rank) if n in group else None for n, rank in _OPTIONAL.items()}
    states = _taken_states(group.group("states")) if "states" in group else None
    return Phases(**fields, k=group.integer("k", 0), model=model, states=states)


#: Of a state machine, what is stored as vectors.
_VECTORS = ("start", "shares", "blocks", "indptr", "indices")


def _put_states(group: Any, states: StateMachine) -> None:
    for name in _VECTORS:
        group.create_dataset(name, data=getattr(states, name))
    if states.transitions is not None:
        group.create_dataset("transitions", data=states.transitions)
    if states.leaving is not None:
        group.create_dataset("leaving", data=states.leaving)
    group.create_dataset("fit", data=np.array([states.log_likelihood, states.evidence]))
    for name in ("columns", "steps", "converged"):
        group.attrs[name] = int(getattr(states, name))


def _taken_states(group: Group) -> StateMachine:
    fit = group.reals("fit")
    if len(fit) != 2:
        raise DataError(f"its states have {len(fit)} numbers of the fit instead of 2")
    return StateMachine(
        start=group.reals("start"),
        transitions=group.reals("transitions", 2) if "transitions" in group else None,
        shares=group.reals("shares"),
        indptr=group.integers("indptr"),
        indices=group.integers("indices"),
        blocks=group.reals("blocks"),
        columns=group.integer("columns"),
        log_likelihood=float(fit[0]),
        steps=group.integer("steps"),
        converged=bool(group.integer("converged")),
        evidence=float(fit[1]),
        leaving=group.reals("leaving", 2) if "leaving" in group else None,
    )


def _version(phases: Phases) -> int:
    """What SimPoint finds stays readable for older phasemarks; they refuse the rest."""
    plain = phases.centers is not None and phases.posterior is None and phases.undivided is None
    return 1 if plain else FORMAT_VERSION
