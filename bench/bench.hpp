// A bench: a piece of work, timed against the yardstick in the same run.
//
// Times are the processor's: what else the machine does is not counted. By themselves they mean little still: each
// sample of a bench is taken between two samples of the yardstick (bench/yardstick.hpp), the best of each is kept, and
// the quotient of the two is what is compared and kept.
// A hash of the final state stands beside the time, so that a fast wrong answer does not pass for a fast one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace filum::bench {

// What is timed. `reset` brings the state back to the start and is not timed.
struct Work {
  std::function<void()> reset;
  std::function<void()> run;
  std::function<std::uint64_t()> hash;  // of the state after `run`
  double units = 1;                     // the time is divided by this: nodes, iterations × nodes, …
};

// Microseconds of some work and of what it is compared with, and the hash of the state that the work ends in.
struct TimePair {
  double work = 0;
  double other = 0;
  std::uint64_t hash = 0;
};

struct Bench {
  std::string name;            // «newton-iteration-200»
  std::string per;             // what one unit is: «node», «solve»
  double target = 0;           // largest quotient that will do; 0: none set
  std::function<Work()> make = {};  // allocates; called once, right before the measurement
  bool slow = false;           // takes minutes: run once, and only when named
  // Instead of `make`, for what is no matter of the best time: the times of many pieces of work, in microseconds. Their
  // 99.9th percentile is compared with their median, which takes the place of the yardstick.
  std::function<std::vector<double>()> times = {};
  // Likewise instead of `make`, where other work takes the place of the yardstick: one sample of both.
  std::function<TimePair()> pair = {};
};

// All benches, in the order of the table (benches.cpp).
const std::vector<Bench>& benches();

struct Row {
  std::string name;
  std::string per;
  double microseconds = 0;  // per unit, best of `samples`
  double yardstick = 0;     // microseconds per node, best of the interleaved samples
  double quotient = 0;      // of the two
  double target = 0;
  int samples = 0;
  std::uint64_t hash = 0;
  bool repeatable = true;  // every sample ended in the same state, bit by bit
};

Row measure(const Bench& bench);

// FNV-1a over the bytes of the numbers: equal hashes mean equal bits.
std::uint64_t hash_of(std::span<const double> numbers);

std::string rows_json(const std::vector<Row>& rows);

}  // namespace filum::bench
