"""Bent files of every kind through every reader: each is read, or refused in words, within bounds.

`test_fuzz.py` takes some seconds of it; for longer, `python -m tests.fuzz --minutes 10`.
"""
