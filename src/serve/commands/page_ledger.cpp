#include "serve/commands/page_ledger.hpp"

#include <algorithm>

namespace filum::serve {

namespace {

constexpr std::size_t kMostPages = 64;
constexpr std::size_t kMostReplies = 128;  // more than a page has under way at once

}  // namespace

Json PageLedger::once(const Caller& caller, const std::function<Json()>& work) {
  if (caller.page.empty() || !(caller.number > 0)) return work();
  if (!pages_.contains(caller.page)) forget_oldest();
  Page& page = pages_[caller.page];
  page.said = ++count_;
  if (caller.number <= page.done) {
    const auto same = [&](const auto& kept) { return kept.first == caller.number; };
    const auto kept = std::find_if(page.replies.begin(), page.replies.end(), same);
    if (kept != page.replies.end()) return kept->second;
    return {{"type", "reply"}, {"id", nullptr}, {"cmd", nullptr}, {"ok", false}, {"error", "this was said before"}};
  }
  Json reply = work();
  page.done = caller.number;
  page.replies.emplace_back(caller.number, reply);
  if (page.replies.size() > kMostReplies) page.replies.pop_front();
  return reply;
}

std::map<std::string, double> PageLedger::done() const {
  std::map<std::string, double> list;
  for (const auto& [name, page] : pages_) list[name] = page.done;
  return list;
}

// Room for another page.
void PageLedger::forget_oldest() {
  if (pages_.size() < kMostPages) return;
  const auto before = [](const auto& a, const auto& b) { return a.second.said < b.second.said; };
  pages_.erase(std::min_element(pages_.begin(), pages_.end(), before));
}

}  // namespace filum::serve
