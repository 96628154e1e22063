#include "bench/bench.hpp"

#include "bench/processor_time.hpp"
#include "bench/yardstick.hpp"
#include "io/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace filum::bench {

namespace {

// Samples are taken for so long, and at least so many: the best of many settles on the undisturbed machine.
constexpr double kSecondsPerBench = 0.4;
constexpr int kLeastSamples = 10;

}  // namespace

std::uint64_t hash_of(std::span<const double> numbers) {
  // FNV-1a, 64 bit (Fowler, Noll, Vo; RFC 9923)
  std::uint64_t hash = 14695981039346656037ULL;
  for (const double number : numbers) {
    unsigned char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ULL;
  }
  return hash;
}

namespace {

Row measure_spread(const Bench& bench) {
  Row row{.name = bench.name, .per = bench.per, .target = bench.target};
  std::vector<double> times = bench.times();
  std::sort(times.begin(), times.end());
  row.samples = static_cast<int>(times.size());
  row.microseconds = times[times.size() * 999 / 1000];
  row.yardstick = times[times.size() / 2];
  row.quotient = row.microseconds / row.yardstick;
  return row;
}

// The best of each.
Row measure_pair(const Bench& bench) {
  Row row{.name = bench.name, .per = bench.per, .target = bench.target};
  row.microseconds = row.yardstick = std::numeric_limits<double>::infinity();
  for (; row.samples < kLeastSamples; ++row.samples) {
    const TimePair times = bench.pair();
    row.microseconds = std::min(row.microseconds, times.work);
    row.yardstick = std::min(row.yardstick, times.other);
    if (row.samples > 0 && times.hash != row.hash) row.repeatable = false;
    row.hash = times.hash;
  }
  row.quotient = row.microseconds / row.yardstick;
  return row;
}

}  // namespace

Row measure(const Bench& bench) {
  if (bench.times) return measure_spread(bench);
  if (bench.pair) return measure_pair(bench);
  Row row{.name = bench.name, .per = bench.per, .target = bench.target};
  const Work work = bench.make();
  Yardstick yardstick;
  double best = std::numeric_limits<double>::infinity();
  double best_yardstick = best;

  // the yardstick before each sample: both see the same machine
  const double start = processor_microseconds();
  while (row.samples < (bench.slow ? 1 : kLeastSamples) || processor_microseconds() - start < 1e6 * kSecondsPerBench) {
    best_yardstick = std::min(best_yardstick, yardstick.sample());
    work.reset();
    best = std::min(best, processor_microseconds_of(work.run));

    // the state's hash must come out the same every time
    const std::uint64_t hash = work.hash();
    if (row.samples > 0 && hash != row.hash) row.repeatable = false;
    row.hash = hash;
    ++row.samples;
  }

  row.microseconds = best / work.units;
  row.yardstick = best_yardstick;
  row.quotient = row.microseconds / row.yardstick;
  return row;
}

std::string rows_json(const std::vector<Row>& rows) {
  auto list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json entry{{"name", row.name},
                                 {"per", row.per},
                                 {"microseconds", row.microseconds},
                                 {"yardstick", row.yardstick},
                                 {"quotient", row.quotient},
                                 {"samples", row.samples},
                                 {"hash", fmt::format("{:016x}", row.hash)},
                                 {"repeatable", row.repeatable}};
    if (row.target > 0) {
      entry["target"] = row.target;
      entry["met"] = row.quotient <= row.target;
    }
    list.push_back(std::move(entry));
  }
  return io::json_lines({{"filum", 1}, {"bench", std::move(list)}});
}

}  // namespace filum::bench
