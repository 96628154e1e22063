// What an import had to assume, and the comments that say so in the scene's text.
#pragma once

#include <filum/scene.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace filum::exchange {

class Assumptions {
 public:
  // Of the thing at this place of a list of the scene: («rods», 3). Several are told one after the other.
  void add(std::string_view list, std::size_t index, const std::string& what);

  // The scene as fresh YAML, with «# assumed: …» behind the first line of each thing that has some.
  [[nodiscard]] std::string text(const Scene& scene, const std::string& head) const;

 private:
  std::map<std::pair<std::string, std::size_t>, std::string> marks_;
};

}  // namespace filum::exchange
