"""One run of a program: from a command line to profile.h5 in a folder.

While the program runs, its collector writes to OUT/raw, and profile.h5 is a checkpoint made from what
is there (docs/adr/0004-checkpoints.md); run.json says that the run is going on. At the end profile.h5
is made once more, of everything, and OUT/raw goes. Where OUT holds an earlier run that was finished, all
this is in OUT/recording until the end.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from phasemark import memory
from phasemark.collect import code_maps, interval_length, process_tree, together, tracing
from phasemark.collect.engines import notes
from phasemark.collect.engines.protocol import Collector
from phasemark.collect.engines.registry import COLLECTORS, SAMPLING_COLLECTORS, TIMING_COLLECTORS
from phasemark.collect.process_tree import Image
from phasemark.collect.recording import Recording
from phasemark.collect.request import Request, absolute
from phasemark.collect.running import Ended, execute
from phasemark.collect.tracing import traced
from phasemark.collect.watching import Headway, Watch
from phasemark.errors import CollectorError, DataError, PhasemarkError, WorkError, counted
from phasemark.model import Metrics, Profile
from phasemark.model.streamed import StreamedCounts
from phasemark.progress import Progress
from phasemark.store import events_h5, leftovers, profile_h5
from phasemark.store.events_h5 import PackedTrace
from phasemark.store.folder import Folder

_CHECKPOINT_SECONDS = 10.0
_TELL_SECONDS = 0.5


def record(
    request: Request,
    out: str | Path,
    *,
    keep_raw: bool = False,
    progress: Callable[[Headway], None] | None = None,
) -> Recording:
    """Run a program under a collector and write its profile.

    Args:
        request: what to run.
        out: the folder for profile.h5 and run.json; an earlier run in it stays until this one is done, and
            goes then. Meanwhile this one is in OUT/recording, and stays there if it fails, if it was
            interrupted, or if the program's exit status is neither 0 nor that of the earlier run.
        keep_raw: leave what the collector wrote in OUT/raw.
        progress: called about twice a second while the program runs, and then while the profile is made.

    Raises:
        MissingTool: the collector is not on this machine.
        CollectorError: the program cannot be run, or nothing was recorded.
        WorkError: `out` cannot be written, another command is at work in it, or there is not enough memory;
            what was recorded is then kept in OUT/raw.
    """
    check(request, out)
    collector = COLLECTORS[request.collector]
    run = Folder(out).create()
    with run.held("profile", takes_long=True):
        stale = run.is_recorded()
        folder, discarded = _made_ready(run, keep_raw=keep_raw)
        raw = absolute(folder.path) / "raw"
        invocation = collector.prepare(request.job, raw)
        folder.record("profile", request.entry(state="running"))
        raw.mkdir()
        watch = _Watcher(collector, request, folder, raw, progress)
        began = time.time()
        with _raw_is_named(folder):
            ended = execute(invocation, raw, watch.tick, stdin=request.stdin)
            reading, writing = (watch.told(half, final=True) for half in range(2))
            result, events = _finish(collector, request, folder, raw, ended, began=began, progress=reading)
            result = _placed(result, run)
            lost = notes.lost(notes.read(raw))
            discarded += _write(result, events, request, began, lost=lost, progress=writing)
            result = replace(result, profile=_as_kept(result))
        if not result.failure:
            if result.is_beside:
                run = folder
            # Processes that live on still write there.
            keep_raw = keep_raw or any(image.running for image in result.images)
            _tidy(run, folder, keep_raw=keep_raw, stale=stale)
    return replace(result, discarded=tuple(discarded))


@contextlib.contextmanager
def _raw_is_named(folder: Folder) -> Iterator[None]:
    """Say where what was recorded is, if there is not enough memory to make a profile of it."""
    try:
        yield
    except Exception as error:
        if not memory.lacks(error):
            raise
        raise WorkError(
            "there is not enough memory to make a profile of what was recorded",
            hint=f"it is kept in {folder.raw}; where there is more, phasemark phases {folder.path} reads it",
        ) from error


def check(request: Request, out: str | Path) -> None:
    """Find what is wrong with a request before anything is made.

    Raises:
        MissingTool: the collector is not on this machine.
        CollectorError: there is no such program.
    """
    COLLECTORS[request.collector].prepare(request.job, absolute(out) / "raw")


def rebuild(out: str | Path, *, process: str | None = None) -> Profile:
    """The profile of a run whose phasemark was killed, from what its collector wrote to OUT/raw.

    Args:
        out: the run's folder.
        process: another process image than the one asked for when it ran.

    Raises:
        CollectorError: nothing was recorded.
        DataError: the folder or a file in it is malformed.
    """
    request, image = _left(Folder(out), process)
    return together.profile(COLLECTORS[request.collector], image, request.interval, complete=False)


def rebuild_events(out: str | Path) -> PackedTrace:
    """The events of a run whose phasemark was killed, as `rebuild` gives its profile.

    Raises:
        CollectorError: nothing was recorded.
        DataError: the folder or a file in it is malformed, or events were not recorded.
    """
    request, image = _left(Folder(out), None)
    profile = COLLECTORS[request.collector].profile(image, request.interval, complete=False)
    trace, _, why = traced(request.collector, image, profile)
    if trace is None:
        raise DataError(why, path=Folder(out).raw, hint="profile the run again with --events")
    return trace


def _left(folder: Folder, process: str | None) -> tuple[Request, Image]:
    """What was asked for, and the image that was recorded of it."""
    request = _request(folder)
    asked = replace(request, process=process or request.process)
    image = _recorded(COLLECTORS[request.collector], folder["raw"], asked)
    if image is None:
        raise CollectorError(f"{folder['raw']}: holds no data of the process", hint="profile the run again")
    return request, image


def clear(folder: Folder) -> list[str]:
    """Remove the files of an earlier run, and nothing else.

    Returns:
        What became of those that are dear, one phrase each.

    Raises:
        DataError: run.json is damaged.
        WorkError: the folder cannot be written, or another command is at work in it.
    """
    _require_ours(folder, folder.raw)
    _remove(folder.raw)
    return folder.discard_from("profile")


def _made_ready(run: Folder, *, keep_raw: bool) -> tuple[Folder, list[str]]:
    """The folder to record into, and what was discarded of an earlier run that was not finished."""
    if not run.holds_result():
        return run, clear(run)
    _require_ours(run.recording, run.recording.path)
    if keep_raw:
        _require_ours(run, run.raw)
    _remove(run.recording.path)
    return run.recording.create(), []


def _require_ours(folder: Folder, path: Path) -> None:
    """See that what is removed with all that is in it is of a recording.

    Raises:
        DataError: run.json is damaged.
        WorkError: it may be the user's.
    """
    holds = path.is_dir() and any(entry.name[0] != "." for entry in path.iterdir())
    if (holds or (os.path.lexists(path) and not path.is_dir())) and not folder.is_recorded():
        raise WorkError(
            f"{path}: a recording would take its place, and phasemark did not make it",
            hint="move it away, or choose another folder with -o",
        )


def _remove(path: Path) -> None:
    """Remove a folder with all that is in it; killed meanwhile, it is not half there."""
    if path.is_dir():
        gone = leftovers.name_for(path, "new")
        path.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def _placed(result: Recording, run: Folder) -> Recording:
    """The recording in the run's folder; one that went wrong does not take the place of a finished run."""
    if result.folder is run:
        return result
    if result.failure:
        stays = f"the earlier run in {run.path} stays as it is; this one is in {result.folder.path}"
    elif result.interrupted:
        stays = (
            "kept the earlier run; the new one, which was interrupted and is incomplete, is in "
            f"{result.folder.path}"
        )
    elif result.status not in (0, run.entry_of("profile").get("status")):
        stays = (
            f"kept the earlier run; the new one, whose program ended with status {result.status}, is in "
            f"{result.folder.path}"
        )
    else:
        return replace(result, folder=run)
    return replace(result, warnings=(*result.warnings, stays), is_beside=True)


def _tidy(run: Folder, folder: Folder, *, keep_raw: bool, stale: bool) -> None:
    """Remove what only the recording needed, or put it where it is looked for.

    Args:
        run: whose run it is.
        folder: that it was recorded into.
        keep_raw: the raw streams stay.
        stale: those in `run`, of an earlier recording, go.
    """
    if not keep_raw:
        _remove(folder.raw)
    if folder is not run:
        if stale:
            _remove(run.raw)
        if keep_raw:
            folder.raw.replace(run.raw)
        _remove(folder.path)


def _recorded(collector: Collector, raw: Path, request: Request) -> Image | None:
    """The image to analyse, of those of which something was recorded so far."""
    images = [image for image in collector.images(raw)[0] if image.instructions]
    return process_tree.chosen(images, request.process, joins=request.joins) if images else None


def _request(folder: Folder) -> Request:
    entry = folder.entry_of("profile")
    try:
        names = ("command", "interval", "collector", "process")
        fields = {name: entry[name] for name in names}
        return Request(**{**fields, "command": tuple(fields["command"])})
    except (KeyError, TypeError) as error:
        raise DataError(
            f"says nothing of a run ({error})", path=folder["run.json"], hint="profile the run again"
        ) from error


@dataclass
class _Watcher:
    """What happens while the program runs: progress is told, checkpoints are written.

    A checkpoint is made whenever there is twice as much data as at the last one, so all of them
    together cost at most as much as the conversion at the end.
    """

    collector: Collector
    request: Request
    folder: Folder
    raw: Path
    progress: Callable[[Headway], None] | None
    saved_size: int = 0
    saved_at: float = field(default_factory=time.monotonic)
    began: float = field(default_factory=time.time)

    def __post_init__(self) -> None:
        self.watch = Watch(self.raw)

    def told(self, half: int, *, final: bool) -> Progress:
        """Tells how far a profile is, about twice a second: read is one half of the work, written the other.

        Args:
            half: 0 or 1.
            final: the program has ended, and the profile is all that is waited for.
        """
        last = time.monotonic()

        def tell(done: int, total: int) -> None:
            nonlocal last
            if self.progress is not None and time.monotonic() - last >= _TELL_SECONDS:
                last = time.monotonic()
                share = (half + done / max(total, 1)) / 2
                self.progress(replace(self.watch.update(), kept=share if final else None))

        return tell

    def tick(self) -> None:
        now = self.watch.update()
        if self.progress:
            self.progress(now)
        due = time.monotonic() - self.saved_at >= _CHECKPOINT_SECONDS
        if due and now.size > 2 * self.saved_size:
            self.saved_size = now.size
            # What is wrong with the data, the disk or memory is told at the end; the program runs on.
            with contextlib.suppress(PhasemarkError, MemoryError):
                self._checkpoint()
            self.saved_at = time.monotonic()

    def _checkpoint(self) -> None:
        image = _recorded(self.collector, self.raw, self.request)
        if image is not None:
            code_maps.keep([image], self.raw, self.began)
            reading, writing = (self.told(half, final=False) for half in range(2))
            collector, interval = self.collector, self.request.interval
            profile = together.profile(collector, image, interval, complete=False, progress=reading)
            profile_h5.write(self.folder.profile, profile, writing)


def _finish(
    collector: Collector,
    request: Request,
    folder: Folder,
    raw: Path,
    ended: Ended,
    *,
    began: float,
    progress: Progress,
) -> tuple[Recording, PackedTrace | None]:
    images, warnings = collector.images(raw)
    code_maps.keep(images, raw, began)
    recorded = [image for image in images if image.instructions]
    if not recorded:
        raise _nothing(request, raw, ended, warnings)
    analysed = process_tree.chosen(recorded, request.process, joins=request.joins)
    failure = ""
    if analysed is None:
        analysed = process_tree.largest(recorded)
        failure = (
            f"nothing was recorded of a process {request.process!r}; the one with the most instructions "
            f"({analysed.program}, number {analysed.number}) was analysed instead"
        )
    cut_short = ended.interrupted and ended.status != 0
    profile = together.profile(
        collector, analysed, request.interval, complete=not cut_short, progress=progress
    )
    if cut := sorted({image.program for image in images if image.cut}):
        failure = failure or f"what was recorded of {', '.join(cut)} stops before its end"
    events: PackedTrace | None = None
    missing: list[str] = []
    if request.events:
        events, missing, why = traced(request.collector, analysed, profile)
        failure = failure or why
    told = [*_interrupted(ended, cut_short), *missing, *_short_run(profile), *_unfinished(analysed)]
    more = [*told, *_still_running(images), *warnings]
    profile = _warned(profile, more)
    metrics = _metrics(request, analysed, profile)
    recording = Recording(
        folder,
        profile,
        tuple(images),
        analysed,
        ended.status,
        profile.provenance.warnings,
        failure,
        metrics,
        ended.cpu_seconds,
        interrupted=cut_short,
        told_to_end=ended.interrupted,
    )
    return recording, events and replace(events, provenance=profile.provenance)


def _nothing(request: Request, raw: Path, ended: Ended, warnings: Sequence[str]) -> CollectorError:
    """Nothing was recorded; the program ran all the same, and its exit status is its own."""
    what = f"nothing was recorded of {request.command[0]} (exit status {ended.status})"
    if raw.is_dir():
        hint = f"see what the collector said in {raw}"
        error = CollectorError(what + "".join(f"; {w}" for w in warnings), hint=hint)
    else:
        error = CollectorError(
            f"{what}: {raw.parent} was removed while it ran",
            hint="choose a folder with -o that the program leaves alone",
        )
    error.exit_status = ended.status or error.exit_status
    return error


def _metrics(request: Request, image: Image, profile: Profile) -> Metrics | None:
    if request.collector in SAMPLING_COLLECTORS:
        return SAMPLING_COLLECTORS[request.collector].metrics_beside(image, request.interval)
    if request.timing is None:
        return None
    return together.metrics(TIMING_COLLECTORS[request.collector], image, profile)


def _warned(profile: Profile, sentences: Sequence[str]) -> Profile:
    new = [s for s in dict.fromkeys(sentences) if s not in profile.provenance.warnings]
    provenance = profile.provenance.warn(*new)
    return replace(profile, provenance=provenance)


def _short_run(profile: Profile) -> list[str]:
    longest = int((profile.interval_table.start + profile.interval_table.length).max())
    interval = profile.provenance.interval
    if interval is None or longest >= interval:
        return []
    ran = profile.provenance.length_in_words(longest)
    thread = profile.interval_table.thread
    who, of = ("the longest thread", " of it") if thread.min() < thread.max() else ("the program", "")
    told = f"{who} ran {ran}, less than one interval of {interval:,}"
    length = interval_length.suggested(longest)
    if period := int(profile.provenance.details.get("period") or 0):
        from phasemark.collect.sampling.profile import LEAST_SAMPLES  # takes 30 ms

        length = max(length, LEAST_SAMPLES * period)
        if length > longest:
            return [f"{told}: too few samples to tell phases apart"]
    many = counted(longest // length, "interval")
    return [f"{told}; --interval {interval_length.written(length)} would give about {many}{of}"]


def _interrupted(ended: Ended, cut_short: bool) -> list[str]:
    if not cut_short:
        return []
    return [
        "the run was interrupted: a signal ended the program, or was sent to end it (exit status "
        f"{ended.status}); this is what it did until then"
    ]


def _unfinished(image: Image) -> list[str]:
    if image.parts:
        return list(dict.fromkeys(sentence for part in image.parts for sentence in _unfinished(part)))
    if image.ended or image.cut or image.stopped or image.running:
        return []
    return [f"{image.program} was killed; what it did in about its last second may be missing"]


def _still_running(images: Sequence[Image]) -> list[str]:
    names = sorted({image.program for image in images if image.running})
    if not names:
        return []
    return [
        f"the program ended, but processes it started still run and were cut off here: {', '.join(names)}; "
        "raw/ stays in the run's folder, for they write to it"
    ]


def _as_kept(result: Recording) -> Profile:
    """The profile; what of a large one is read from the raw stream is read from its file from now on."""
    if isinstance(result.profile.vectors, StreamedCounts):
        return profile_h5.read(result.folder.profile)
    return result.profile


def _write(
    result: Recording,
    events: PackedTrace | None,
    request: Request,
    began: float,
    *,
    lost: list[str],
    progress: Progress,
) -> list[str]:
    if result.analysed.parts:  # what runs the program again is to know
        request = replace(request, process=process_tree.ALL)
    entry = request.entry(
        state="failed" if result.failure else "done",
        began=time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(began)),
        seconds=round(time.time() - began, 3),
        cpu_seconds=round(result.cpu_seconds, 3),
        status=result.status,
        complete=result.profile.provenance.complete,
        failure=result.failure,
        instructions=result.profile.instructions,
        intervals=len(result.profile.interval_table),
        blocks=len(result.profile.block_table),
        interval_used=result.profile.provenance.interval,
        length_unit=result.profile.provenance.length_unit,
        analysed=result.analysed.number,
        processes=[image.summary() for image in result.images],
        warnings=list(result.warnings),
        lost=lost,
    )
    with result.folder.change("profile") as new:
        new.discard_from("profile")
        profile_h5.write(new.profile, result.profile, progress)
        new.record("profile", entry)
        if events is not None:
            events_h5.write(new.events, events)
            new.record("events", tracing.entry(events))
    return new.discarded
