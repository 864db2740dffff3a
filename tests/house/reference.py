"""The reference of the public interface in docs/api: a page a room, from signatures and docstrings.

Run `python -m tests.house.reference` to write the pages anew.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.house import api, docstrings
from tests.house.docstrings import Links, summary, wrapped
from tests.house.repository import ROOT
from tests.house.signatures import annotation, constant, signature

import phasemark

FOLDER = ROOT / "docs/api"
_HEAD = "<!-- Made by `python -m tests.house.reference` from the docstrings. -->\n\n"


def pages() -> dict[str, str]:
    """File name -> text of every page."""
    package, *rooms = found = list(_pages("phasemark", phasemark))
    for page in found:
        page.leave_to([other for other in found if other is not page])
    links = {page.path.rpartition(".")[2]: page.file for page in rooms}
    for page in (package, *reversed(rooms)):
        links |= {name: f"{page.file}#{anchor}" for name, anchor in page.anchors().items()}
    texts = {page.file: _HEAD + page.text(links) for page in found}
    items = [f"[`{page.path}`]({page.file}): {summary(page.module)}" for page in rooms]
    texts[package.file] += "\n## Rooms\n\n" + "".join(wrapped(item, "* ") for item in items)
    return texts


def write(folder: Path = FOLDER) -> None:
    """Write every page, and remove those of rooms that are no more."""
    folder.mkdir(exist_ok=True)
    texts = pages()
    for path in folder.glob("*.md"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _pages(path: str, module: ModuleType) -> Iterator[_Page]:
    """The page of a module, and those of the modules that it makes public."""
    names = api._public(module)
    modules = {name: getattr(module, name) for name in names if inspect.ismodule(getattr(module, name))}
    yield _Page(path, module, {name: getattr(module, name) for name in names if name not in modules})
    for name, inner in modules.items():
        yield from _pages(f"{path}.{name}", inner)


@dataclass(eq=False)
class _Page:
    """What a module makes public, other modules left out.

    Attributes:
        path: of the module.
        module: itself.
        values: by name.
        elsewhere: name -> the page that describes it instead.
    """

    path: str
    module: ModuleType
    values: dict[str, object]
    elsewhere: dict[str, _Page] = field(default_factory=dict)

    @property
    def file(self) -> str:
        return f"{self.path.partition('.')[2] or 'index'}.md"

    def leave_to(self, others: list[_Page]) -> None:
        """Leave what is at home on another page to that page."""
        self.elsewhere = {
            name: page
            for name, value in self.values.items()
            for page in others
            if page._is_home(value) and page.values.get(name) is value and not self._is_home(value)
        }

    def _is_home(self, value: object) -> bool:
        """Whether a class or function is of this module or, but for the package, of one below it."""
        home = getattr(value, "__module__", "") if inspect.isclass(value) or inspect.isfunction(value) else ""
        return home == self.path or (self.path != "phasemark" and home.startswith(f"{self.path}."))

    def anchors(self) -> dict[str, str]:
        """Name -> anchor of its heading; of names that differ in case alone, later ones are numbered."""
        anchors: dict[str, str] = {}
        for name in self.values:
            if name not in self.elsewhere:
                same = sum(other.lower() == name.lower() for other in anchors)
                anchors[name] = name.lower() + (f"-{same}" if same else "")
        return anchors

    def text(self, links: Links) -> str:
        own = {**links, **{name: f"#{anchor}" for name, anchor in self.anchors().items()}}
        own |= {name: f"{page.file}#{page.anchors()[name]}" for name, page in self.elsewhere.items()}
        parts = [f"# {self.path}\n", docstrings.rendered(docstrings.of(self.module))]
        if len(self.values) > 3 or self.elsewhere:
            items = (f"[`{name}`]({own[name]})" + _said(value) for name, value in self.values.items())
            parts.append("".join(wrapped(item, "* ") for item in items))
        for name, value in self.values.items():
            if name not in self.elsewhere:
                parts += [f"## {name}\n", *_described(name, value, self.module, own)]
        return "\n".join(part for part in parts if part)


def _said(value: object) -> str:
    text = summary(value) if inspect.isclass(value) or inspect.isfunction(value) else ""
    return f": {text}" if text else ""


def _described(name: str, value: object, module: ModuleType, links: Links) -> Iterator[str]:
    if inspect.isclass(value):
        yield from _class(name, value, links)
    elif inspect.isfunction(value):
        yield from _function(name, value, links)
    else:
        yield _code(constant(name, value))
        yield docstrings.rendered(docstrings.of_constant(module, name), links)


def _class(name: str, value: type[Any], links: Links) -> Iterator[str]:
    text, types = ("", {}) if getattr(value, "_is_protocol", False) else signature(value)
    yield _code(f"class {name}{text}")
    bases = [docstrings.link(base.__name__, links) for base in value.__bases__ if base.__name__ in links]
    if bases:
        yield f"Is a {' and a '.join(bases)}.\n"
    yield docstrings.rendered(docstrings.of(value), links, types)
    members = {key: getattr(member, "__func__", member) for key, member in _members(value, links)}
    properties = [_property(key, member) for key, member in members.items() if not inspect.isfunction(member)]
    if properties:
        yield "**Properties**\n\n" + "".join(wrapped(item, "* ") for item in properties)
    for key, member in members.items():
        if inspect.isfunction(member):
            static = isinstance(inspect.getattr_static(value, key), staticmethod)
            yield f"### {name}.{key}\n"
            yield from _function(f"{name}.{key}", member, links, bound=not static)


def _members(value: type[Any], links: Links) -> Iterator[tuple[str, object]]:
    """What a class has besides its fields, with what it has from bases of ours that have no heading."""
    known = set(getattr(value, "__dataclass_fields__", ()))
    for owner in value.__mro__:
        if owner is not value and (owner.__name__ in links or not owner.__module__.startswith("phasemark")):
            continue
        for name, member in vars(owner).items():
            if not (name.startswith("_") or name in known or inspect.ismemberdescriptor(member)):
                known.add(name)
                yield name, member


def _property(name: str, member: object) -> str:
    getter = getattr(member, "fget", None) or getattr(member, "func", None)
    if getter is None:
        return f"`{constant(name, member)}`"
    text = summary(getter)
    return f"`{name}: {annotation(inspect.signature(getter).return_annotation)}`" + (f": {text}" * bool(text))


def _function(name: str, value: Any, links: Links, *, bound: bool = False) -> Iterator[str]:
    text, types = signature(value, bound=bound)
    yield _code(f"{name}{text}")
    yield docstrings.rendered(docstrings.of(value), links, types)


def _code(text: str) -> str:
    return f"```python\n{text}\n```\n"


if __name__ == "__main__":
    write()
