"""perf's samples: what `perf script` prints, and perf.data by way of it -> Samples.

`text` reads the lines, which `lines` takes apart; `tracking` knows processes, threads and mappings while they
are read; `data` asks `perf` for the text of a perf.data.
"""
