// FILUM_ASSERT: a broken invariant inside the library. On unless NDEBUG; never for what a user typed.
#pragma once

#include <cassert>

#define FILUM_ASSERT(condition) assert(condition)
