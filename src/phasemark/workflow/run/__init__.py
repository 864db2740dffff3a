"""Run: a run's folder, and every step on it. The front door for Python.

A step prints nothing and asks nothing: it reads files of the folder, writes its own, and returns a value with
its notes and with what was discarded. The command line calls the same methods.

A file an idea, in the order of the steps; a method is its documentation and one call. Whatever a step does
stands in its own module of `workflow`.
"""

from __future__ import annotations

from phasemark.workflow.run.intervals import IntervalSteps
from phasemark.workflow.run.measures import MeasuringSteps
from phasemark.workflow.run.phases import PhaseSteps
from phasemark.workflow.run.points import PointSteps
from phasemark.workflow.run.views import ViewSteps


class Run(IntervalSteps, PhaseSteps, PointSteps, MeasuringSteps, ViewSteps):
    """The folder of one run.

        run = phasemark.profile(["gzip", "-k", "file"], out="out/", interval="1M")
        run.find_phases(max_k=30)
        run.pick_points(per_phase=4)
        run.simulate()
        print(run.estimate().summary())
        run.report()

    Values (`profile`, `phases`, `points`, ...) are read when they are asked for, and again when their file
    has changed. A Run holds no file open; it can be pickled.

    Args:
        path: the folder; it need not exist before something is saved in it.
        discarded: what became of files in it when it was opened, one phrase each.
        recording: how its program ran, where that was just now.

    Attributes:
        folder: names of its files.
        discarded, recording: as given.
    """
