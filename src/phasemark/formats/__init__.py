"""Other tools' files <-> the model: one module per dialect, one registry, found by content.

`profiles.read` takes vector files of any dialect; `registry` lists the dialects; `vectors` is the
tokenizer they share. `simpoint_files` reads and writes simpoints, weights and labels. See
docs/formats.md.
"""
