// Figures over time, one row a frame: what the plots of a page begin with when it connects.
//
// Bounded: when it is full, every second row of its older half goes.
#pragma once

#include <filum/pose.hpp>
#include <filum/scene.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace filum::serve {

class HistoryBuffer {
 public:
  // Begins anew if the rods or holds are not those of the rows so far. Steps between two frames have fractions.
  void add(double frame, double t, double solve_ms, const Scene& scene, const Pose& pose);
  void clear();
  // As if what came after this frame had not been.
  void drop_after(double frame);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  // By ascending frame; the first entry of a row is its frame. Copies of the buffer share them.
  using Row = std::shared_ptr<const std::vector<double>>;
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  static constexpr std::size_t kMostRows = 6000;
  static constexpr std::size_t kMostNumbers = 8'000'000;  // of all rows together: 64 MB
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

}  // namespace filum::serve
