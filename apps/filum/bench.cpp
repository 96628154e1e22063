// filum bench: speed, as quotients by the yardstick.
#include "bench/bench.hpp"

#include "choose.hpp"
#include "command.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "table.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace filum::app {
namespace {

using bench::Bench;

struct BenchArguments {
  std::vector<std::string> names;
  bool json = false;
};

// The named benches, or all.
Result<std::vector<const Bench*>> chosen_benches(const std::vector<std::string>& names) {
  const auto& known = bench::benches();
  auto chosen = choose(known, names, "bench", [](const Bench&) { return ""; });
  if (chosen && names.empty())
    for (const Bench& each : known)
      if (!each.slow) chosen->push_back(&each);
  return chosen;
}

std::vector<bench::Row> measure(const std::vector<const Bench*>& chosen) {
  std::vector<bench::Row> rows;
  Progress progress("timing");
  for (const Bench* each : chosen) {
    progress.update(static_cast<double>(rows.size()) / static_cast<double>(chosen.size()), each->name);
    rows.push_back(bench::measure(*each));
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
int run_bench(const BenchArguments& arguments) {
  const auto chosen = chosen_benches(arguments.names);
  if (!chosen) return fail(chosen.error());
  const auto rows = measure(*chosen);
  bool repeatable = true;
  for (const bench::Row& row : rows) repeatable = repeatable && row.repeatable;
  return emit(arguments.json ? bench::rows_json(rows) : rows_table(rows), repeatable ? kDone : kCheckFailed);
}

}  // namespace

void add_bench(CommandLine& line) {
  const auto arguments = std::make_shared<BenchArguments>();
  Command command = line.add("bench", "Measure the speed, as quotients by a yardstick taken in the same run");
  command.positional("BENCH", arguments->names, "Benches to run (default: all)");
  command.flag("--json", arguments->json, "Print JSON");
  command.action([arguments] { return run_bench(*arguments); });
}

}  // namespace filum::app
