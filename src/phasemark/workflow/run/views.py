"""Steps of a run: what it is for other tools, and for the eye."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from phasemark.workflow.run.values import Values

if TYPE_CHECKING:
    from phasemark.formats.points.exports import Exported
    from phasemark.intervals import PhaseMarkers
    from phasemark.views.behaviour import Behaviour
    from phasemark.views.same_code import SameCode


class ViewSteps(Values):
    """See Run."""

    def export(
        self,
        to: str,
        out: str | Path | None = None,
        *,
        name: str | None = None,
        warmup_check: bool = False,
    ) -> Exported:
        """Write the points or vectors as another tool reads them.

        Args:
            to: simpoint, gem5, pinpoints, nemu, champsim, looppoint, markers, threads; of vectors: bb,
                exp-bbv.
            out: the folder to write to; None: DIR/TO.
            name: of the workload; None: the folder's.
            warmup_check: write the points whose warm-up is checked alone, with the longer one; by default to
                DIR/TO-warmup-check.

        Raises:
            UsageError: there is no such target, or its format cannot say what the run holds.
            DataError: what is to be exported was not made yet, or a file is damaged.
            WorkError: a file cannot be written.
        """
        from phasemark.workflow.exporting import export

        return export(self.folder, to, out, name, warmup_check=warmup_check)

    def hottest_functions(self, count: int = 3) -> list[dict[str, float]]:
        """For each phase its functions with the most instructions: name -> share of the phase, descending."""
        from phasemark.views.functions import hottest_functions

        return hottest_functions(self.profile, self.phases, count)

    def behaviour(self) -> Behaviour | None:
        """What phases do with memory and branches, on no machine; None where that was not recorded.

        Raises:
            DataError: phases were not found yet, or a file is damaged.
        """
        from phasemark.views.behaviour import behaviour

        return behaviour(self.profile, self.phases)

    def same_code(self) -> list[SameCode | None]:
        """For each phase the larger one whose code it executes, if there is one, and in what they differ.

        All are None where behaviour was not recorded.

        Raises:
            DataError: phases were not found yet, or a file is damaged.
        """
        from phasemark.views.same_code import same_code

        known = self.behaviour()
        return [None] * self.phases.k if known is None else same_code(self.profile, self.phases, known)

    def missing_names(self) -> tuple[str, ...]:
        """What to do where much of the run is in functions without names, one sentence each."""
        from phasemark.views.names import missing

        return missing(self.profile)

    @property
    def compared_by(self) -> str | None:
        """The signature that the phases were found in, `code+behaviour` or `blocks`; None: in none.

        So of models that look at counts, of labels that another tool gave, and where there are no phases.
        """
        from phasemark.workflow.phases import PhaseOptions

        entry = self.folder.entry_of("phases")
        if "restarts" not in entry:
            return None
        options = PhaseOptions.of_entry(entry)
        return options.signature if options.estimator().input == "signatures" else None

    def phase_markers(self) -> PhaseMarkers | None:
        """The calls and loops with which the intervals of each phase begin; None where they are not known.

        They are of a run in intervals of variable length.

        Raises:
            DataError: phases were not found yet, or a file is damaged.
        """
        from phasemark.intervals import markers_of

        return markers_of(self.profile, self.phases) if self.folder.entry_of("intervals") else None

    def report(self, output: str | Path | None = None) -> Path:
        """Write the page; returns where it is.

        Raises:
            DataError: a file is missing or breaks an invariant; names it and a hint.
            WorkError: the page cannot be written.
        """
        from phasemark.report import write

        return write(self.path, output)

    def plot(
        self,
        kind: str,
        output: str | Path,
        *,
        metrics: Sequence[str] = (),
        size: str | None = None,
        dpi: float = 200,
    ) -> tuple[Path, ...]:
        """Draw a figure as PNG, SVG or PDF; with `all` every one that the run has data for, as x-KIND.svg.

        Args:
            kind: one of `plots.KINDS`, or all.
            output: the file; its ending names the format.
            metrics: those to show, of the kinds that show metrics; none: the foremost.
            size: `1200x400` (dots), `7x2.5in`, `18x6cm`, `180x60mm`; None: what suits each.
            dpi: dots an inch, of PNG and of a size in dots.

        Raises:
            UsageError: there is no such figure, no such kind of file, no metrics in this figure, or no room.
            DataError: the run has not what the figure shows; the hint names the command that makes it.
            WorkError: the file cannot be written.
        """
        from phasemark import plots, views

        output = Path(output)
        view = self.folder.steady(lambda: views.read(self.path, without_points=True))
        if kind != "all":
            plots.write(view, kind, output, metrics=metrics, size=size, dpi=dpi)
            return (output,)
        files = {name: output.with_stem(f"{output.stem}-{name}") for name in plots.possible(view)}
        for name, file in files.items():
            shown = metrics if name in plots.OF_METRICS else ()
            plots.write(view, name, file, metrics=shown, size=size, dpi=dpi)
        return tuple(files.values())

    # ------------------------------------------------------------ values made elsewhere
