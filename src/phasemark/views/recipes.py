"""Recipes: how signatures and phases were made, in the words and options of `phasemark phases`."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from phasemark import phases
from phasemark.errors import counted
from phasemark.model.signatures import Recipe
from phasemark.online.tracker import Tracker
from phasemark.phases.labelled import GIVEN
from phasemark.signatures.behaviour import SURPRISES
from phasemark.signatures.memory import REUSE

#: What blocks are known by, or what was counted instead.
_KEYS = {
    "module+offset": "blocks, by module and offset",
    "id": "blocks, by their numbers",
    "site": "loops, calls and returns",
}
#: Options that the command calls otherwise than the models do.
CALLED = {"n_components": "states"}
#: Options that the command writes as shares, but for the distance of online phases.
_SHARES = ("threshold",)


def of_signatures(recipe: Recipe) -> str:
    """What of an interval is compared, and how its vector was made."""
    if events := recipe.events.split():
        code = dataclasses.replace(recipe, dims=recipe.dims - len(events), events="")
        return f"{of_signatures(code)}; beside it {_beside(events)}"
    seen = _KEYS.get(recipe.key, recipe.key)
    shares = "as shares of the interval" if recipe.normalisation == "l1" else "as counts"
    dims = counted(recipe.dims, "dimension")
    if recipe.projection == "none":
        return f"{seen}, {shares}, in {dims}"
    return f"{seen}, {shares}, projected at random to {dims} (seed {recipe.seed})"


def beside_code(recipe: Recipe) -> str:
    """What phases were told apart by beside code, in a word or three; empty of code alone."""
    events = recipe.events.split()
    words = ["memory"] if any(REUSE in name for name in events) else []
    words += ["branches"] if SURPRISES in events else []
    return " and ".join(words) if words or not events else "rates of events"


def _beside(events: list[str]) -> str:
    """What has the last columns."""
    sizes: dict[str, list[str]] = {}
    if events[-1] == SURPRISES:
        return f"{_beside(events[:-1])}, and how often branches surprised"
    for name in events:
        kind, is_reuse, size = name.partition(REUSE)
        if not is_reuse:
            return f"the rates of {', '.join(events)}"
        sizes.setdefault(kind, []).append(size)
    told = (f"{kind} after {of[0]} to {of[-1]} of other {kind}" for kind, of in sizes.items())
    return f"how often it used {' and '.join(told)}"


def _signature(recipe: Recipe) -> str:
    """What the command calls the signature; empty where it has no name for it."""
    if not (events := recipe.events.split()):
        return "loops" if recipe.key == "site" else "blocks"
    if events[-1] == SURPRISES:
        return "code+behaviour"
    return "" if any(REUSE in name for name in events) else "code+events"


def of_phases(model: Mapping[str, Any], recipe: Recipe | None = None) -> str:
    """The command that finds them, without the folder; other parameters, where they are not the defaults.

    Args:
        model: `Phases.model`: method, parameters, notes.
        recipe: of the signatures beside them, which the option `--signature` is taken from.
    """
    name = str(model.get("method", ""))
    if name not in phases.MODELS:
        return "given by another tool" if name == GIVEN else ""
    known = phases.model(name)
    options = [
        f"--{CALLED.get(option, option).replace('_', '-')} "
        + (str(model[option]) if name == Tracker.name else _value(option, model[option]))
        for option in known.options
        if option in model and (model[option] is not None or option == "tempering")
    ]
    seen = "" if recipe is None else _signature(recipe)
    if seen and (known.input == "signatures" or seen == "loops"):
        options.insert(0, f"--signature {seen}")
    others = {
        parameter: model[parameter]
        for parameter, usual in known.get_params().items()
        if parameter in model and parameter not in known.options and model[parameter] != usual
    }
    said = " ".join([f"phasemark phases --model {name}", *options])
    return "; ".join([said, *(f"{parameter} {value}" for parameter, value in others.items())])


def _value(option: str, value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(_value(option, one) for one in value)
    if value is None:
        return "all"  # of the tempering
    if option in _SHARES:
        return f"{100 * value:g}%"
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value)
