"""The rows of a DWARF line number program (DWARF 5, section 6.2).

pyelftools decodes them too, a copied object a row; on the C library that takes eight times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: address, 1 while code follows and 0 at the end of a sequence, number of the file, line
Row = tuple[int, int, int, int]

_COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE, _CONST_ADD_PC, _FIXED_ADVANCE_PC = 1, 2, 3, 4, 8, 9
_END_SEQUENCE, _SET_ADDRESS = 1, 2


def rows(program: Any) -> list[Row]:
    """The rows of pyelftools' LineProgram, in the order they are stored.

    Raises:
        IndexError: the program is cut short.
    """
    program.stream.seek(program.program_start_offset)
    code = program.stream.read(program.program_end_offset - program.program_start_offset)
    order = "little" if program.structs.little_endian else "big"
    return list(_run(code, program.header, order))


def _run(code: bytes, header: Any, order: Any) -> Iterator[Row]:
    opcode_base, line_base, line_range = header["opcode_base"], header["line_base"], header["line_range"]
    step, operands = header["minimum_instruction_length"], header["standard_opcode_lengths"]
    address, file, line, at = 0, 1, 1, 0
    while at < len(code):
        opcode = code[at]
        at += 1
        if opcode >= opcode_base:
            advance, lines = divmod(opcode - opcode_base, line_range)
            address += advance * step
            line += line_base + lines
            yield address, 1, file, line
        elif opcode == 0:
            size, at = _unsigned(code, at)
            kind, following = code[at], at + size
            if kind == _END_SEQUENCE:
                yield address, 0, file, line
                address, file, line = 0, 1, 1
            elif kind == _SET_ADDRESS:
                address = int.from_bytes(code[at + 1 : following], order)
            at = following
        elif opcode == _COPY:
            yield address, 1, file, line
        elif opcode == _ADVANCE_PC:
            advance, at = _unsigned(code, at)
            address += advance * step
        elif opcode == _ADVANCE_LINE:
            lines, at = _signed(code, at)
            line += lines
        elif opcode == _SET_FILE:
            file, at = _unsigned(code, at)
        elif opcode == _CONST_ADD_PC:
            address += (255 - opcode_base) // line_range * step
        elif opcode == _FIXED_ADVANCE_PC:
            address += int.from_bytes(code[at : at + 2], order)
            at += 2
        else:  # columns, statements and what later standards may add
            for _ in range(operands[opcode - 1]):
                _, at = _unsigned(code, at)


def _unsigned(code: bytes, at: int) -> tuple[int, int]:
    """A number in LEB128, and where it ends."""
    value = shift = 0
    while True:
        byte = code[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _signed(code: bytes, at: int) -> tuple[int, int]:
    value, end = _unsigned(code, at)
    bits = 7 * (end - at)
    return (value - (1 << bits) if value >> (bits - 1) else value), end
