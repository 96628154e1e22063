// What happened, numbered, for those who watch: the last few hundred.
#pragma once

#include <filum/outcome.hpp>

#include <deque>
#include <string>
#include <vector>

namespace filum::serve {

enum class Level { Info, Warning, Error };

struct Notice {
  long number = 0;
  Level level = Level::Info;
  Event event;
};

class Notices {
 public:
  // The same thing at the same time again is one.
  void add(Level level, Event event);
  void add(double t, Level level, std::string what);
  // Those with a number above this one.
  [[nodiscard]] std::vector<Notice> since(long number) const;
  [[nodiscard]] long last() const { return last_; }

 private:
  static constexpr std::size_t kMost = 200;
  std::deque<Notice> notices_;
  long last_ = 0;
};

}  // namespace filum::serve
