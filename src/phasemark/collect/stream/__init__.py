"""Raw streams, as docs/raw-stream.md defines them -> values.

`framing.Frames` finds the records of a file; `reader.RawStream` reads what they say into the tables of
`contents` (RawBlocks, RawIntervals, RawCounters, Entries), blocks and entries through `blocks` and
`entries`. `canonical`, `merging` and `conversion` make profiles of it, `counting` metrics.
"""
