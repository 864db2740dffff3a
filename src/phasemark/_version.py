"""The version, one place for Python; pyproject.toml says the same and a test holds them together."""

__version__ = "0.1.0"
