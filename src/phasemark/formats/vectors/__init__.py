"""Other tools' basic block vectors: one module a dialect, found by content through `registry`.

`profiles.read` reads files as a Profile, `runs.read_projected` as projected rows without NumPy. Both stand on
`scanning`, the tokenizer that all dialects share; `dialect` says what a dialect is. `simpoint_tables` reads
and writes SimPoint's projected vectors, centres and projection matrices.
"""
