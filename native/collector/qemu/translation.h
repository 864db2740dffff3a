// SPDX-License-Identifier: GPL-2.0-or-later
// Translation blocks as QEMU makes them -> recorded blocks that are counted when they are executed.
#ifndef PHASEMARK_QEMU_TRANSLATION_H
#define PHASEMARK_QEMU_TRANSLATION_H

#include "api.h"

// `current` is the generation of QEMU's interface.
void translation_begin(int current);

void translation_translated(plugin_id id, struct qemu_plugin_tb *tb);

#endif
