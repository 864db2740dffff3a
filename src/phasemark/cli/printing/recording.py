"""A recorded run."""

from __future__ import annotations

from typing import Any

from phasemark.cli.printing import say, show_aside
from phasemark.collect import Recording, interval_length, listing
from phasemark.errors import counted, in_a_line


def show(recording: Recording) -> None:
    """The recording, for people, on standard error."""
    profile, analysed = recording.profile, recording.analysed
    if recording.process is not None:
        say(f"analysed {in_a_line(str(recording.process))}")
        show_aside([listing(recording.images, analysed)])
    length = interval_length.written(profile.provenance.interval or 0)
    say(
        f"{in_a_line(analysed.program)}: {profile.provenance.length_in_words(profile.instructions)} in "
        f"{counted(len(profile.interval_table), 'interval')} of {length}, "
        f"{counted(analysed.threads, 'thread')}, {counted(len(profile.block_table), 'block')}"
    )
    warn(recording)


def warn(recording: Recording) -> None:
    """What the user should know, even with --quiet."""
    for sentence in recording.warnings:
        say(f"warning: {sentence}")
    if recording.status:
        say(f"the program's exit status is {recording.status}")
    if recording.failure:
        say(recording.failure)


def summary(recording: Recording) -> dict[str, Any]:
    """The recording, for scripts."""
    profile = recording.profile
    return {
        "folder": str(recording.folder.path),
        "program": recording.analysed.program,
        "instructions": profile.instructions,
        "intervals": len(profile.interval_table),
        "interval": profile.provenance.interval,
        "blocks": len(profile.block_table),
        "threads": recording.analysed.threads,
        "status": recording.status,
        "complete": profile.provenance.complete,
        "failure": recording.failure,
        "analysed": recording.analysed.number,
        "processes": [image.summary() for image in recording.images],
        "warnings": list(recording.warnings),
    }
