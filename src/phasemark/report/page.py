"""Page: what `data.collect` gathered, as one HTML document that needs nothing else."""

from __future__ import annotations

import html
import json
import re
from importlib.resources import files
from typing import Any

#: One idea a file; they share one scope, in this order.
SCRIPTS = (
    "values.js",
    "state.js",
    "canvas.js",
    "strip.js",
    "lanes.js",
    "comparison.js",
    "metrics.js",
    "matrix.js",
    "nodes.js",
    "icicle.js",
    "scores.js",
    "path.js",
    "sorting.js",
    "machine.js",
    "models.js",
    "quality.js",
    "behaviour.js",
    "tables.js",
    "main.js",
)


def render(data: dict[str, Any]) -> str:
    """The document. Names of functions, files and commands cannot break out of it."""
    name = data["name"].encode("utf-8", "replace").decode()  # A file's name may be no text.
    parts = {
        "title": html.escape(f"{name}: phases"),
        "css": _asset("page.css"),
        "js": "\n".join(_asset(name) for name in SCRIPTS),
        "data": script_json(data),
        "scores": "" if data["scores"]["k"] else " hidden",
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _asset("template.html"))


def script_json(data: object) -> str:
    """JSON in ASCII without `<`, `>` and `&`, so that nothing in it ends the script element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _asset(name: str) -> str:
    return (files("phasemark.report") / "assets" / name).read_text(encoding="utf-8")
