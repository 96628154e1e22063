// What the places of rods that yield remember: numbers, all nil until one yields for the first time. Until then copies copy
// nothing: states are copied in every step, and most rods never yield.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace filum::rod {

class PlasticMemory {
 public:
  PlasticMemory() = default;
  explicit PlasticMemory(std::vector<double> numbers)
      : numbers_(std::move(numbers)),
        blank_(std::all_of(numbers_.begin(), numbers_.end(), [](double value) { return value == 0; })) {}
  ~PlasticMemory() = default;
  PlasticMemory(const PlasticMemory&) = default;
  PlasticMemory(PlasticMemory&&) = default;
  PlasticMemory& operator=(PlasticMemory&&) = default;
  PlasticMemory& operator=(const PlasticMemory& other) {
    if (blank_ && other.blank_ && numbers_.size() == other.numbers_.size()) return *this;
    numbers_ = other.numbers_;
    blank_ = other.blank_;
    return *this;
  }

  // Nothing has ever yielded.
  [[nodiscard]] bool blank() const { return blank_; }
  [[nodiscard]] const std::vector<double>& numbers() const { return numbers_; }
  [[nodiscard]] const double* at(int place) const { return numbers_.data() + place; }

  // To be written to by who then says so, if it was more than nil.
  [[nodiscard]] double* at(int place) { return numbers_.data() + place; }
  void written() { blank_ = false; }

 private:
  std::vector<double> numbers_;
  bool blank_ = true;
};

}  // namespace filum::rod
