// SPDX-License-Identifier: GPL-2.0-or-later
// Reading a small file whole.
#ifndef PHASEMARK_FILES_H
#define PHASEMARK_FILES_H

#include "pub_tool_basics.h"

// Its text, for VG_(free); NULL if it cannot be read or is of a GiB and more.
HChar *file_text(const HChar *path);

#endif
