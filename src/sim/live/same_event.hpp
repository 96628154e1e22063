// Whether two events tell of the same thing: that it goes on is told once, though its figures change.
#pragma once

#include <string_view>

namespace filum::sim {

// Equal but for the digits, outside of quoted names.
bool same_event(std::string_view a, std::string_view b);

}  // namespace filum::sim
