"""Raw streams, as docs/raw-stream.md defines them -> values.

`framing` finds the records of a file, `reader` reads what they say into the tables of `contents`;
`canonical`, `merging`, `conversion` and `counting` make profiles and metrics of it.
"""
