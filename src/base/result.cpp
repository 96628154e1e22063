#include <filum/result.hpp>

namespace filum {

std::string Error::text() const {
  std::string where = file;
  if (line > 0) where += (where.empty() ? "line " : ":") + std::to_string(line);
  if (line > 0 && column > 0) where += ":" + std::to_string(column);
  return where.empty() ? message : where + ": " + message;
}

}  // namespace filum
