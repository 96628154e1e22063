#include "io/csv_text.hpp"

namespace filum::io {

std::string csv_text(const std::string& text) {
  const bool is_formula = text.find_first_of("=+-@\t\r\n") == 0;
  std::string out = is_formula ? "\"'" : "\"";
  for (const char c : text) {
    out += c;
    if (c == '"') out += '"';
  }
  return out + "\"";
}

}  // namespace filum::io
