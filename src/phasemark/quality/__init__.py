"""Metrics -> how homogeneous phases are, and estimates of the whole run with error bars."""
