"""Which machine measured metrics: numbers of unlike machines are not compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from phasemark.errors import DataError
from phasemark.model import Metrics
from phasemark.store import tables
from phasemark.store.folder import Folder

#: Readers that are told no source give the file's name for it.
_NAME_OF_FILE = re.compile(r"[^ ]+\.(csv|txt|json|out|stats|tsv)(\.gz|\.xz|\.zst)?", re.IGNORECASE)


@dataclass(frozen=True)
class Machine:
    """What measured, as far as it is known.

    Attributes:
        file: that holds the metrics.
        source: as the metrics say; the name of a file, or empty, where they say nothing.
        configuration: name and digest of what was simulated; empty where that is not known.
    """

    file: str
    source: str
    configuration: str = ""

    @property
    def named(self) -> bool:
        """Whether the metrics say what measured them."""
        return bool(self.source) and not _NAME_OF_FILE.fullmatch(self.source)

    def told(self) -> str:
        """In words."""
        source = self.source if self.named else "a tool that it does not name"
        return f"{self.file} is by {source}" + (f" ({self.configuration})" if self.configuration else "")


def machine_of(folder: Folder, path: Path, metrics: Metrics) -> Machine:
    """What measured the metrics in a file, one of the folder or any other.

    Raises:
        DataError: run.json is damaged.
    """
    steps = {folder.metrics: "metrics", folder.point_metrics: "simulation", folder.warmup_metrics: "warmup"}
    step = steps.get(path)
    known = folder.configuration_of(step) if step else {}
    configuration = f"{known.get('name')} {known.get('digest')}" if known else _said(path)
    return Machine(path.name, metrics.source, configuration)


def unlike(points: Machine, full: Machine) -> str:
    """Why numbers of the two cannot be compared, in a sentence; empty where they can."""
    digests = [machine.configuration.split()[-1:] for machine in (points, full)]
    if all(digests):
        same = digests[0] == digests[1]
    else:
        same = points.source == full.source or not (points.named or full.named)
    return "" if same else f"not compared with the whole run: {full.told()}, {points.told()}"


def doubtful(points: Machine, full: Machine) -> str:
    """What to say of a comparison of metrics neither of which name their tool; empty where they do."""
    if points.named or full.named or points.source == full.source:
        return ""
    return (
        f"neither {points.file} nor {full.file} says what measured it: compared as if that were one machine; "
        "a comment `# source: NAME` at the top of a table names it"
    )


def _said(path: Path) -> str:
    """The configuration in the comment of a table that phasemark wrote."""
    try:
        return tables.comment(path).get("configuration", "")
    except DataError:
        return ""  # no table
