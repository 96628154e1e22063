// A progress bar on stderr for what takes longer than a second, if a person is there to see it.
#pragma once

#include <chrono>
#include <string>

namespace filum::app {

class Progress {
 public:
  // `label` stands before the bar. Nothing is shown yet.
  explicit Progress(std::string label);
  // Wipes the bar away.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Whether an update would be drawn: for those whose words cost something.
  [[nodiscard]] bool wants() const;

  // The share done, in [0, 1], and a word on what is going on. Cheap to call often.
  void update(double share, const std::string& word = "");

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double share, const std::string& word);

  std::string label_;
  bool terminal_;       // stderr is one
  bool drawn_ = false;  // there is a bar to wipe away
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace filum::app
