"""Names of a package whose modules are loaded when a name is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def names(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package.

    Args:
        package: its `__name__`.
        places: name -> the module of the package that has it; `module:name` where it is called otherwise
            there, `module:` for the module itself.
    """

    def getattr_of_package(name: str) -> Any:
        import importlib

        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, colon, other = places[name].partition(":")
        loaded = importlib.import_module(f"{package}.{module}")
        return loaded if colon and not other else getattr(loaded, other or name)

    return getattr_of_package
