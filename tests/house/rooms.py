"""The table of rooms in docs/architecture.md: the import contract, with what each room says of itself.

Run `python -m tests.house.rooms` to write it anew.
"""

from __future__ import annotations

import ast
import re
import tomllib

from tests.house.repository import ROOT

import phasemark

PAGE = ROOT / "docs/architecture.md"
_SOURCE = ROOT / "src/phasemark"
_BLOCK = re.compile(r"(<!-- rooms: .*? -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)


def layers() -> list[list[str]]:
    """The rooms of the contract from the top; those of one layer are strangers to one another."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (contract,) = (each for each in contracts["contracts"] if each["type"] == "layers")
    return [re.split(r" *[|:] *", layer.strip("()")) for layer in contract["layers"]]


def table() -> str:
    """A line a room: the floor on which it is, where it is, whether it is public, what it does."""
    lines = ["| | room | | what it is for |", "|---|---|---|---|"]
    floors = list(enumerate(reversed(layers())))
    for floor, rooms in reversed(floors):
        for room in rooms:
            public = f"[API](api/{room}.md)" if room in phasemark.__all__ else ""
            lines.append(f"| {floor} | {_linked(room)} | {public} | {_purpose(room)} |")
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """The page with the table as it should be."""
    return _BLOCK.sub(lambda block: f"{block[1]}\n{table()}\n{block[3]}", text)


def write() -> None:
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def _linked(room: str) -> str:
    path = _SOURCE / room
    return f"[`{room}`](../src/phasemark/{room if path.is_dir() else f'{room}.py'})"


def _purpose(room: str) -> str:
    path = _SOURCE / room
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split()).replace("|", "\\|")


if __name__ == "__main__":
    write()
