// filum bench: speed, as quotients by the yardstick.
#include "bench/bench.hpp"

#include "command.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "table.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace filum::app {
namespace {

std::vector<bench::Row> measure_all() {
  std::vector<bench::Row> rows;
  Progress progress("timing");
  const auto& all = bench::benches();
  for (const bench::Bench& each : all) {
    progress.update(static_cast<double>(rows.size()) / static_cast<double>(all.size()), each.name);
    rows.push_back(bench::measure(each));
  }
  return rows;
}

std::string rows_table(const std::vector<bench::Row>& rows) {
  Table table({"bench", "time", "per", "yardsticks", "target", "", "state"},
              {Align::Left, Align::Right, Align::Left, Align::Right, Align::Right, Align::Left, Align::Left});
  for (const bench::Row& row : rows) {
    const bool aimed = row.target > 0;
    table.add({row.name, quantity(1e-6 * row.microseconds, "s"), row.per, fmt::format("{:.2f}", row.quotient),
               aimed ? fmt::format("{:g}", row.target) : "",
               !aimed                       ? ""
               : row.quotient <= row.target ? good("met")
                                            : bad("MISSED"),
               fmt::format("{:016x}{}", row.hash, row.repeatable ? "" : "  " + bad("differs from sample to sample"))});
  }
  return table.text();
}

// Times are information, not a verdict: a busy machine must not fail a build. States that differ are one.
int run_bench(bool json) {
  const auto rows = measure_all();
  bool repeatable = true;
  for (const bench::Row& row : rows) repeatable = repeatable && row.repeatable;
  return emit(json ? bench::rows_json(rows) : rows_table(rows), repeatable ? kDone : kCheckFailed);
}

}  // namespace

void add_bench(CommandLine& line) {
  const auto json = std::make_shared<bool>(false);
  Command command = line.add("bench", "Measure the speed, as quotients by a yardstick taken in the same run");
  command.flag("--json", *json, "Print JSON");
  command.action([json] { return run_bench(*json); });
}

}  // namespace filum::app
