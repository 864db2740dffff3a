// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef PHASEMARK_REPEATED_H
#define PHASEMARK_REPEATED_H

#include "pub_tool_basics.h"

// Is this a string instruction with a REP prefix, which executes as a loop but retires once?
Bool is_repeated_string(const UChar *code);

#endif
