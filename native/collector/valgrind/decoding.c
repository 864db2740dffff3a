// SPDX-License-Identifier: GPL-2.0-or-later
#include "decoding.h"

static Bool is_legacy_prefix(UChar byte)
{
    switch (byte) {
    case 0x66: case 0x67:                       // operand and address size
    case 0x26: case 0x2e: case 0x36: case 0x3e: // segments
    case 0x64: case 0x65:
    case 0xf0:                                  // lock
    case 0xf2: case 0xf3:                       // repeat
        return True;
    default:
        return False;
    }
}

static Bool is_rex(UChar byte)
{
    return (byte & 0xf0) == 0x40;
}

static Bool is_string_opcode(UChar byte)
{
    return (byte >= 0xa4 && byte <= 0xa7) || (byte >= 0xaa && byte <= 0xaf);
}

Bool is_repeated_string(const UChar *code)
{
    Bool repeat = False;
    for (; is_legacy_prefix(*code); code++)
        repeat |= *code == 0xf2 || *code == 0xf3;
    if (is_rex(*code))
        code++;
    return repeat && is_string_opcode(*code);
}

Bool is_computed_branch(const UChar *code)
{
    while (is_legacy_prefix(*code))
        code++;
    if (is_rex(*code))
        code++;
    UInt operation = code[0] == 0xff ? code[1] >> 3 & 7 : 0;
    return operation == 2 || operation == 4;
}
