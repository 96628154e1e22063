#include "sim/live/same_event.hpp"

#include <cctype>
#include <string>

namespace filum::sim {

namespace {

// The text without its figures.
std::string without_figures(std::string_view text) {
  std::string rest;
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'') quoted = !quoted;
    const bool figure = std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
    if (quoted || !figure) rest += c;
  }
  return rest;
}

}  // namespace

bool same_event(std::string_view a, std::string_view b) {
  return without_figures(a) == without_figures(b);
}

}  // namespace filum::sim
