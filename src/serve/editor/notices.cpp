#include "serve/editor/notices.hpp"

#include <utility>

namespace filum::serve {

void Notices::add(double t, Level level, std::string what) {
  if (!notices_.empty() && notices_.back().t == t && notices_.back().what == what) return;
  notices_.push_back({++last_, t, level, std::move(what)});
  if (notices_.size() > kMost) notices_.pop_front();
}

std::vector<Notice> Notices::since(long number) const {
  std::vector<Notice> found;
  for (const Notice& notice : notices_)
    if (notice.number > number) found.push_back(notice);
  return found;
}

}  // namespace filum::serve
