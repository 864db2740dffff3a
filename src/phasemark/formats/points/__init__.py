"""Points as other tools read and write them.

`exports.export` writes a run for any of its targets; `simpoint_files` also reads SimPoint's results.
"""
