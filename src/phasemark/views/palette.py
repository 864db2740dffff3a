"""Colours of the phases: one list for figures and page."""

from __future__ import annotations

#: Each next colour is the one farthest (OKLab) from those before it, as seen with normal, protanopic,
#: deuteranopic and tritanopic eyes, among colours that stand out on white and on near-black. A figure
#: still says a phase by place or number too: no 36 colours are told apart by everyone.
COLOURS = (
    *("#3c72c3", "#de8d21", "#2a9f7b", "#c34e8d", "#c3b1f9", "#7b5718", "#a872f9", "#3cd584", "#8496ba"),
    *("#e74e33", "#7b4596", "#186960", "#8dc3c3", "#bac318", "#f9609f", "#188d18", "#96a860", "#5745cc"),
    *("#b11857", "#d584de", "#57a8f9", "#9f7b4e", "#4e7b84", "#7b60e7", "#d5727b", "#f9a872", "#b145ba"),
    *("#8d7bcc", "#ba9fc3", "#a8453c", "#57577b", "#c39f84", "#188de7", "#966969", "#33b1a8", "#a869a8"),
)


def colours(k: int) -> list[str]:
    """The colours of phases 0 to k-1, as #rrggbb; from phase 36 on they repeat."""
    return [COLOURS[phase % len(COLOURS)] for phase in range(k)]


def ink_on(colour: str) -> str:
    """What can be read on a colour (#rrggbb): white, or near-black on light ones (WCAG's contrast)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "#ffffff" if luminance < 0.3 else "#14181e"
