#include "serve/editor/notices.hpp"

#include <utility>

namespace filum::serve {

void Notices::add(Level level, Event event) {
  if (!notices_.empty() && notices_.back().event == event) return;
  notices_.push_back({++last_, level, std::move(event)});
  if (notices_.size() > kMost) notices_.pop_front();
}

void Notices::add(double t, Level level, std::string what) {
  Event event;
  event.t = t;
  event.why = std::move(what);
  add(level, std::move(event));
}

std::vector<Notice> Notices::since(long number) const {
  std::vector<Notice> found;
  for (const Notice& notice : notices_)
    if (notice.number > number) found.push_back(notice);
  return found;
}

}  // namespace filum::serve
