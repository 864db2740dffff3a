"""Profile -> Signatures: normalisation and projection."""

from phasemark.signatures.projection import DEFAULT_DIMS, DEFAULT_SEED, check, project, projection_matrix

__all__ = ["DEFAULT_DIMS", "DEFAULT_SEED", "check", "project", "projection_matrix"]


def __dir__() -> list[str]:
    return sorted(__all__)
