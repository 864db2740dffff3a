"""Profile -> Signatures: normalisation and projection."""

from phasemark.signatures.projection import DEFAULT_DIMS, DEFAULT_SEED, project

__all__ = ["DEFAULT_DIMS", "DEFAULT_SEED", "project"]
