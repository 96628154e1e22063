// Numbers and names as messages have them.
#pragma once

#include <string>
#include <string_view>

namespace filum::scene {

// A number in as few digits as tell it apart.
std::string text(double value);
// «12.3 mm»
std::string in_millimetres(double length);
// 'hose'
std::string quoted(std::string_view name);

}  // namespace filum::scene
