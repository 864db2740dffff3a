// SPDX-License-Identifier: GPL-2.0-or-later
// Programs that repair a fault in a signal handler and go on where it happened.
#ifndef PHASEMARK_FAULTS_H
#define PHASEMARK_FAULTS_H

#include "pub_tool_basics.h"

// To be told of every sigaction that succeeded.
void faults_handler_set(UInt signal, const void *action);

#endif
