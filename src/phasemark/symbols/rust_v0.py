"""One pass over a name of Rust's v0 scheme; the letters are those of "Symbol Mangling" in The rustc book."""

from __future__ import annotations

import string
from collections.abc import Callable

_PRIMITIVES = "i8 bool char f64 str f32 u8 isize usize i32 u32 i128 u128 i16 u16 () ... i64 u64 ! _"
_BASIC = dict(zip("abcdefhijlmnostuvxyzp", _PRIMITIVES.split(), strict=True))
_DIGITS = {sign: at for at, sign in enumerate(string.digits + string.ascii_letters)}
_DEEPEST = 200
_REFERENCES = {"R": "&", "Q": "&mut ", "P": "*const ", "O": "*mut "}
_CHARACTERS = {"\t": r"\t", "\r": r"\r", "\n": r"\n", "'": r"\'", "\\": r"\\"}


class NotMangled(Exception):
    """The name is none of the scheme, or stands for more than is wanted."""


class Reader:
    """Reads a name once from left to right; a reference back is read again at its place.

    Args:
        text: the name without `_R` and without what follows a dot.
        most: characters of the outcome.
    """

    def __init__(self, text: str, most: int) -> None:
        self.text, self.most = text, most
        self.at = self.depth = self.lifetimes = self.made = 0

    def symbol(self) -> str:
        """The whole name."""
        path = self._path(value=True)
        if self._peek():
            self._path(value=False)  # the crate that has this instance
        if self._peek():
            raise NotMangled
        return path

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _next(self) -> str:
        letter = self._peek()
        if not letter:
            raise NotMangled
        self.at += 1
        return letter

    def _eat(self, letter: str) -> bool:
        found = self._peek() == letter
        self.at += found
        return found

    def _number(self) -> int:
        """A number in base 62; `_` alone is 0."""
        value, letter = 0, self._next()
        if letter == "_":
            return 0
        while letter != "_":
            if letter not in _DIGITS or value > 1 << 64:
                raise NotMangled
            value = value * 62 + _DIGITS[letter]
            letter = self._next()
        return value + 1

    def _optional(self, letter: str) -> int:
        return self._number() + 1 if self._eat(letter) else 0

    def _identifier(self) -> str:
        """Without its disambiguator."""
        is_punycode = self._eat("u")
        size = self._decimal()
        self._eat("_")
        text = self.text[self.at : self.at + size]
        if len(text) != size:
            raise NotMangled
        self.at += size
        if not is_punycode:
            return self._counted(text)
        plain, mark, code = text.rpartition("_")
        return self._counted((f"{plain}-{code}" if mark else code).encode("ascii").decode("punycode"))

    def _decimal(self) -> int:
        first = self.at
        if self._eat("0"):
            return 0
        while self._peek().isdigit() and self.at - first < 9:
            self.at += 1
        if first == self.at:
            raise NotMangled
        return int(self.text[first : self.at])

    def _counted(self, text: str) -> str:
        self.made += len(text) + 1
        if self.made > self.most:
            raise NotMangled
        return text

    def _again(self, read: Callable[[], str]) -> str:
        """What `read` gives at the place that a reference back names."""
        here = self.at - 1
        target = self._number()
        if target >= here:
            raise NotMangled
        behind, self.at = self.at, target
        text = read()
        self.at = behind
        return text

    def _deeper(self, read: Callable[[], str]) -> str:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotMangled
        text = self._counted(read())
        self.depth -= 1
        return text

    def _until_end(self, read: Callable[[], str]) -> list[str]:
        found = []
        while not self._eat("E"):
            found.append(read())
        return found

    def _path(self, *, value: bool) -> str:
        """A path; in a value, arguments follow `::`."""
        return self._deeper(lambda: self._path_here(value))

    def _path_here(self, value: bool) -> str:
        letter = self._next()
        if letter == "C":
            self._optional("s")
            return self._identifier()
        if letter == "N":
            return self._nested(value)
        if letter in "MX":
            self._optional("s")
            self._path(value=False)  # where the implementation stands
        if letter in "MXY":
            of = self._type()
            return f"<{of}>" if letter == "M" else f"<{of} as {self._path(value=False)}>"
        if letter == "I":
            path = self._path(value=value)
            return f"{path}{'::' if value else ''}<{', '.join(self._until_end(self._argument))}>"
        if letter == "B":
            return self._again(lambda: self._path(value=value))
        raise NotMangled

    def _nested(self, value: bool) -> str:
        space = self._next()
        if not space.isalpha():
            raise NotMangled
        path = self._path(value=value)
        number, name = self._optional("s"), self._identifier()
        if space.isupper():
            kind = {"C": "closure", "S": "shim"}.get(space, space)
            return f"{path}::{{{kind}{':' if name else ''}{name}#{number}}}"
        return f"{path}::{name}" if name else path

    def _argument(self) -> str:
        if self._eat("L"):
            return self._lifetime(self._number())
        return self._constant() if self._eat("K") else self._type()

    def _lifetime(self, index: int) -> str:
        if index == 0:
            return "'_"
        depth = self.lifetimes - index
        if depth < 0:
            raise NotMangled
        return f"'{chr(ord('a') + depth)}" if depth < 26 else f"'_{depth}"

    def _bound(self, read: Callable[[], str]) -> str:
        """What stands behind `for<'a>`, where it has lifetimes of its own."""
        count = self._optional("G")
        if count > self.most:
            raise NotMangled
        self.lifetimes += count
        names = ", ".join(self._lifetime(index) for index in range(count, 0, -1))
        text = self._counted(f"for<{names}> " if count else "") + read()
        self.lifetimes -= count
        return text

    def _type(self) -> str:
        return self._deeper(self._type_here)

    def _type_here(self) -> str:
        letter = self._next()
        if letter in _BASIC:
            return _BASIC[letter]
        if letter in "RQPO":
            return self._reference(letter)
        if letter == "A":
            return f"[{self._type()}; {self._constant()}]"
        if letter == "S":
            return f"[{self._type()}]"
        if letter == "T":
            return _tuple(self._until_end(self._type))
        if letter == "F":
            return self._bound(self._function)
        if letter == "D":
            traits = self._bound(lambda: " + ".join(self._until_end(self._trait)))
            if not self._eat("L"):
                raise NotMangled
            index = self._number()
            return f"dyn {traits}" + (f" + {self._lifetime(index)}" if index else "")
        if letter == "B":
            return self._again(self._type)
        self.at -= 1
        return self._path(value=False)

    def _reference(self, letter: str) -> str:
        sign = _REFERENCES[letter]
        if letter in "RQ" and self._eat("L") and (index := self._number()):
            sign = f"&{self._lifetime(index)} {sign[1:]}"
        return sign + self._type()

    def _function(self) -> str:
        sign = "unsafe " if self._eat("U") else ""
        if self._eat("K"):
            name = "C" if self._eat("C") else self._identifier().replace("_", "-")
            sign += f'extern "{name}" '
        sign += f"fn({', '.join(self._until_end(self._type))})"
        return sign if self._eat("u") else f"{sign} -> {self._type()}"

    def _trait(self) -> str:
        path, is_open = self._open_path()
        while self._eat("p"):
            path += ", " if is_open else "<"
            is_open = True
            path += f"{self._identifier()} = {self._type()}"
        return path + (">" if is_open else "")

    def _open_path(self) -> tuple[str, bool]:
        """A path whose arguments may go on: without their end, and whether it has any."""
        if self._eat("B"):
            is_open = []

            def read() -> str:
                path, open_ = self._deeper_open()
                is_open.append(open_)
                return path

            return self._again(read), is_open[0]
        if self._eat("I"):
            path = self._path(value=False)
            return f"{path}<{', '.join(self._until_end(self._argument))}", True
        return self._path(value=False), False

    def _deeper_open(self) -> tuple[str, bool]:
        is_open = False

        def read() -> str:
            nonlocal is_open
            path, is_open = self._open_path()
            return path

        return self._deeper(read), is_open

    def _constant(self) -> str:
        return self._deeper(self._constant_here)

    def _constant_here(self) -> str:
        letter = self._next()
        if letter == "p":
            return "_"
        if letter == "B":
            return self._again(self._constant)
        if letter in "aslxni":
            return ("-" if self._eat("n") else "") + self._whole()
        if letter in "htmyoj":
            return self._whole()
        if letter == "b":
            return {"0": "false", "1": "true"}.get(self._hexadecimal(), "?")
        if letter == "c":
            sign = chr(int(self._hexadecimal() or "0", 16))
            return f"'{_CHARACTERS.get(sign, sign)}'"
        raise NotMangled  # of structures and the like, which no stable compiler writes

    def _whole(self) -> str:
        digits = self._hexadecimal()
        return f"0x{digits}" if len(digits) > 16 else str(int(digits or "0", 16))

    def _hexadecimal(self) -> str:
        end = self.text.find("_", self.at)
        digits = self.text[self.at : end]
        if end < 0 or any(sign not in "0123456789abcdef" for sign in digits):
            raise NotMangled
        self.at = end + 1
        return self._counted(digits.lstrip("0") or "0")


def _tuple(members: list[str]) -> str:
    return f"({members[0]},)" if len(members) == 1 else f"({', '.join(members)})"
