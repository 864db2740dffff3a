from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import build, collector_folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if collector_folder() is None:
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason="the collector was not built"))


@pytest.fixture(params=["valgrind", "qemu"])
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Builds a program of the programs folder, once."""
    folder = tmp_path_factory.mktemp("programs")
    built: dict[tuple[str, ...], Path] = {}

    def get(source: str, *flags: str) -> Path:
        key = (source, *flags)
        if key not in built:
            built[key] = build(source, folder / f"{len(built)}-{Path(source).stem}", *flags)
        return built[key]

    return get
