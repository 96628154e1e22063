#include "validation/scatter.hpp"

#include "report/svg/svg_axis.hpp"
#include "report/svg/svg_canvas.hpp"
#include "io/colours.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace filum::validation {

namespace {

constexpr double kWidth = 420, kHeight = 380;
constexpr double kLeft = 58, kRight = 20, kTop = 36, kBottom = 50;
constexpr double kDot = 1.4;         // radius, px
constexpr double kOutlying = 0.005;  // share of the values at each end that the axis need not reach

// From low to high, but for a few that lie far out.
io::Axis axis_of(std::vector<double> values) {
  if (values.empty()) return io::linear_axis(0, 1, 6, true);
  std::sort(values.begin(), values.end());
  const auto skip = static_cast<std::size_t>(kOutlying * static_cast<double>(values.size()));
  const double low = values[skip];
  const double high = values[values.size() - 1 - skip];
  return io::linear_axis(low, high > low ? high : low + 1, 6, true);
}

}  // namespace

std::string scatter_svg(const Scatter& scatter) {
  // one axis for both, so that a slow change is the diagonal
  std::vector<double> values;
  for (const Vec2& point : scatter.points)
    for (const double value : point) values.push_back(value * scatter.factor);
  const io::Axis axis = axis_of(std::move(values));
  const Vec2 corner(kLeft, kTop);
  const Vec2 size(kWidth - kLeft - kRight, kHeight - kTop - kBottom);
  const auto across = [&](double value) { return kLeft + axis.share(value) * size.x(); };
  const auto up = [&](double value) { return kTop + (1 - axis.share(value)) * size.y(); };

  // frame
  io::Canvas canvas(kWidth, kHeight);
  canvas.text({kLeft, 22}, scatter.title, io::Anchor::Start, "font-size=\"14\" font-weight=\"600\"");
  for (const io::Tick& tick : axis.ticks) {
    canvas.line({kLeft, up(tick.value)}, {kLeft + size.x(), up(tick.value)}, "class=\"grid\"");
    canvas.line({across(tick.value), kTop}, {across(tick.value), kTop + size.y()}, "class=\"grid\"");
    canvas.text({kLeft - 7, up(tick.value) + 4}, tick.label, io::Anchor::End, "class=\"soft\" font-size=\"12\"");
    canvas.text({across(tick.value), kTop + size.y() + 17}, tick.label, io::Anchor::Middle,
                "class=\"soft\" font-size=\"12\"");
  }
  canvas.line({kLeft, kTop + size.y()}, {kLeft + size.x(), kTop + size.y()}, "class=\"axis\"");
  canvas.text({kLeft + size.x() / 2, kHeight - 14}, scatter.x_name, io::Anchor::Middle, "font-size=\"12\"");
  canvas.text({kLeft + 6, kTop + 14}, scatter.y_name, io::Anchor::Start, "class=\"halo\" font-size=\"12\"");

  // points
  canvas.open_clip(corner, size);
  canvas.open_group(fmt::format("fill=\"{}\" fill-opacity=\"0.55\"", io::curve_colour(0)));
  for (const Vec2& point : scatter.points)
    canvas.circle({across(point.x() * scatter.factor), up(point.y() * scatter.factor)}, kDot, "");
  canvas.close_group();
  canvas.close_clip();
  return canvas.finish(scatter.title);
}

}  // namespace filum::validation
