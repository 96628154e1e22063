// How much memory the program may still take: what the machine has left, and what limits of the process and of its
// control group leave of it.
#pragma once

#include <cstddef>

namespace filum::io {

// Bytes; the largest number where nothing is known.
std::size_t memory_left();

}  // namespace filum::io
