// Numbers as text that reads back to the same bits.
#pragma once

#include <string>

namespace filum::io {

// A number in its shortest form that reads back to the same double; «nan» for what is none.
void put_number(std::string& out, double value);

}  // namespace filum::io
