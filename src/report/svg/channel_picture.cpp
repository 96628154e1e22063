#include "report/svg/channel_picture.hpp"

#include "report/svg/svg_canvas.hpp"
#include "io/colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace filum::io {
namespace {

constexpr double kChannelWidth = 1100;
constexpr double kLargestHeight = 620;
constexpr double kChannelMargin = 46;
constexpr double kLongestArrow = 60;  // px

// From metres to pixels, y up.
class View {
 public:
  View(const ChannelOutline& outline, const std::vector<DrawnShape>& shapes) {
    const auto take = [this](const std::vector<Vec2>& points) {
      for (const Vec2& point : points) {
        if (!point.allFinite()) continue;
        low_ = low_.cwiseMin(point);
        high_ = high_.cwiseMax(point);
      }
    };
    take(outline.left);
    take(outline.right);
    for (const DrawnShape& shape : shapes) take(shape.state->positions);
    const Vec2 size = (high_ - low_).cwiseMax(1e-12);
    scale_ = std::min((kChannelWidth - 2 * kChannelMargin) / size[0], (kLargestHeight - 2 * kChannelMargin) / size[1]);
    left_ = 0.5 * (kChannelWidth - scale_ * size[0]);
  }
  [[nodiscard]] Vec2 operator()(const Vec2& point) const {
    return {left_ + scale_ * (point[0] - low_[0]), kChannelMargin + scale_ * (high_[1] - point[1])};
  }
  [[nodiscard]] std::vector<Vec2> operator()(const std::vector<Vec2>& points) const {
    std::vector<Vec2> out;
    for (const Vec2& point : points) out.push_back((*this)(point));
    return out;
  }
  [[nodiscard]] double height() const { return 2 * kChannelMargin + scale_ * (high_[1] - low_[1]); }

 private:
  Vec2 low_ = Vec2::Constant(1e300), high_ = Vec2::Constant(-1e300);
  double scale_ = 1, left_ = 0;
};

void draw_channel(Canvas& canvas, const View& view, const ChannelOutline& outline) {
  // inside, then the walls on it
  std::vector<Vec2> inside = view(outline.left);
  const std::vector<Vec2> right = view(outline.right);
  inside.insert(inside.end(), right.rbegin(), right.rend());
  canvas.polygon(inside, R"(class="ground")");
  canvas.polyline(view(outline.centreline),
                  R"(class="ghost" fill="none" stroke-width="1" stroke-dasharray="6 5" stroke-opacity="0.6")");
  for (const std::vector<Vec2>& wall : {view(outline.left), right})
    canvas.polyline(wall, R"(class="bar" fill="none" stroke-linejoin="round")");
}

// Arrows as long as their forces, the longest the same in every picture.
void draw_forces(Canvas& canvas, const View& view, const ChannelState& state) {
  double largest = state.end_force.norm();
  for (const WallContact& contact : state.contacts) largest = std::max(largest, contact.force.norm());
  if (!(largest > 0)) return;
  const auto arrow = [&](const Vec2& point, const Vec2& force, bool head_at_point) {
    const Vec2 along = kLongestArrow / largest * Vec2(force[0], -force[1]);
    if (along.norm() < 2) return;
    const Vec2 at = view(point);
    const Vec2 from = head_at_point ? Vec2(at - along) : at;
    canvas.arrow(from, from + along, 1.6, R"(class="force")", R"(class="forcehead")");
  };
  for (const WallContact& contact : state.contacts) arrow(contact.point, contact.force, true);
  arrow(state.positions.back(), state.end_force, true);
}

}  // namespace

std::string channel_svg(const ChannelProblem& problem, const std::vector<DrawnShape>& shapes, bool forces) {
  const ChannelOutline outline = channel_outline(problem.channel, 0.08 * problem.beam.length);
  const View view(outline, shapes);
  Canvas canvas(kChannelWidth, view.height() + (forces ? 0 : 22.0 * static_cast<double>(shapes.size())));
  draw_channel(canvas, view, outline);
  // the lowest on top
  for (std::size_t i = shapes.size(); i-- > 0;) {
    const ChannelState& state = *shapes[i].state;
    const std::string style = fmt::format(R"(fill="none" stroke="{}" stroke-width="{}" stroke-linejoin="round")",
                                          curve_colour(i), i == 0 ? 3.2 : 2.2);
    canvas.polyline(view(state.positions), style, shapes[i].name);
    if (forces)
      for (const WallContact& contact : state.contacts)
        canvas.circle(view(contact.point), 2.6, fmt::format(R"(fill="{}")", curve_colour(i)));
  }
  if (forces && !shapes.empty()) draw_forces(canvas, view, *shapes.front().state);
  if (!forces)
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const double y = view.height() + 22 * static_cast<double>(i);
      canvas.line({kChannelMargin, y - 4}, {kChannelMargin + 26, y - 4},
                  fmt::format(R"(stroke="{}" stroke-width="3")", curve_colour(i)));
      canvas.text({kChannelMargin + 34, y}, shapes[i].name, Anchor::Start, R"(font-size="13")");
    }
  return canvas.finish("the channel and the shapes of the beam in it");
}

}  // namespace filum::io
