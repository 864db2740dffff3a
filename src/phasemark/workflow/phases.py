"""Profile -> phases, in a run's folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from phasemark import phases, signatures
from phasemark.errors import DataError, UsageError
from phasemark.formats.points import simpoint_files
from phasemark.model import Intervals, Phases, Signatures
from phasemark.online.tracker import Tracker  # noqa: F401  makes it known to phases.MODELS
from phasemark.phases import SimPoint
from phasemark.progress import Progress
from phasemark.store import phases_store
from phasemark.store.folder import Folder
from phasemark.store.missing import no_file
from phasemark.workflow import projecting
from phasemark.workflow.alone import alone
from phasemark.workflow.reading import read
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from phasemark.store.change import Change


@dataclass(frozen=True, init=False)
class PhaseOptions:
    """How phases are found.

    Attributes:
        model: its name in phases.MODELS.
        dims: of the projection, see signatures.project; None: 15. Of a model that projects counts itself, of
            its own, by its own rule.
        seed: of the projection and of the model.
        signature: what of an interval is looked at: `blocks` (or `code`), `loops`; or blocks, and beside
            them (`code+behaviour`) how long ago memory was used and how branches surprise, or (`code+events`)
            how often caches, TLBs and predictors missed, by the run's metrics.csv. None: code+behaviour where
            that was recorded of a run in intervals of equal length, of models that compare signatures; else
            blocks.
        parameters: of the model's constructor, by name; those that are not given have its defaults, or what
            suits intervals of variable length, see `SimPoint.for_variable`.
    """

    model: str
    dims: int | None
    seed: int
    signature: str | None
    parameters: Mapping[str, Any]

    def __init__(
        self,
        model: str = phases.DEFAULT_MODEL,
        *,
        dims: int | None = None,
        seed: int = phases.DEFAULT_SEED,
        signature: str | None = None,
        **parameters: Any,
    ) -> None:
        if dims is None and not _projects_itself(model):
            dims = signatures.DEFAULT_DIMS
        signature = "blocks" if signature == "code" else signature
        values = {"model": model, "dims": dims, "seed": seed, "signature": signature}
        for name, value in {**values, "parameters": parameters}.items():
            object.__setattr__(self, name, value)

    def estimator(self) -> phases.PhaseModel:
        """The model, not yet fitted.

        Raises:
            UsageError: there is no such model, or it has no such parameter.
        """
        parameters = dict(self.parameters)
        if _projects_itself(self.model) and self.dims is not None:
            parameters["dims"] = self.dims
        return phases.reseeded(phases.model(self.model, **parameters), self.seed)

    @property
    def signature_dims(self) -> int:
        """Dimensions of the signatures that are kept with the phases."""
        if self.dims is None or _projects_itself(self.model):
            return signatures.DEFAULT_DIMS
        return self.dims

    def check(self) -> None:
        """See that the options make sense.

        Raises:
            UsageError: one does not.
        """
        signatures.check(self.signature_dims)
        estimator = self.estimator()
        estimator.check()
        if self.signature is None:
            return
        signatures.check_kind(self.signature, signatures.BESIDE_CODE)
        if self.signature in signatures.BESIDE_CODE and estimator.input != "signatures":
            raise UsageError(
                f"{self.model} looks at counts of instructions, beside which nothing else has a place",
                hint="take the model simpoint, or blocks",
            )

    def kind_for(self, folder: Folder) -> str:
        """The signature to look for in a folder: what was asked for, or blocks, or the best that is there.

        Runs that were joined, and intervals of variable length, are compared by what they execute alone.
        """
        if self.signature is not None:
            return self.signature
        is_joined = folder.entry_of("profile").get("command") == "parallel"
        if is_joined or folder.entry_of("intervals") or self.estimator().input != "signatures":
            return "blocks"
        return projecting.BEST

    def with_signature(self, signature: str) -> PhaseOptions:
        """The same with another signature."""
        return PhaseOptions(
            self.model, dims=self.dims, seed=self.seed, signature=signature, **self.parameters
        )

    def suited(self, folder: Folder, intervals: Intervals) -> PhaseOptions:
        """The same; of variable intervals with what suits them, where nothing else is asked for."""
        if self.model != SimPoint.name or not folder.entry_of("intervals"):
            return self
        parameters = {**SimPoint.for_variable(len(intervals)), **self.parameters}
        return PhaseOptions(
            self.model, dims=self.dims, seed=self.seed, signature=self.signature, **parameters
        )

    def with_seed(self, seed: int) -> PhaseOptions:
        """The same with another seed."""
        return PhaseOptions(
            self.model, dims=self.dims, seed=seed, signature=self.signature, **self.parameters
        )

    def entry(self) -> dict[str, Any]:
        """The options by name, as run.json and the comments of tables have them.

        Of the model's parameters those that a command offers, and those that were given.
        """
        model = self.estimator()
        given = [name for name in self.parameters if name not in model.options]
        entry: dict[str, Any] = {} if self.model == phases.DEFAULT_MODEL else {"model": self.model}
        if self.signature not in (None, "blocks"):
            entry["signature"] = self.signature
        for name, value in model.get_params().items():
            if name == "seed":
                entry["dims"] = self.dims
            if name in model.options or name in given:
                entry[name] = value
        return {**entry, "dims": self.dims, "seed": self.seed}

    @classmethod
    def of_entry(cls, entry: Mapping[str, Any]) -> PhaseOptions:
        """The options that an entry of run.json tells; those that it does not tell have their defaults.

        Without a word of signatures phases were found in blocks.

        Raises:
            UsageError: there is no such model.
        """
        name = str(entry.get("model", phases.DEFAULT_MODEL))
        known = {"dims", "seed", "signature", *phases.model(name).get_params()}
        told = {key: value for key, value in entry.items() if key in known}
        return cls(name, **({"signature": "blocks", **told} if entry else {}))


def _projects_itself(model: str) -> bool:
    """Whether a model has dimensions of its own; whether there is one, `check` tells."""
    try:
        return "dims" in phases.model(model).get_params()
    except UsageError:
        return False


@dataclass(frozen=True, repr=False)
class PhaseResult(Result):
    """The phases found in a run.

    Attributes:
        intervals, signatures: of the run.
        phases: its phases.
        notes: what the user should know, one sentence each.
        discarded: what became of files that were made from other phases, one phrase each.
    """

    intervals: Intervals
    signatures: Signatures
    phases: Phases
    notes: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()

    def frame(self) -> pd.DataFrame:
        """One row an interval, with its phase and distance."""
        return self.phases.frame(self.intervals)


@alone("phases")
def find_phases(
    folder: Folder,
    options: PhaseOptions | None = None,
    progress: Progress | None = None,
    *,
    cached: bool = True,
) -> PhaseResult:
    """Find the phases of a run; write phases.csv, model.h5, and labels where there is one thread.

    Args:
        folder: a run's folder with its profile.h5.
        options: None: the defaults.
        progress: told how many k are done, of how many.
        cached: see `projecting.project`.

    Raises:
        DataError: there is no profile, or it is damaged.
        UsageError: an option makes no sense.
        WorkError: a file cannot be written.
    """
    options = options or PhaseOptions()
    options.check()
    kind = options.kind_for(folder)
    run = projecting.project(folder, options.signature_dims, options.seed, kind, cached=cached)
    options = options.with_signature(signatures.kind_of(run.signatures.recipe))
    options = options.suited(folder, run.intervals)
    fitted = phases.find(
        options.estimator(),
        run.intervals,
        run.signatures,
        lambda: signatures.counts(read(folder.path), kind),
        progress=progress,
    )
    if cut := _cut_short(folder):
        model = {**fitted.model, "notes": [*fitted.model["notes"], cut]}
        fitted = dataclasses.replace(fitted, model=model)
    discarded = keep_phases(folder, run.intervals, run.signatures, fitted, options.entry())
    return PhaseResult(run.intervals, run.signatures, fitted, tuple(fitted.model["notes"]), discarded)


def _cut_short(folder: Folder) -> str:
    """What is to be said of phases of a recording that has no end; empty where it has one."""
    if folder.is_unfinished():
        return "the recording is unfinished: these are the phases of what was recorded of it"
    entry = folder.entry_of("profile")
    if not entry.get("complete", True):
        if entry.get("command") == "parallel":
            return "a run was recorded in part: these are the phases of what is there of it"
        return "the recording was cut short: these are the phases of its beginning"
    return ""


def keep_phases(
    folder: Folder,
    intervals: Intervals,
    signatures: Signatures,
    fitted: Phases,
    options: dict[str, Any],
    *,
    command: str = "phases",
    more: Callable[[Change], None] | None = None,
) -> tuple[str, ...]:
    """Write phases.csv, model.h5, labels and their entry in run.json.

    Args:
        folder: a run's folder with its profile.h5.
        intervals, signatures: of the run.
        fitted: its phases.
        options: how they were found, by name.
        command: that found them.
        more: puts further files into the same change.

    Returns:
        What became of files that were made from other phases, one phrase each.

    Raises:
        DataError: run.json is damaged.
        WorkError: a file cannot be written.
    """
    entry = {**options, "found": fitted.k, "notes": fitted.model.get("notes", [])}
    made_by = {"command": command, **options}
    with folder.change(command) as new:
        if not _are_known(folder, entry, fitted):
            new.discard_from("phases")
        phases_store.write_csv(new.phases, intervals, fitted, made_by=made_by)
        phases_store.write_model(new.model, signatures, fitted)
        if int(intervals.first_of_thread().sum()) == 1:
            simpoint_files.write_labels(new["labels"], fitted)
        new.record("phases", entry)
        if more is not None:
            more(new)
    return tuple(new.discarded)


def read_phases(folder: Folder) -> tuple[Signatures, Phases]:
    """The signatures and phases of a run.

    Raises:
        DataError: phases were not found yet, or model.h5 is damaged.
    """
    if not folder.model.exists():
        raise no_file(folder.model, "run `phasemark phases DIR` first")
    return phases_store.read_model(folder.model)


def _are_known(folder: Folder, entry: dict[str, Any], fitted: Phases) -> bool:
    """Whether the folder holds these very phases, so that what was made from them stays true."""
    try:
        if not folder.is_recorded_as("phases", entry):
            return False
        _, before = phases_store.read_model(folder.model)
    except DataError:
        return False
    return np.array_equal(before.labels, fitted.labels) and np.array_equal(before.distances, fitted.distances)
