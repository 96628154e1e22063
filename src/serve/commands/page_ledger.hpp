// The changes that each page has asked for so far, by the page's own numbers, so that none is made twice.
//
// A page whose connection broke does not know whether the server has heard its last words: it says them again, under the
// same numbers, and gets the replies of then. The numbers of a page count up.
#pragma once

#include "serve/commands/json.hpp"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace filum::serve {

// Who asks for a change: a page by the name that it has given itself, and its number of it. Without both it is like no
// other.
struct Caller {
  std::string page;
  double number = 0;
};

class PageLedger {
 public:
  // Does it, or replies what was replied when it was done.
  Json once(const Caller& caller, const std::function<Json()>& work);
  // The last number of each page that was done, or refused.
  [[nodiscard]] std::map<std::string, double> done() const;

 private:
  struct Page {
    double done = 0;
    long said = 0;                                // when last, counted over all pages
    std::deque<std::pair<double, Json>> replies;  // the last ones
  };
  void forget_oldest();

  std::map<std::string, Page> pages_;
  long count_ = 0;
};

}  // namespace filum::serve
