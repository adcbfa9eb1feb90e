#pragma once

// Threads that share the worlds of a batch. One pool serves the whole process, so that several batches never
// ask for more threads than there are cores.

#include <functional>

namespace espalier {

/// Cores of the machine that this process may use: as many threads as run at once.
int usableCores();

/// Calls task(0) ... task(count - 1), one of them in the calling thread and each of the others in a thread of
/// its own, and returns when all have ended. Calls from several threads wait for one another.
///   errors  the first exception of a task, once all tasks have ended
void runInThreads(int count, const std::function<void(int)>& task);

}  // namespace espalier
