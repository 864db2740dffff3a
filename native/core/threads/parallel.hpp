#pragma once

#include <cstddef>
#include <functional>

namespace phasemark {

// Runs body(0) ... body(tasks - 1), each once, on at most `threads` threads, the caller among them.
// Tasks must not depend on one another; they start in order. After each of its tasks, and after the
// last of all, the caller runs `tick`; when that returns false, no further task starts. An exception
// thrown by `body` or `tick` is thrown again here, after all threads have stopped.
//
// Returns whether all tasks ran and no `tick` said stop.
bool parallel_for(std::size_t tasks, int threads, const std::function<void(std::size_t)>& body,
                  const std::function<bool()>& tick = {});

// Calls `tick` where the calling thread is the one that made this, and does nothing elsewhere: for tasks that take
// long. What `tick` returns is left to parallel_for.
std::function<void()> pulse_of(const std::function<bool()>& tick);

}  // namespace phasemark
