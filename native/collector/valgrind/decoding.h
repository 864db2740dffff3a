// SPDX-License-Identifier: GPL-2.0-or-later
// What VEX's statements do not tell of an instruction.
#ifndef PHASEMARK_DECODING_H
#define PHASEMARK_DECODING_H

#include "pub_tool_basics.h"

// Is this a string instruction with a REP prefix, which executes as a loop but retires once?
Bool is_repeated_string(const UChar *code);

// Does this jump or call take its target from a register or memory? VEX may know the target all the same.
Bool is_computed_branch(const UChar *code);

#endif
