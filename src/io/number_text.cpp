#include "io/number_text.hpp"

#include <charconv>
#include <cmath>

namespace filum::io {

void put_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  char buffer[32];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace filum::io
