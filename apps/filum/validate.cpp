// filum validate: published cases against theory.
#include "choose.hpp"
#include "command.hpp"
#include "io/file_read.hpp"
#include "io/file_write.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "validation/book.hpp"
#include "validation/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace filum::app {
namespace {

using validation::Case;
using validation::CaseResult;

struct ValidateArguments {
  std::vector<std::string> names;
  std::string report;
  std::string book;
  std::string same_as;
  std::string formulation = kDefaultFormulation;
  bool all = false;
  bool json = false;
};

// The named cases, or all but the long ones. Only equilibria can be asked of another formulation.
Result<std::vector<const Case*>> chosen_cases(const ValidateArguments& arguments) {
  const auto& known = validation::cases();
  auto chosen = choose(known, arguments.names, "validation case",
                       [](const Case& each) { return each.takes_long ? " (long)" : ""; });
  if (!chosen) return chosen;
  const bool other = arguments.formulation != validation::Setting{}.formulation;
  if (arguments.names.empty())
    for (const Case& each : known)
      if ((arguments.all || !each.takes_long) && (each.equilibria || !other)) chosen->push_back(&each);
  for (const Case* each : *chosen)
    if (other && !each->equilibria)
      return Error{ErrorCode::BadInput,
                   "the case " + each->name + " is not one of equilibria: it runs in its own formulation",
                   {},
                   0,
                   0};
  return chosen;
}

std::vector<CaseResult> run_cases(const std::vector<const Case*>& chosen, const std::string& formulation) {
  std::vector<CaseResult> results;
  Progress progress("validating");
  for (const Case* each : chosen) {
    const double done = static_cast<double>(results.size());
    const auto count = static_cast<double>(chosen.size());
    const auto share = [&](double part) { progress.update((done + part) / count, each->name); };
    share(0);
    results.push_back(validation::run_case(*each, {formulation, share}));
  }
  return results;
}

std::string results_table(const std::vector<CaseResult>& results) {
  std::string out;
  std::size_t passed = 0;
  for (const CaseResult& result : results) {
    passed += result.passed() ? 1 : 0;
    out += fmt::format("{}: {}\n  {}\n", bold(result.subject->name), result.subject->shows,
                       "reference: " + result.subject->source);
    if (!result.failure.empty()) out += "  " + bad("FAIL") + ": " + result.failure + "\n";
    Table table({"quantity", "reference", "ours", "error", "tolerance", "verdict"},
                {Align::Left, Align::Right, Align::Right, Align::Right, Align::Left, Align::Left});
    for (const auto& row : result.rows)
      table.add({row.quantity, fmt::format("{:.8g}", row.reference), fmt::format("{:.8g}", row.ours),
                 fmt::format("{:.2e}", validation::error(row)), validation::judged_by(row),
                 validation::passes(row) ? good("pass") : bad("FAIL")});
    if (!result.rows.empty()) out += table.text("  ");
    out += fmt::format("  {}\n\n", quantity(result.seconds, "s"));
  }
  return out + fmt::format("{} of {} cases pass\n", passed, results.size());
}

Status write_report(const std::string& folder, const std::vector<CaseResult>& results) {
  const auto made = io::make_folder(folder);
  if (!made) return made;
  return io::write_files(
      {{(std::filesystem::path(folder) / "validation.html").string(), validation::results_html(results)}});
}

// The figures of the book, written anew.
Status write_book(const std::string& file, const std::vector<CaseResult>& results) {
  const auto text = io::read_text_file(file);
  if (!text) return text.error();
  const auto updated = validation::updated_book(*text, results);
  if (!updated) return updated.error();
  return io::write_files({{file, *updated}});
}

// What the book says otherwise, on stderr; false if there is anything.
Result<bool> agrees_with_book(const std::string& file, const std::vector<CaseResult>& results) {
  const auto text = io::read_text_file(file);
  if (!text) return text.error();
  const std::vector<std::string> stale = validation::stale_rows(*text, results);
  for (const std::string& line : stale) fmt::print(stderr, "filum: {}\n", line);
  if (!stale.empty()) fmt::print(stderr, "filum: `filum validate --book {}` writes the figures anew\n", file);
  return stale.empty();
}

int run_validate(const ValidateArguments& arguments) {
  const auto chosen = chosen_cases(arguments);
  if (!chosen) return fail(chosen.error());
  const auto results = run_cases(*chosen, arguments.formulation);
  if (!arguments.report.empty()) {
    const auto written = write_report(arguments.report, results);
    if (!written) return fail(written.error());
  }
  if (!arguments.book.empty()) {
    const auto written = write_book(arguments.book, results);
    if (!written) return fail(written.error());
  }
  bool agrees = true;
  if (!arguments.same_as.empty()) {
    const auto compared = agrees_with_book(arguments.same_as, results);
    if (!compared) return fail(compared.error());
    agrees = *compared;
  }
  const bool passed =
      agrees && std::all_of(results.begin(), results.end(), [](const CaseResult& each) { return each.passed(); });
  return emit(arguments.json ? validation::results_json(results) : results_table(results),
              passed ? kDone : kCheckFailed);
}

}  // namespace

void add_validate(CommandLine& line) {
  const auto arguments = std::make_shared<ValidateArguments>();
  Command command = line.add("validate", "Compare with published and analytic results");
  command.positional("CASE", arguments->names, "Cases to run (default: all but the long ones)");
  command.option("--report", arguments->report, "DIR", "Also write validation.html into this folder");
  command.option("--book", arguments->book, "FILE", "Write the figures of these cases into the validation book");
  command.option("--same-as", arguments->same_as, "FILE", "Fail if the validation book has other figures");
  command.option("--formulation", arguments->formulation, "NAME", "Cases of equilibria in this formulation");
  command.flag("--all", arguments->all, "The long cases too");
  command.flag("--json", arguments->json, "Print JSON");
  command.action([arguments] { return run_validate(*arguments); });
}

}  // namespace filum::app
