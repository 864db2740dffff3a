"""What other tools measured: gem5's stats, perf, CSV.

`measurements.read` reads files of any of these kinds as `readings`; `placing` finds of which intervals they
are.
"""
