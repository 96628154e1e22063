// Labels that keep out of each other's way.
#pragma once

#include "report/svg/svg_canvas.hpp"

#include <string>
#include <vector>

namespace filum::io {

class Labels {
 public:
  // Nothing may be written over this rectangle.
  void block(const Vec2& low, const Vec2& high) { taken_.push_back({low, high}); }
  // Writes near `at`, on the first side with room inside the canvas; a label without room is left out.
  void write(Canvas& canvas, const Vec2& at, double gap, const std::string& text, std::string_view style);

 private:
  struct Box {
    Vec2 low, high;
  };
  [[nodiscard]] bool free(const Box& box) const;
  std::vector<Box> taken_;
};

}  // namespace filum::io
