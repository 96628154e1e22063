#include "report/svg/svg_labels.hpp"

#include <algorithm>
#include <array>

namespace filum::io {

bool Labels::free(const Box& box) const {
  return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
    return box.low.x() < other.high.x() && other.low.x() < box.high.x() && box.low.y() < other.high.y() &&
           other.low.y() < box.high.y();
  });
}

void Labels::write(Canvas& canvas, const Vec2& at, double gap, const std::string& text, std::string_view style) {
  constexpr double kFont = 12;
  if (!at.allFinite()) return;
  const Vec2 size(text_width(text, kFont), kFont + 2);
  // right, left, above, below, then the corners, then the same further out
  static constexpr std::array<std::array<double, 2>, 8> kSides = {
      {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}}};
  for (const double reach : {gap, 2.2 * gap, 3.6 * gap}) {
    for (const auto& side : kSides) {
      const Vec2 centre = at + Vec2(side[0] * (reach + 0.5 * size.x()), side[1] * (reach + 0.5 * size.y()));
      const Box box{centre - 0.5 * size, centre + 0.5 * size};
      const bool inside =
          box.low.x() > 2 && box.low.y() > 2 && box.high.x() < canvas.width() - 2 && box.high.y() < canvas.height() - 2;
      if (!inside || !free(box)) continue;
      taken_.push_back(box);
      canvas.text(centre + Vec2(0, 0.35 * kFont), text, Anchor::Middle, style);
      return;
    }
  }
}

}  // namespace filum::io
