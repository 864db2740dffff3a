"""Ways to sample a run that phasemark does not take, after the literature: to be compared with its own.

Each takes the metrics of all intervals, looks at those that it draws, and returns `Trial`s.
"""
