// Threads for work that the library can split but, being plain, cannot start itself.
#pragma once

#include <filum/channel.hpp>

namespace filum {

// As many threads as the machine has, or `threads`; they end with the last copy of what is returned.
ParallelFor thread_team(int threads = 0);

}  // namespace filum
