"""Samples -> Profile.

`profile` puts it together: `events` says which event is the measure of time, `cutting` cuts each thread's
samples into intervals, `signature` says what a sample is a count of, `counted` makes Metrics of other events.
"""
