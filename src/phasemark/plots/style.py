"""Style: how figures look, and how they are saved: equal inputs give equal bytes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasemark.errors import UsageError
from phasemark.store.atomic import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What a file's ending may be.
FORMATS = ("png", "svg", "pdf")

INK = "#1b2027"
SOFT = "#5d6672"
ACCENT = "#3c72c3"

_RC: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.labelsize": 8,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "grid.color": "#dfdfda",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.hashsalt": "phasemark",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}
#: Dates would make each file another.
_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": "phasemark"},
    "pdf": {"CreationDate": None, "Creator": "phasemark"},
}


def styled() -> Any:
    """The context in which figures are drawn and saved."""
    import matplotlib as mpl

    return mpl.rc_context(_RC)


def figure(width: float, height: float) -> Figure:
    """An empty figure of the given inches, drawn without a screen."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def form(path: str | Path) -> str:
    """The format that the file's ending names.

    Raises:
        UsageError: it is none of FORMATS.
    """
    ending = Path(path).suffix.lower().lstrip(".")
    if ending not in FORMATS:
        raise UsageError(
            f"{path}: a figure cannot be written as {ending or 'a file without an ending'}",
            hint=f"end its name in .{', .'.join(FORMATS)}",
        )
    return ending


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure; the ending of `path` names the format.

    Raises:
        UsageError: no known ending.
        WorkError: the file cannot be written.
    """
    ending = form(path)
    with replacing(path) as temporary, styled():
        figure.savefig(temporary, format=ending, metadata=_METADATA[ending])


def whole_numbers() -> Any:
    """Ticks of an axis on which only whole numbers mean something."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(integer=True, min_n_ticks=1)


def count(value: float, _position: object = None) -> str:
    """1234567 -> `1.23 M`, for axes of instructions."""
    for size, unit in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.4g}{unit}"
    return f"{value:.4g}"
