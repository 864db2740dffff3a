"""Style: how figures look, and how they are saved: equal inputs give equal bytes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasemark.errors import UsageError
from phasemark.store.atomic import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

#: What a file's ending may be.
FORMATS = ("png", "svg", "pdf")

#: Dots an inch.
DPI = 200.0
#: Inches of a side.
_LEAST, _MOST = 0.5, 100.0
_UNITS = {"in": 1.0, "cm": 2.54, "mm": 25.4}
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)\s*[xX]\s*(\d{1,6}(?:\.\d{1,6})?)\s*(in|cm|mm)?")

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


def inches(size: str, dpi: float) -> tuple[float, float]:
    """A figure's width and height: `1200x400` (dots), `7x2.5in`, `18x6cm` or `180x60mm`, as inches.

    Args:
        size: as text.
        dpi: dots an inch.

    Raises:
        UsageError: it is no such size, or no figure of that size can be drawn.
    """
    found = _SIZE.fullmatch(size.strip())
    if found is None:
        raise UsageError(
            f"no size of a figure: {size[:40]!r}", hint="write 1200x400, 7x2.5in, 18x6cm or 180x60mm"
        )
    unit = found[3] or "dots"
    width, height = (
        float(number) / (dpi if unit == "dots" else _UNITS[unit]) for number in found.groups()[:2]
    )
    if not all(_LEAST <= side <= _MOST for side in (width, height)):
        raise UsageError(
            f"a figure of {width:g} x {height:g} inches",
            hint=f"each side has from {_LEAST:g} to {_MOST:g} inches"
            + (f"; {size[:40]} are dots, of which there are {dpi:g} an inch" if unit == "dots" else ""),
        )
    return width, height


#: Of the figure's size, to which axes are placed: far below a dot.
_PLACES = 6


def require_dpi(dpi: float) -> None:
    """Whether a picture can have so many dots an inch.

    Raises:
        UsageError: it cannot.
    """
    if not 10 <= dpi <= 1200:
        raise UsageError(f"{dpi:g} dots an inch", hint="give a number from 10 to 1200")


def diamonds(axes: Axes, x: NDArray[Any], y: NDArray[Any], size: float) -> None:
    """Simulation points. Whole at the edges of the axes; where there are none, they need no room either."""
    drawn = axes.plot(x, y, "D", ms=size, mfc="white", mec=INK, mew=0.85, clip_on=False, zorder=4)
    drawn[0].set_in_layout(False)


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


def save(figure: Figure, path: str | Path, dpi: float = DPI) -> None:
    """Write a figure; the ending of `path` names the format.

    Args:
        figure: drawn.
        path: the file.
        dpi: dots an inch, of PNG.

    Raises:
        UsageError: no known ending, or there is no room in the figure for what it shows.
        WorkError: the file cannot be written.
    """
    ending = form(path)
    with replacing(path) as temporary, styled(), warnings.catch_warnings():
        warnings.filterwarnings("error", "constrained_layout not applied", UserWarning)
        try:
            _settle(figure, dpi)
            figure.savefig(temporary, format=ending, metadata=_METADATA[ending], dpi=dpi)
        except UserWarning as warning:
            raise UsageError(
                f"{path}: there is no room in the figure for what it shows",
                hint="give it a larger --size, or fewer metrics",
            ) from warning


def _settle(figure: Figure, dpi: float) -> None:
    """Lay a figure out for good, in whole steps: a solver's last digits vary."""
    engine, before = figure.get_layout_engine(), figure.dpi
    if engine is None:
        return
    figure.set_dpi(dpi)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = (
            round(float(edge), _PLACES) for edge in axes.get_position(original=True).bounds
        )
        axes.set_position((left, bottom, width, height))
    figure.set_dpi(before)


def whole_numbers() -> Any:
    """Ticks of an axis on which only whole numbers mean something."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(integer=True, min_n_ticks=1)


def lanes(axes: Axes, names: Sequence[str]) -> None:
    """Ticks of an axis on which each phase has a lane."""
    axes.yaxis.set_major_locator(whole_numbers())
    axes.yaxis.set_major_formatter(lambda at, _: names[int(at)] if 0 <= at < len(names) else "")


def count(value: float, _position: object = None) -> str:
    """1234567 -> `1.23 M`, for axes of instructions."""
    for size, unit in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.4g}{unit}"
    return f"{value:.4g}"
