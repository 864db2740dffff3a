"""What lies in an HDF5 file: taken only as we write it, and only as much as the file can hold.

A file of 42 kB may declare gigabytes, and a link may lead to any other file or device. So each dataset is
looked at before it is read: where it is stored, as what, and how much that can become.
"""

from __future__ import annotations

import math
import os
from io import BufferedReader
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, printable

#: Of what is packed, the most that a byte can become: deflate's bound, and some for what goes with it.
_MOST_OF_A_BYTE = 1100

#: Bytes that all of a file may become, and how many for each of its bytes where that is more: columns in
#: which every number is the same pack to a thousandth, but they are not alone in a file.
_WHOLE, _MOST_OF_THE_FILE = 4 << 30, 400

#: A chunk is unpacked as one; ours have 128 kiB.
_LARGEST_CHUNK = 64 << 20

#: Filters that pack and check, and load no code from elsewhere.
_FILTERS = (h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32)

#: In a file: length, address and index of a string.
_REFERENCE = np.dtype([("length", "<u4"), ("address", "<u8"), ("index", "<u4")])

_KINDS = {"iu": "whole numbers", "f": "real numbers"}


class Whole:
    """The file as a whole.

    Attributes:
        size: its bytes.
        trusted: it is as it was written; names need only be looked through then.
    """

    def __init__(self, file: BufferedReader, *, trusted: bool) -> None:
        self.size = os.fstat(file.fileno()).st_size
        self.trusted = trusted
        self._file = file
        self._declared = 0

    def take(self, declared: int, name: str) -> None:
        """Count what a dataset becomes in memory.

        Raises:
            DataError: that is more than the file can mean.
        """
        self._declared += declared
        if self._declared > max(_WHOLE, _MOST_OF_THE_FILE * self.size):
            raise DataError(f"{name} declares more than {self.size:,} bytes can hold")

    def lengths(self, at: int, count: int) -> NDArray[np.uint32]:
        """How long the strings are that lie at a place."""
        self._file.seek(at)
        references = np.frombuffer(self._file.read(_REFERENCE.itemsize * count), _REFERENCE)
        return references["length"]


class Column:
    """Numbers in a file, which stays open.

    Args:
        data: the dataset, which was looked at.
    """

    def __init__(self, data: Any) -> None:
        self._data = data
        self._state = self._look()

    def __len__(self) -> int:
        return len(self._data)

    def read(self, where: Any) -> NDArray[Any]:
        """The numbers of a slice, or (of `...`) all.

        Raises:
            DataError: the file was written to since the column was found.
        """
        if self._look() != self._state:
            raise DataError("was written to while it was read", hint="run again when nothing writes to it")
        read: NDArray[Any] = self._data[where]
        return read.astype(read.dtype.newbyteorder("="), copy=False)

    def _look(self) -> tuple[int, int]:
        status = os.fstat(self._data.file.id.get_vfd_handle())
        return status.st_size, status.st_mtime_ns


class Group:
    """A group of a file.

    Raises:
        DataError: of all methods: something is missing, of another type, or stored otherwise than it can
            have been written.
    """

    def __init__(self, group: Any, whole: Whole, hint: str) -> None:
        self._group = group
        self._whole = whole
        self._hint = hint

    def __contains__(self, name: str) -> bool:
        return name in self._group

    def group(self, name: str) -> Group:
        """A group within."""
        inner = self._linked(name)
        if not isinstance(inner, h5py.Group):
            raise self._wrong(name, "is no group")
        return Group(inner, self._whole, self._hint)

    def integers(self, name: str, rank: int = 1) -> NDArray[Any]:
        """Whole numbers, of any width."""
        return self._numbers(name, "iu", rank)

    def column(self, name: str) -> Column:
        """Whole numbers, of any width, that are read some at a time."""
        return Column(self._dataset(name, 1, "iu"))

    def kept(self) -> Group:
        """This group, of a file that stays open, whatever takes its place, for as long as anybody has it."""
        file = h5py.File(self._group.file.id.reopen())
        return Group(file[self._group.name], self._whole, self._hint)

    def reals(self, name: str, rank: int = 1) -> NDArray[np.float64]:
        """Real numbers."""
        return self._numbers(name, "f", rank).astype(np.float64, copy=False)

    def names(self, name: str) -> tuple[str, ...]:
        """Texts; what in them is none comes as surrogates."""
        data = self._dataset(name, 1)
        if h5py.check_string_dtype(data.dtype) is None:
            raise self._wrong(name, f"holds {data.dtype}, not text")
        if h5py.check_string_dtype(data.dtype).length is None and len(data):
            self._require_lengths(data, name)
        return tuple(data.asstr(errors="surrogateescape")[:])

    def where(self, name: str) -> tuple[int, int]:
        """Where bytes lie in the file, one after the other, and how many there are."""
        data = self._dataset(name, 1)
        if data.dtype != np.uint8 or data.chunks is not None:
            raise self._wrong(name, "is not bytes that lie together")
        at = data.id.get_offset()
        if at is None and len(data):
            raise self._wrong(name, "is stored in a way that phasemark does not write")
        return int(at or 0), len(data)

    def text(self, attribute: str, otherwise: str | None = None) -> str:
        """An attribute that is text."""
        value = self._attribute(attribute, otherwise)
        if not isinstance(value, str):
            raise DataError(f"its attribute {attribute} is no text", hint=self._hint)
        return value

    def integer(self, attribute: str, otherwise: int | None = None) -> int:
        """An attribute that is a whole number."""
        value = self._attribute(attribute, otherwise)
        if not isinstance(value, int | np.integer):
            raise DataError(f"its attribute {attribute} is no whole number", hint=self._hint)
        return int(value)

    def _attribute(self, name: str, otherwise: object) -> object:
        if name not in self._group.attrs:
            if otherwise is None:
                raise DataError(f"its attribute {name} is missing", hint=self._hint)
            return otherwise
        attribute = self._group.attrs.get_id(name)
        size = attribute.get_storage_size()
        if math.prod(attribute.shape) != 1 or size > self._whole.size:
            raise DataError(f"its attribute {name} is no single value", hint=self._hint)
        return self._group.attrs[name]

    def _linked(self, name: str) -> Any:
        """What a name stands for in this very file."""
        if name not in self._group:
            raise self._wrong(name, "is missing")
        if self._group.id.links.get_info(name.encode()).type != h5py.h5l.TYPE_HARD:
            raise self._wrong(name, "is a link to elsewhere")
        return self._group[name]

    def _numbers(self, name: str, kinds: str, rank: int) -> NDArray[Any]:
        return Column(self._dataset(name, rank, kinds)).read(...)

    def _dataset(self, name: str, rank: int, kinds: str = "") -> Any:
        data = self._linked(name)
        if not isinstance(data, h5py.Dataset):
            raise self._wrong(name, "is no dataset")
        if data.shape is None or len(data.shape) != rank:
            raise self._wrong(name, f"is not of {rank} dimension{'s' * (rank > 1)}")
        created = data.id.get_create_plist()
        if created.get_external_count() or created.get_layout() == h5py.h5d.VIRTUAL:
            raise self._wrong(name, "lies in another file")
        if any(created.get_filter(i)[0] not in _FILTERS for i in range(created.get_nfilters())):
            raise self._wrong(name, "is packed in a way that phasemark does not write")
        self._require_size(data, name)
        if kinds and (data.dtype.kind not in kinds or data.dtype.itemsize > 8):
            raise self._wrong(name, f"holds {printable(str(data.dtype))[:40]}, not {_KINDS[kinds]}")
        return data

    def _require_size(self, data: Any, name: str) -> None:
        """What it becomes can come of what is stored."""
        declared, stored = math.prod(data.shape) * data.dtype.itemsize, data.id.get_storage_size()
        self._whole.take(declared, self._path(name))
        if stored > self._whole.size:
            raise self._wrong(name, f"is stored in {stored:,} bytes, more than the file has")
        most = stored
        if data.chunks is not None:
            chunk = math.prod(data.chunks) * data.dtype.itemsize
            if chunk > _LARGEST_CHUNK:
                raise self._wrong(name, f"has chunks of {chunk:,} bytes")
            most = stored * _MOST_OF_A_BYTE
        if declared > most:
            raise self._wrong(name, f"declares {declared:,} bytes, of which {stored:,} are stored")

    def _require_lengths(self, data: Any, name: str) -> None:
        at = data.id.get_offset() if data.chunks is None else None
        if at is None:
            if self._whole.trusted:
                raise self._wrong(name, "is stored in a way that phasemark does not write")
            return
        if int(self._whole.lengths(at, len(data)).sum(dtype=np.uint64)) > self._whole.size:
            raise self._wrong(name, "has names that are longer than the file")

    def _wrong(self, name: str, what: str) -> DataError:
        return DataError(f"{self._path(name)} {what}", hint=self._hint)

    def _path(self, name: str) -> str:
        return f"{self._group.name.rstrip('/')}/{name}"
