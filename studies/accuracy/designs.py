"""Every way to choose points, at equal numbers, judged on every machine: errors and intervals over seeds.

Nothing here reads or writes files: a program's profile and metrics in, numbers out.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from baselines import smarts, two_phase
from baselines.sums import Sums
from machines import METRICS, OTHER, Runs

from phasemark import signatures
from phasemark.estimates import PointOptions, choose, estimate
from phasemark.estimates.trials import Summary, Trial
from phasemark.model import Phases, Points, Profile, Signatures
from phasemark.phases import SimPoint, selection

#: Numbers of points at which everything is told; at the others CPI, for how many points an error needs.
BUDGETS = (10, 20, 40, 80)
ALL_BUDGETS = (5, *BUDGETS, 160)
BOUND = 30  # on k, of SimPoint's own choice
CONFIDENCE = 0.95

CODE, BEHAVIOUR, EVENTS = "code", "code+behaviour", "code+events"
SIGNATURES = (CODE, BEHAVIOUR, EVENTS)

#: What `phasemark points --budget` does, by signature; nearest points, as many phases as points; SimPoint.
STRATIFIED, NEAREST, SIMPOINT = "stratified", "nearest", "simpoint"
#: What phasemark does where nothing is asked for but a number of points.
DEFAULT = (STRATIFIED, BEHAVIOUR)

#: These know nothing of signatures.
PLAIN = ("random", "systematic", "start", "skip")
#: SMARTS judges the systematic points by its own rule, so that their errors are the same.
SMARTS, TWO_PHASE, TWO_PHASE_ALL = "SMARTS", "two-phase", "two-phase, all"
NONE = "-"

#: (method, signature), in the order of tables.
WAYS = (
    *((STRATIFIED, signature) for signature in SIGNATURES),
    ("phases", CODE),
    *((NEAREST, signature) for signature in SIGNATURES),
    (SMARTS, NONE),
    (TWO_PHASE, NONE),
    (TWO_PHASE_ALL, NONE),
    *((method, NONE) for method in PLAIN),
)
#: Those without a choice by chance, and without an error bar.
FIXED = ("start", "skip")
#: The number of points that SimPoint chooses itself.
OWN = 0


@dataclass(frozen=True)
class Group:
    """Machines that saw the same run, and a seed."""

    runs: Runs
    machines: Sequence[str]
    seed: int

    @property
    def profile(self) -> Profile:
        """Of the run that points are chosen in."""
        return self.runs.profiles[self.machines[0]]

    def places(self, signature: str = CODE) -> Signatures:
        """The intervals by their code, and perhaps by what they do with memory and at branches."""
        code = signatures.project(self.profile, signatures.DEFAULT_DIMS, self.seed)
        return code if signature == CODE else signatures.with_behaviour(code, self.profile)


@dataclass(frozen=True)
class Found:
    """What points come to on a machine: metric -> trial. `budget` is OWN where the method has its own."""

    machine: str
    method: str
    signature: str
    budget: int
    trials: dict[str, Trial]


def estimates(runs: Runs, seeds: int) -> Iterator[dict[str, Any]]:
    """Of each machine, way, number of points and metric: error and interval over all seeds."""
    trials: dict[tuple[str, str, str, int, str], list[Trial]] = defaultdict(list)
    for seed in range(1, seeds + 1):
        for machines in runs.groups():
            for found in of_seed(Group(runs, machines, seed)):
                for metric, trial in found.trials.items():
                    key = (found.machine, found.method, found.signature, found.budget, metric)
                    trials[key].append(trial)
    names = ("machine", "method", "signature", "budget", "metric")
    for key, of_seeds in trials.items():
        yield {**dict(zip(names, key, strict=True)), **dataclasses.asdict(Summary.of(of_seeds))}


def of_seed(group: Group) -> Iterator[Found]:
    """All ways to choose points, with one seed."""
    model = fit(group.places(), group.seed)
    yield from _by_signature(group, model)
    yield from _few_phases(group, model)
    yield from _plain(group, model)
    yield from _two_phase(group)


def fit(places: Signatures, seed: int) -> SimPoint:
    """Every k that is asked for later but the largest; one clustering a seed."""
    ks = sorted({k for k in (*range(1, BOUND + 1), *BUDGETS) if k <= _most(places)})
    return SimPoint(k=ks, seed=seed, keep_data=True).fit(places)


def stratified(group: Group, phases: Phases, places: Signatures, budget: int) -> Points:
    """What `phasemark points --budget` chooses before anything is measured."""
    asked = PointOptions(budget=budget, seed=group.seed, confidence=CONFIDENCE)
    return choose(group.profile, phases, asked, signatures=places).points


def _typical(group: Group, phases: Phases, places: Signatures) -> Points:
    """What `phasemark points` chooses without options, of phases that were found in some signatures."""
    return choose(group.profile, phases, PointOptions(confidence=CONFIDENCE), signatures=places).points


def _nearest(model: SimPoint, places: Signatures, k: int, seed: int) -> Phases:
    """k phases. Of very many one clustering from one start: growing them takes most of the study's time."""
    k = min(k, _most(places))
    if k in model.clusterings_:
        return model.phases_of(k)
    return SimPoint(k=k, seed=seed, restarts=1).fit(places).phases_


def _most(places: Signatures) -> int:
    return max(1, (len(places) - 1) // 2)


def _by_signature(group: Group, of_code: SimPoint) -> Iterator[Found]:
    """Stratified and nearest points, in each signature, on the machines that it may be judged on."""
    for signature, judged, places in _signatures(group):
        model = of_code if signature == CODE else fit(places, group.seed)
        of_own = model.phases_of(selection.choose("bic-threshold", model.evidence_.up_to(BOUND)))
        own = _typical(group, of_own, places)
        yield from _judged(judged, (SIMPOINT, signature), OWN, own)
        for budget in ALL_BUDGETS:
            drawn = stratified(group, of_own, places, budget)
            yield from _judged(judged, (STRATIFIED, signature), budget, drawn)
            nearest = _nearest(model, places, budget, group.seed)
            yield from _judged(judged, (NEAREST, signature), budget, _typical(group, nearest, places))


def _signatures(group: Group) -> Iterator[tuple[str, Group, Signatures]]:
    """Signature, the machines that it is judged on, and the places of the intervals in it."""
    code = group.places()
    yield CODE, group, code
    yield BEHAVIOUR, group, group.places(BEHAVIOUR)
    for other in sorted({OTHER[machine] for machine in group.machines}):
        judged = [machine for machine in group.machines if OTHER[machine] == other]
        rates = signatures.event_rates(group.profile, group.runs.metrics[other])
        # Points are those of one run, whichever of the machines are looked at.
        yield EVENTS, dataclasses.replace(group, machines=judged), signatures.combine(code, rates)


def _few_phases(group: Group, model: SimPoint) -> Iterator[Found]:
    """Random points of few phases, as `--strata phases` draws them."""
    for budget in ALL_BUDGETS:
        most = max(1, min(BOUND, budget // 2))
        few = model.phases_of(selection.choose("noise-floor", model.evidence_.up_to(most)))
        asked = PointOptions(budget=budget, seed=group.seed, confidence=CONFIDENCE, strata="phases")
        yield from _judged(group, ("phases", CODE), budget, choose(group.profile, few, asked).points)


def _plain(group: Group, model: SimPoint) -> Iterator[Found]:
    """Points that need no signature."""
    for budget in ALL_BUDGETS:
        for method in PLAIN:
            if method in FIXED and group.seed > 1:
                continue
            asked = PointOptions(method=method, budget=budget, seed=group.seed, confidence=CONFIDENCE)
            drawn = choose(group.profile, model.phases_of(1), asked).points
            yield from _judged(group, (method, NONE), budget, drawn)
            if method == "systematic":
                yield from _smarts(group, budget, drawn)


def _judged(group: Group, way: tuple[str, str], budget: int, points: Points) -> Iterator[Found]:
    """What points come to on each of the machines."""
    for machine in group.machines:
        names, truth = group.runs.names(machine), group.runs.truth(machine)
        wanted = {metric: names[metric] for metric in _metrics(budget)}
        metrics = group.runs.metrics[machine]
        found = estimate(points, metrics, names=sorted(set(wanted.values())), confidence=CONFIDENCE)
        trials = {
            metric: Trial(len(points), found.value[name], found.interval[name], truth[metric])
            for metric, name in wanted.items()
        }
        yield Found(machine, *way, budget, trials)


def _smarts(group: Group, budget: int, points: Points) -> Iterator[Found]:
    for machine in group.machines:
        sums = _sums(group.runs, machine, budget)
        found = {metric: smarts.trial(of, points.interval, CONFIDENCE) for metric, of in sums.items()}
        yield Found(machine, SMARTS, NONE, budget, found)


def _two_phase(group: Group) -> Iterator[Found]:
    for machine in group.machines:
        cheap = group.runs.elsewhere(machine)
        for budget in ALL_BUDGETS:
            sums = _sums(group.runs, machine, budget)
            for method, share in ((TWO_PHASE, two_phase.HALF), (TWO_PHASE_ALL, two_phase.ALL)):
                sample = two_phase.draw(cheap, budget, group.seed, share)
                found = {metric: two_phase.trial(of, sample, CONFIDENCE) for metric, of in sums.items()}
                yield Found(machine, method, NONE, budget, found)


def _sums(runs: Runs, machine: str, budget: int) -> dict[str, Sums]:
    names = runs.names(machine)
    return {metric: Sums.of(runs.metrics[machine], names[metric]) for metric in _metrics(budget)}


def _metrics(budget: int) -> Sequence[str]:
    return METRICS if budget in (OWN, *BUDGETS) else METRICS[:1]


def smarts_needs(runs: Runs, machine: str) -> dict[str, int]:
    """Points of SMARTS for errors of 1, 2 and 5% of CPI, from the deviation of all intervals."""
    sums = Sums.of(runs.metrics[machine], "cpi")
    return {f"{error:.0%}": smarts.needed(sums, error, CONFIDENCE) for error in (0.01, 0.02, 0.05)}
