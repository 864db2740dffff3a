"""A program that runs -> intervals, while it runs.

`streamed` has perf attached to it and reads what perf writes, `places` knows what code its addresses are,
`cutting` cuts the samples of all its threads into intervals, `following` puts these together for a program
that is started, or for one that runs already.
"""
