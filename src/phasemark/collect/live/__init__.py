"""A program that runs -> intervals, while it runs.

`feeds` says what gives them. Of perf's samples: `streamed` has perf attached to a program and reads what it
writes, `places` knows what code its addresses are, `cutting` cuts the samples of all its threads into
intervals, `following` puts these together for a program that is started, or for one that runs already. Of a
collector: `counted` takes the intervals that it sends, `collecting` runs the program under it.
"""
