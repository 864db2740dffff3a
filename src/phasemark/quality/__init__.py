"""Metrics -> how homogeneous phases are, and estimates of the whole run with error bars."""

from phasemark.quality.allocation import neyman, neyman_whole
from phasemark.quality.estimate import estimate, full_value

__all__ = ["estimate", "full_value", "neyman", "neyman_whole"]
