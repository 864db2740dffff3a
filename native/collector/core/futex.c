// SPDX-License-Identifier: GPL-2.0-or-later
#include "futex.h"

// What a call does with its word.
enum futex { FUTEX_OTHER, FUTEX_WAITS, FUTEX_WAKES, FUTEX_WAKES_TWO };

// By its operation without flags.
static enum futex futex_of(uint64_t operation)
{
    switch (operation & 127) {
    case 0: // FUTEX_WAIT
    case 6: // _LOCK_PI
    case 9: // _WAIT_BITSET
    case 11: // _WAIT_REQUEUE_PI
    case 13: // _LOCK_PI2
        return FUTEX_WAITS;
    case 1: // _WAKE
    case 3: // _REQUEUE
    case 4: // _CMP_REQUEUE
    case 7: // _UNLOCK_PI
    case 10: // _WAKE_BITSET
    case 12: // _CMP_REQUEUE_PI
        return FUTEX_WAKES;
    case 5: // _WAKE_OP
        return FUTEX_WAKES_TWO;
    default:
        return FUTEX_OTHER;
    }
}

void pm_futex_called(struct pm_collector *collector, struct pm_thread *thread, uint64_t word,
                     uint64_t operation, uint64_t count, uint64_t second)
{
    enum futex what = futex_of(operation);
    if (what == FUTEX_WAITS)
        pm_collector_waits(collector, thread, word);
    if (what == FUTEX_WAKES || what == FUTEX_WAKES_TWO)
        pm_collector_wakes(collector, thread, word, (uint32_t)count > 1);
    if (what == FUTEX_WAKES_TWO)
        pm_collector_wakes(collector, thread, second, false);
}

void pm_futex_returned(struct pm_collector *collector, struct pm_thread *thread, uint64_t word,
                       uint64_t operation)
{
    if (futex_of(operation) == FUTEX_WAITS)
        pm_collector_woken(collector, thread, word);
}
