// A line chart: curves over a common axis, round ticks, engineering units, limit lines, a legend.
#pragma once

#include "report/report_units.hpp"

#include <string>
#include <vector>

namespace filum::io {

struct Series {
  std::string name;
  std::vector<double> x, y;  // SI; NaN leaves a gap
};

struct LimitLine {
  double value = 0;  // SI
  std::string name;
};

struct Chart {
  std::string title;
  Quantity quantity = Quantity::Plain;  // of y
  std::string x_name;
  Quantity x_quantity = Quantity::Length;
  std::vector<Series> series;
  std::vector<LimitLine> limits;
  bool logarithmic = false;  // y; what is not positive is left out, far above the smallest cut off
  double noise = 0;          // |y| up to this is round-off: the axis does not zoom into it
};

std::string chart_svg(const Chart& chart);

// At most about `count` points of a curve: each bucket keeps its smallest and largest y, so no peak is lost.
Series decimated(const Series& series, size_t count);

}  // namespace filum::io
