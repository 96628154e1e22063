#include "report/svg/svg_chart.hpp"

#include "report/svg/svg_axis.hpp"
#include "report/svg/svg_canvas.hpp"
#include "io/colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::io {
namespace {

constexpr double kWidth = 560, kHeight = 300;
constexpr double kLeft = 58, kRight = 20, kBottom = 46;
constexpr double kTitle = 22;      // baseline of the title
constexpr double kLegendRow = 17;  // height of a row of the legend
constexpr size_t kPoints = 2400;   // drawn in one chart, all curves together
constexpr size_t kCurves = 60;     // drawn in one chart
constexpr double kDecades = 100;   // a logarithmic axis shows so much above the smallest value

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double v) {
    if (!std::isfinite(v)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  [[nodiscard]] bool empty() const { return !(low <= high); }
};

// Everything that turns values into pixels.
struct Frame {
  Axis x, y;
  Unit x_unit, y_unit;
  double top = 0;  // of the plot area

  [[nodiscard]] Vec2 size() const { return {kWidth - kLeft - kRight, kHeight - kBottom - top}; }
  [[nodiscard]] Vec2 place(double vx, double vy) const {
    return {kLeft + x.share(vx * x_unit.factor) * size().x(), level(vy * y_unit.factor)};
  }
  // of a y in the axis's unit
  [[nodiscard]] double level(double vy) const { return top + (1 - y.share(vy)) * size().y(); }
};

double peak(const Series& series) {
  double most = -1;
  for (const double v : series.y) {
    if (std::isfinite(v)) most = std::max(most, std::abs(v));
  }
  return most;
}

// Anything the axis could show?
bool has_value(const Chart& chart, const Series& series) {
  return std::any_of(series.y.begin(), series.y.end(),
                     [&](double y) { return std::isfinite(y) && (y > 0 || !chart.logarithmic); });
}

// The curves to draw: all, or the sixty that reach farthest.
std::vector<size_t> shown(const Chart& chart) {
  std::vector<size_t> order(chart.series.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (order.size() <= kCurves) return order;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return peak(chart.series[a]) > peak(chart.series[b]); });
  order.resize(kCurves);
  std::sort(order.begin(), order.end());
  return order;
}

Axis value_axis(const Chart& chart, Range y, const Unit& unit) {
  // limits belong into the picture unless they would squash the curves
  for (const LimitLine& limit : chart.limits) {
    if (!y.empty() && limit.value <= 2.5 * y.high && limit.value >= y.low / 2.5) y.take(limit.value);
  }
  if (chart.logarithmic) {
    const double low = y.empty() ? 1 : y.low / 1.25;
    const double high = std::clamp(y.empty() ? 10 : y.high * 1.25, 3 * low, kDecades * low);
    return log_axis(low * unit.factor, high * unit.factor);
  }
  // nothing but round-off is a flat line at zero
  const bool flat = y.empty() || std::max(std::abs(y.low), std::abs(y.high)) <= chart.noise;
  if (flat) return linear_axis(-1, 1, 5, true);
  // zero is part of the axis unless the curve is far from it
  if (y.low > 0 && y.low < 0.6 * y.high) y.low = 0;
  if (y.high < 0 && y.high > 0.6 * y.low) y.high = 0;
  if (y.high - y.low < 1e-6 * std::max(std::abs(y.low), std::abs(y.high))) y.take(0);
  const double head = 0.04 * (y.high - y.low);
  return linear_axis((y.low == 0 ? 0 : y.low - head) * unit.factor, (y.high == 0 ? 0 : y.high + head) * unit.factor, 7,
                     true);
}

Frame frame_of(const Chart& chart, double top) {
  Range x, y;
  for (const Series& series : chart.series) {
    for (const double v : series.x) x.take(v);
    for (const double v : series.y) {
      if (!chart.logarithmic || v > 0) y.take(v);
    }
  }
  if (x.empty()) x = {0, 1};
  Frame frame;
  frame.top = top;
  frame.x_unit = unit_for(chart.x_quantity, std::max(std::abs(x.low), std::abs(x.high)));
  double most = y.empty() ? 0 : std::max(std::abs(y.low), std::abs(y.high));
  if (chart.logarithmic && !y.empty()) most = std::min(y.high, kDecades * y.low);
  frame.y_unit = unit_for(chart.quantity, most <= chart.noise ? 0 : most);
  frame.x = linear_axis(x.low * frame.x_unit.factor, x.high * frame.x_unit.factor, 9, false);
  frame.y = value_axis(chart, y, frame.y_unit);
  return frame;
}

void draw_axes(Canvas& canvas, const Chart& chart, const Frame& frame) {
  const double right = kWidth - kRight, bottom = kHeight - kBottom;
  for (const Tick& tick : frame.y.ticks) {
    const double level = frame.level(tick.value);
    const bool zero = tick.value == 0 && !frame.y.logarithmic;
    canvas.line({kLeft, level}, {right, level}, zero ? "class=\"zero\"" : "class=\"grid\"");
    canvas.text({kLeft - 7, level + 4}, tick.label, Anchor::End, "class=\"soft\" font-size=\"12\"");
  }
  for (const Tick& tick : frame.x.ticks) {
    const double at = kLeft + frame.x.share(tick.value) * frame.size().x();
    canvas.line({at, frame.top}, {at, bottom}, "class=\"grid\"");
    canvas.text({at, bottom + 17}, tick.label, Anchor::Middle, "class=\"soft\" font-size=\"12\"");
  }
  canvas.line({kLeft, bottom}, {right, bottom}, "class=\"axis\"");
  const std::string name = *frame.x_unit.symbol ? chart.x_name + ", " + frame.x_unit.symbol : chart.x_name;
  canvas.text({0.5 * (kLeft + right), bottom + 35}, name, Anchor::Middle, "font-size=\"12\"");
}

void draw_limits(Canvas& canvas, const Chart& chart, const Frame& frame) {
  size_t drawn = 0;
  std::vector<double> done;
  for (const LimitLine& limit : chart.limits) {
    // equal limits are one line; more than four tell nothing
    if (std::find(done.begin(), done.end(), limit.value) != done.end() || drawn == 4) continue;
    done.push_back(limit.value);
    ++drawn;
    const double value = limit.value * frame.y_unit.factor;
    const std::string label = limit.name + " " + digits(value, 4);
    const double share = frame.y.share(value);
    const bool inside = share >= 0 && share <= 1;
    const double level = inside ? frame.level(value) : share > 1 ? frame.top : kHeight - kBottom;
    if (inside) canvas.line({kLeft, level}, {kWidth - kRight, level}, "class=\"limit\" stroke-dasharray=\"7 4\"");
    // the label stands above its line, below it near the top
    const double below = level - frame.top < 18 ? 14 : -5;
    canvas.text({kWidth - kRight - 4, level + below}, inside ? label : label + " is beyond this range", Anchor::End,
                "class=\"limittext halo\" font-size=\"12\"");
  }
}

// Rows of the legend under the title; returns the top of the plot area. Draws nothing without a canvas.
double draw_legend(Canvas* canvas, const Chart& chart, const std::vector<size_t>& order) {
  const double first = kTitle + 18;
  if (order.size() < 2) return first - 4;
  double x = kLeft, y = first;
  for (size_t k = 0; k < order.size(); ++k) {
    const std::string& name = chart.series[order[k]].name;
    const double width = 26 + text_width(name, 12) + 12;
    if (x + width > kWidth - kRight - 60 && x > kLeft) {
      x = kLeft;
      y += kLegendRow;
    }
    // two rows, then only a count
    if (y > first + kLegendRow) {
      if (canvas) {
        canvas->text({kWidth - kRight, y - kLegendRow}, fmt::format("+ {} more", order.size() - k), Anchor::End,
                     "class=\"soft\" font-size=\"12\"");
      }
      return y - kLegendRow + 12;
    }
    if (canvas) {
      const std::string dash = curve_dash(order[k]);
      canvas->line({x, y - 4}, {x + 20, y - 4},
                   fmt::format("stroke=\"{}\" stroke-width=\"2.5\"{}", curve_colour(order[k]),
                               dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\""));
      canvas->text({x + 26, y}, name, Anchor::Start, "font-size=\"12\"");
    }
    x += width;
  }
  return y + 12;
}

void draw_curves(Canvas& canvas, const Chart& chart, const Frame& frame, const std::vector<size_t>& order) {
  canvas.open_clip({kLeft, frame.top - 2}, frame.size() + Vec2(0, 3));
  const size_t budget = std::max<size_t>(24, kPoints / std::max<size_t>(1, order.size()));
  for (const size_t i : order) {
    const Series thin = decimated(chart.series[i], budget);
    std::vector<Vec2> points;
    for (size_t k = 0; k < thin.x.size(); ++k) {
      const bool positive = thin.y[k] > 0 || !chart.logarithmic;
      points.push_back(positive ? frame.place(thin.x[k], thin.y[k]) : Vec2::Constant(std::nan("")));
    }
    const std::string dash = curve_dash(i);
    canvas.polyline(points,
                    fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", curve_colour(i), order.size() > 12 ? 1.2 : 1.9,
                                dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\""),
                    chart.series[i].name);
  }
  canvas.close_clip();
}

}  // namespace

Series decimated(const Series& series, size_t count) {
  const size_t n = std::min(series.x.size(), series.y.size());
  if (n <= count || count < 4)
    return {series.name,
            {series.x.begin(), series.x.begin() + static_cast<std::ptrdiff_t>(n)},
            {series.y.begin(), series.y.begin() + static_cast<std::ptrdiff_t>(n)}};
  Series thin{series.name, {}, {}};
  const auto keep = [&](size_t i) {
    thin.x.push_back(series.x[i]);
    thin.y.push_back(series.y[i]);
  };
  // two points a bucket, in their order
  const size_t buckets = count / 2;
  for (size_t b = 0; b < buckets; ++b) {
    const size_t from = b * n / buckets, to = (b + 1) * n / buckets;
    size_t low = from, high = from;
    for (size_t i = from; i < to; ++i) {
      if (series.y[i] < series.y[low]) low = i;
      if (series.y[i] > series.y[high]) high = i;
    }
    keep(std::min(low, high));
    if (low != high) keep(std::max(low, high));
  }
  keep(n - 1);
  return thin;
}

std::string chart_svg(const Chart& chart) {
  const std::vector<size_t> order = shown(chart);
  Canvas canvas(kWidth, kHeight);
  const Frame frame = frame_of(chart, draw_legend(nullptr, chart, order));
  const std::string unit = frame.y_unit.symbol;
  canvas.text({kLeft, kTitle}, unit.empty() ? chart.title : chart.title + ", " + unit, Anchor::Start,
              "font-size=\"14\" font-weight=\"600\"");
  if (order.size() < chart.series.size()) {
    canvas.text({kWidth - kRight, kTitle}, fmt::format("the {} largest of {}", order.size(), chart.series.size()),
                Anchor::End, "class=\"soft\" font-size=\"12\"");
  }
  if (std::none_of(chart.series.begin(), chart.series.end(), [&](const Series& s) { return has_value(chart, s); })) {
    canvas.text(frame.size() * 0.5 + Vec2(kLeft, frame.top), "nothing to show", Anchor::Middle,
                "class=\"soft\" font-size=\"13\"");
  }
  draw_legend(&canvas, chart, order);
  draw_axes(canvas, chart, frame);
  draw_curves(canvas, chart, frame, order);
  draw_limits(canvas, chart, frame);
  return canvas.finish(chart.title);
}

}  // namespace filum::io
