"""Writing HDF5 files whole: made in memory, then written in one go.

The HDF5 library writes again while it closes a file, and crashes the process when the disk is full then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py

from phasemark.store.atomic import replacing


@contextmanager
def writing(path: str | Path) -> Iterator[Any]:
    """Yield an h5py.File to fill; on success it takes path's place, else nothing changes.

    Raises:
        WorkError: the file cannot be written (folder missing, no permission, disk full).
    """
    with replacing(path) as temporary:
        with h5py.File(temporary.name, "w", driver="core", backing_store=False) as file:
            yield file
            file.flush()
            image = file.id.get_file_image()
        temporary.write_bytes(image)
