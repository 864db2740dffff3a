"""What other tools measured: gem5's stats, perf, CSV."""
