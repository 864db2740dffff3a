"""Names of functions in the room that a table has for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

#: Template arguments, and parameters, within which there are no others; and the operators that look alike.
_ARGUMENTS = re.compile(r"<(?!\.\.\.>)[^<>]+>")
_PARAMETERS = re.compile(r"\((?!\.\.\.\)|anonymous namespace\))[^()]+\)")
_OPERATOR = re.compile(r"\boperator\s*(?:<=>|<<=|>>=|->\*?|<<|>>|<=|>=|<|>|\(\))")
_LEFT_OUT = "..."
#: A place without a name: `gzip:0x4290`.
_ADDRESS = re.compile(r":0x[0-9a-f]+$")


def distinct(names: Iterable[str], width: int) -> dict[str, str]:
    """Each name in about `width` characters: different names differ, and an address is whole.

    Those that would look the same are cut to more characters, until they do not.
    """
    texts: dict[str, str] = {}
    left = list(dict.fromkeys(names))
    while left:
        cuts = {name: name if _ADDRESS.search(name) else cut(name, width) for name in left}
        often = Counter([*texts.values(), *cuts.values()])
        texts.update({name: text for name, text in cuts.items() if often[text] == 1 or text == name})
        left = [name for name in left if name not in texts]
        width += 4
    return texts


def cut(name: str, width: int) -> str:
    """A function's name in at most `width` characters.

    What tells least goes first: arguments of templates, the innermost first; then parameters; then the
    middle.

    Args:
        name: demangled, or of any other language.
        width: characters, at least 10.
    """
    if len(name) <= width:
        return name
    # Operators keep their signs, which are no brackets; as long a mark stands for each meanwhile.
    marks = {chr(0xE000 + at): sign for at, sign in enumerate(dict.fromkeys(_OPERATOR.findall(name)))}
    text = name
    for mark, sign in sorted(marks.items(), key=lambda item: -len(item[1])):
        text = text.replace(sign, mark * len(sign))
    text = _emptied(_emptied(text, _ARGUMENTS, "<", ">", width), _PARAMETERS, "(", ")", width)
    for mark, sign in marks.items():
        text = text.replace(mark * len(sign), sign)
    return text if len(text) <= width else _middle(text, width)


def _emptied(text: str, brackets: re.Pattern[str], opening: str, closing: str, width: int) -> str:
    """The longest innermost brackets emptied, again and again, until it is short enough or all are empty."""
    empty = f"{opening}{_LEFT_OUT}{closing}"
    while len(text) > width:
        # What is empty is no bracket any more, so that what is around it becomes the innermost.
        hidden = text.replace(empty, "\1" * len(empty)).replace(opening + closing, "\1\1")
        longest = max(brackets.finditer(hidden), key=lambda found: len(found[0]), default=None)
        if longest is None:
            return text
        text = f"{text[: longest.start()]}{empty}{text[longest.end() :]}"
    return text


def _middle(text: str, width: int) -> str:
    behind = (width - len(_LEFT_OUT)) // 2
    return f"{text[: width - len(_LEFT_OUT) - behind]}{_LEFT_OUT}{text[len(text) - behind :]}"
