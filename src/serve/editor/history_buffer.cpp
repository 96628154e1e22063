#include "serve/editor/history_buffer.hpp"

#include <algorithm>

namespace filum::serve {

namespace {

std::vector<std::string> columns_of(const Scene& scene) {
  std::vector<std::string> columns = {"frame", "t", "elastic", "gravity", "kinetic", "work", "dissipated", "solve_ms"};
  for (const Rod& rod : scene.rods)
    for (const char* what : {"turns ", "tension ", "bend radius "}) columns.push_back(what + rod.name);
  for (const Hold& hold : scene.holds)
    for (const char* what : {"force ", "moment "}) columns.push_back(what + hold.name);
  return columns;
}

}  // namespace

void HistoryBuffer::clear() {
  columns_.clear();
  rows_.clear();
}

void HistoryBuffer::drop_after(double frame) {
  while (!rows_.empty() && rows_.back()->front() > frame) rows_.pop_back();
}

void HistoryBuffer::add(double frame, double t, double solve_ms, const Scene& scene, const Pose& pose) {
  if (std::vector<std::string> columns = columns_of(scene); columns != columns_) {
    rows_.clear();
    columns_ = std::move(columns);
  }
  // thin the older half
  if (rows_.size() >= kMostRows || (rows_.size() > 2 && rows_.size() * columns_.size() > kMostNumbers)) {
    std::vector<Row> kept;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (i >= rows_.size() / 2 || i % 2 == 0) kept.push_back(std::move(rows_[i]));
    rows_ = std::move(kept);
  }
  const Energy& energy = pose.energy;
  std::vector<double> row = {
      frame,   t, energy.elastic, energy.gravity, energy.kinetic, energy.work, energy.dissipated + energy.drained,
      solve_ms};
  for (const RodPose& rod : pose.rods) {
    row.push_back(rod.turns);
    row.push_back(rod.axial_force.empty() ? 0 : *std::max_element(rod.axial_force.begin(), rod.axial_force.end()));
    row.push_back(rod.min_bend_radius.value);
  }
  // the holds of hands come behind the scene's and have no column
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    row.push_back(pose.holds[h].force.norm());
    row.push_back(pose.holds[h].moment.norm());
  }
  rows_.push_back(std::make_shared<const std::vector<double>>(std::move(row)));
}

}  // namespace filum::serve
