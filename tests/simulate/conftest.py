"""Programs to simulate."""

from tests.collect.conftest import two_threads

__all__ = ["two_threads"]
