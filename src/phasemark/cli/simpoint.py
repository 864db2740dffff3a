"""phasemark simpoint: SimPoint 3.2's flags and files, so that its scripts run with one word changed."""

from __future__ import annotations

from typing import Annotated

import typer

_HELP = """
SimPoint 3.2's flags, with its files in and out; see docs/simpoint.md.

\b
Input    -loadFVFile F | -loadVectorsTxtFmt F | -loadVectorsBinFmt F   (gzip is told by content)
         -inputVectorsGzipped  -numFVs N -FVDim N  -loadVectorWeights F  -noCache
         -fixedLength on|off        on: equal weights; off: weights by length
Project  -dim D|noProject  -seedproj S  -loadProjMatrixTxtFmt F  -loadProjMatrixBinFmt F
Cluster  -maxK K  -k search|K,FROM:TO,FROM:STEP:TO  -bicThreshold T  -numInitSeeds N  -iters N|off
         -initkm samp|ff|kmeans++|incremental  -seedkm S  -sampleSize N  -seedsample S
         -loadInitCtrs F  -loadInitLabels F
Output   -saveSimpoints F  -saveSimpointWeights F  -coveragePct P  -saveLabels F  -saveAll
         -saveInitCtrs F  -saveFinalCtrs F  -saveVectorWeights F  -saveVectorsTxtFmt F
         -saveVectorsBinFmt F  -saveProjMatrixTxtFmt F  -saveProjMatrixBinFmt F  -verbose N
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    settings = {"allow_extra_args": True, "ignore_unknown_options": True}
    short = "Take SimPoint 3.2's flags: change one word in a script."
    app.command("simpoint", context_settings=settings, help=_HELP, short_help=short)(simpoint)


def simpoint(arguments: Annotated[list[str] | None, typer.Argument(metavar="FLAGS...")] = None) -> None:
    """Cluster frequency vectors and pick simulation points, as SimPoint 3.2 is told to."""
    from phasemark.simpoint import command

    command.run_command(arguments or [])
