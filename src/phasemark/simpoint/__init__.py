"""SimPoint 3.2's own command line, on phasemark's kernels.

`command` is the way in; `flags` reads the command line; `light` does what scripts usually ask for without
NumPy, whose import takes longer than clustering a small file; `full` does everything. Both give the same
files (docs/adr/0021-two-paths-of-the-drop-in.md).
"""
