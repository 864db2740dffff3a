// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef PHASEMARK_HEADER_H
#define PHASEMARK_HEADER_H

#include "../core/fold.h"
#include "pub_tool_basics.h"

// Writes the record that describes this process image.
void header_write(struct pm_stream *stream, const struct pm_fold *fold, const HChar *origin);

#endif
