// The k lowest linkages of a sweep.
#include "channel/viterbi.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <queue>

namespace filum::channel {
namespace {

// The end of a linkage: a link, and the rest of the linkage after it.
struct Tail {
  double bound;  // energy of the lowest linkage with this end: exact, so the first complete ones are the lowest
  double after;  // energy beyond the link
  int stage;
  int link;
  int next;  // the tail after it; −1: the link ends the beam
};

class Walk {
 public:
  Walk(const Trellis& trellis, const Beam& beam, const Sweep& swept) : trellis_(trellis), beam_(beam), swept_(swept) {
    const int last = trellis.stages - 1;
    for (int link = 0; link < trellis.table(last).links(); ++link)
      if (swept.last[at(link)] < kNever) add({swept.last[at(link)], 0, last, link, -1});
  }

  // The next lowest linkage, or one of infinite energy.
  Linkage next() {
    while (!open_.empty()) {
      const int index = open_.top().second;
      open_.pop();
      const Tail tail = tails_[at(index)];
      if (tail.stage == 0) return complete(index);
      expand(tail, index);
    }
    return {};
  }

 private:
  using Entry = std::pair<double, int>;

  void add(const Tail& tail) {
    tails_.push_back(tail);
    open_.push({tail.bound, static_cast<int>(tails_.size()) - 1});
  }

  void expand(const Tail& tail, int index) {
    const LinkTable& table = trellis_.table(tail.stage);
    const LinkTable& into = trellis_.table(tail.stage - 1);
    const auto above = std::upper_bound(table.first.begin(), table.first.end(), tail.link);
    const auto node = static_cast<std::size_t>(above - table.first.begin()) - 1;
    const Stage& before = swept_.stages[at(tail.stage - 1)];
    for (int i = into.in_first[node]; i < into.in_first[node + 1]; ++i) {
      const int link = into.in_link[at(i)];
      const int place = link - before.begin;
      if (place < 0 || place >= static_cast<int>(before.cost.size()) || before.cost[at(place)] == kNever) continue;
      const double joint = beam_.joint_energy(tail.stage + 1, into.angle[at(link)], table.angle[at(tail.link)]);
      const double after = tail.after + joint + table.load[at(tail.link)];
      add({before.cost[at(place)] + after, after, tail.stage - 1, link, index});
    }
  }

  [[nodiscard]] Linkage complete(int index) const {
    Linkage linkage;
    linkage.energy = tails_[at(index)].bound;
    for (; index >= 0; index = tails_[at(index)].next) linkage.links.push_back(tails_[at(index)].link);
    set_shape(trellis_, beam_, linkage);
    return linkage;
  }

  const Trellis& trellis_;
  const Beam& beam_;
  const Sweep& swept_;
  std::vector<Tail> tails_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

}  // namespace

std::vector<Linkage> k_lowest(const Trellis& trellis, const Beam& beam, const Sweep& swept, int k) {
  std::vector<Linkage> linkages;
  Walk walk(trellis, beam, swept);
  while (static_cast<int>(linkages.size()) < k) {
    Linkage linkage = walk.next();
    if (linkage.energy == kNever) break;
    linkages.push_back(std::move(linkage));
  }
  return linkages;
}

}  // namespace filum::channel
