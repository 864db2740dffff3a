"""Docstrings as Markdown."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

WIDTH = 110

#: Name -> where it is described.
Links = Mapping[str, str]

_SECTION = re.compile(r"(Args|Attributes|Raises|Returns|Yields|Examples?):$")
_ITEM = re.compile(r"(\*{0,2}\w[\w, *]*): (.*)", re.DOTALL)
_PAGE = re.compile(r"`?\bdocs/([\w/-]+\.md)`?")
_NONE: Links = {}


def of(value: object) -> str:
    """The docstring that somebody wrote, without its indentation; empty if there is none."""
    text = inspect.cleandoc(getattr(value, "__doc__", None) or "")
    made_by_dataclass = text.startswith(f"{getattr(value, '__name__', '')}(")
    return "" if made_by_dataclass else text


def summary(value: object) -> str:
    """The first paragraph, as Markdown on one line."""
    return _paged(" ".join(of(value).partition("\n\n")[0].split()))


def of_constant(module: ModuleType, name: str) -> str:
    """What `#:` says above a constant, wherever in the room it is assigned."""
    path = Path(str(module.__file__))
    sources = sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]
    assigned = re.compile(rf"((?:^#:.*\n)+)^{re.escape(name)}\b[^\n]*=", re.MULTILINE)
    found = (assigned.search(source.read_text(encoding="utf-8")) for source in sources)
    comment = next((match[1] for match in found if match), "")
    return " ".join(line.removeprefix("#:").strip() for line in comment.splitlines())


def rendered(text: str, links: Links = _NONE, types: Links = _NONE) -> str:
    """A docstring as Markdown: sections become lists, indented lines code.

    Args:
        text: the docstring.
        links: where names are described.
        types: of parameters, by name, and of the result, as `Returns`.
    """
    return "\n".join(_block(block, links, types) for block in text.split("\n\n") if block.strip())


def link(name: str, links: Links) -> str:
    """A name as code, linked to where it is described."""
    return f"[`{name}`]({links[name]})" if name in links else f"`{name}`"


def wrapped(text: str, lead: str = "") -> str:
    """Text in lines of at most WIDTH, code and links kept whole."""
    text = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), " ".join(text.split()))
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\0", " ") + "\n"


def _block(block: str, links: Links, types: Links) -> str:
    if block.startswith("    "):
        return f"```\n{textwrap.dedent(block)}\n```\n"
    first, _, rest = block.partition("\n")
    section, body = _SECTION.match(first), textwrap.dedent(rest)
    if not section:
        items = re.split(r"^[*-] ", block, flags=re.MULTILINE)
        return wrapped(_paged(items[0])) * bool(items[0]) + "".join(
            wrapped(_paged(i), "* ") for i in items[1:]
        )
    if section[1].startswith("Example"):
        return f"**{section[1]}**\n\n```python\n{body}\n```\n"
    if section[1] in ("Returns", "Yields"):
        return wrapped(f"**{section[1]}**{_classes(types.get('Returns', ''), links)}: {_paged(body)}")
    items = (_item(section[1], item, links, types) for item in re.split(r"\n(?=\S)", body))
    return f"**{section[1]}**\n\n" + "".join(wrapped(item, "* ") for item in items)


def _item(section: str, text: str, links: Links, types: Links) -> str:
    match = _ITEM.match(text)
    if not match:
        return _paged(text)
    names = match[1].split(", ")
    if section == "Raises":
        return f"{', '.join(link(name, links) for name in names)}: {_paged(match[2])}"
    classes = _classes(" ".join(types.get(name.strip("*"), "") for name in names), links)
    return f"{', '.join(f'`{name}`' for name in names)}{classes}: {_paged(match[2])}"


def _classes(type_: str, links: Links) -> str:
    """Links to the classes of ours that a type is made of."""
    names = [name for name in dict.fromkeys(re.findall(r"[A-Z]\w*", type_)) if name in links]
    return f" ({', '.join(link(name, links) for name in names)})" if names else ""


def _paged(text: str) -> str:
    """The text, with links to the pages that it names."""
    return _PAGE.sub(r"[\1](../\1)", text)
