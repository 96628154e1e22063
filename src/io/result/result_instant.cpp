// One instant of a stored result: of a run the recorded frame nearest to it, of a path the nearest state.
#include <filum/result_file.hpp>

#include "io/number_text.hpp"

#include <algorithm>
#include <cmath>

namespace filum {
namespace {

// Keeps the nearest of the instants it is shown, and how far they reach.
class Nearest {
 public:
  explicit Nearest(double t) : t_(t) {}

  void show(const Snapshot& snapshot) {
    first_ = seen_ ? std::min(first_, snapshot.t) : snapshot.t;
    last_ = seen_ ? std::max(last_, snapshot.t) : snapshot.t;
    if (!seen_ || std::abs(snapshot.t - t_) < std::abs(kept_.t - t_)) kept_ = snapshot;
    seen_ = true;
  }
  // Beyond both ends there is nothing near, rounding aside.
  [[nodiscard]] bool within() const {
    const double slack = 1e-9 * (last_ - first_);
    return seen_ && t_ >= first_ - slack && t_ <= last_ + slack;
  }
  [[nodiscard]] std::string reach() const {
    std::string text = "t = ";
    io::put_number(text, first_);
    text += " … ";
    io::put_number(text, last_);
    return text + " s";
  }
  [[nodiscard]] Snapshot take() { return std::move(kept_); }

 private:
  double t_;
  bool seen_ = false;
  double first_ = 0;
  double last_ = 0;
  Snapshot kept_;
};

}  // namespace

Result<StoredResult> at_instant(StoredResult result, double t) {
  Nearest nearest(t);
  if (result.frames.empty()) {
    for (const Snapshot& state : result.outcome.states) nearest.show(state);
  } else {
    Result<FrameReader> reader = FrameReader::open(result.frames);
    if (!reader) return reader.error();
    Snapshot frame;
    while (true) {
      const Result<bool> got = reader->next(frame);
      if (!got) return got.error();
      if (!*got) break;
      nearest.show(frame);
    }
  }
  if (!nearest.within()) {
    std::string message = "there is nothing at t = ";
    io::put_number(message, t);
    return Error{ErrorCode::BadInput, message + " s: the result has " + nearest.reach(), ""};
  }
  result.outcome.states = {nearest.take()};
  result.outcome.history.clear();
  result.frames.clear();
  return result;
}

}  // namespace filum
