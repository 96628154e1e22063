#include "validation/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace filum::validation {

double error(const Row& row) {
  const double difference = row.ours - row.reference;
  switch (row.comparison) {
    case Comparison::Relative:
      return std::abs(difference) / std::abs(row.reference);
    case Comparison::Absolute:
      return std::abs(difference);
    case Comparison::AtLeast:
      return std::max(0.0, -difference);
    case Comparison::AtMost:
      return std::max(0.0, difference);
  }
  return std::abs(difference);
}

bool passes(const Row& row) {
  if (!std::isfinite(row.ours) || !std::isfinite(row.reference)) return false;
  const bool bound = row.comparison == Comparison::AtLeast || row.comparison == Comparison::AtMost;
  return error(row) <= (bound ? 0.0 : row.tolerance);
}

bool CaseResult::passed() const {
  return failure.empty() && !rows.empty() && std::all_of(rows.begin(), rows.end(), passes);
}

CaseResult run_case(const Case& subject, const Setting& setting) {
  CaseResult result;
  result.subject = &subject;
  const auto start = std::chrono::steady_clock::now();

  // a case that yields nothing checks nothing: that is a failure too
  auto rows = subject.run(setting);
  if (rows) {
    result.rows = std::move(*rows);
    if (result.rows.empty()) result.failure = "the case yielded no rows";
  } else {
    result.failure = rows.error().text();
  }

  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string judged_by(const Row& row) {
  switch (row.comparison) {
    case Comparison::Relative:
      return fmt::format("{:.1e} relative", row.tolerance);
    case Comparison::Absolute:
      return fmt::format("{:.1e} absolute", row.tolerance);
    case Comparison::AtLeast:
      return "at least";
    case Comparison::AtMost:
      return "at most";
  }
  return {};
}

}  // namespace filum::validation
