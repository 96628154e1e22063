#include "validation/book.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace filum::validation {
namespace {

constexpr double kSame = 0.02;
constexpr std::string_view kTableHead =
    "| quantity | reference | ours | error | tolerance | why |\n|---|---:|---:|---:|---:|---|\n";

bool is_bound(const Row& row) {
  return row.comparison == Comparison::AtLeast || row.comparison == Comparison::AtMost;
}

// Bars would end a cell.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, 1, '\\');
  return text;
}

// Small numbers by their size, counts as they are, others to so many digits.
std::string figure(double value, int digits) {
  if (value != 0 && std::abs(value) < 1e-3) return fmt::format("{:.2e}", value);
  return fmt::format("{:.{}g}", value, digits);
}

std::string tolerance(const Row& row) {
  switch (row.comparison) {
    case Comparison::Relative:
      return fmt::format("{:g} relative", row.tolerance);
    case Comparison::Absolute:
      return fmt::format("{:g}", row.tolerance);
    case Comparison::AtLeast:
      return fmt::format("≥ {:.7g}", row.reference);
    case Comparison::AtMost:
      return fmt::format("≤ {:.7g}", row.reference);
  }
  return {};
}

std::string line(const Row& row) {
  if (is_bound(row))
    return fmt::format("| {} |  | {} |  | {} | {} |\n", cell(row.quantity), figure(row.ours, 4), tolerance(row),
                       cell(row.reason));
  return fmt::format("| {} | {} | {} | {:.1e} | {} | {} |\n", cell(row.quantity), figure(row.reference, 7),
                     figure(row.ours, 7), error(row), tolerance(row), cell(row.reason));
}

// The case's line in the list at the book's beginning.
std::string listed_as(const CaseResult& result) {
  const Case& subject = *result.subject;
  return fmt::format("| [{0}](#{0}) | {1} | {2} |\n", subject.name, subject.shows, result.rows.size());
}

// Where the rows of a case's table begin and end in the book; empty if it has none.
struct Span {
  std::size_t begin = std::string_view::npos;
  std::size_t end = 0;
  [[nodiscard]] bool found() const { return begin != std::string_view::npos; }
};

Span table_of(std::string_view book, const std::string& name) {
  const std::size_t section = book.find("\n## " + name + "\n");
  if (section == std::string_view::npos) return {};
  const std::size_t next = std::min(book.find("\n## ", section + 1), book.size());
  const std::size_t head = book.find(kTableHead, section);
  if (head == std::string_view::npos || head > next) return {};
  Span span{head + kTableHead.size(), head + kTableHead.size()};
  while (span.end < book.size() && book[span.end] == '|')
    span.end = std::min(book.find('\n', span.end), book.size() - 1) + 1;
  return span;
}

// Where that line is.
Span list_line(std::string_view book, const std::string& name) {
  const std::size_t begin = book.find(fmt::format("| [{0}](#{0}) |", name));
  if (begin == std::string_view::npos) return {};
  return {begin, std::min(book.find('\n', begin), book.size() - 1) + 1};
}

// The cell «ours» of the row about this quantity, among these rows; NaN if there is none.
double written(std::string_view rows, const Row& row) {
  const std::string begin = "| " + cell(row.quantity) + " | ";
  std::size_t at = rows.find(begin);
  if (at == std::string_view::npos) return std::nan("");
  at = rows.find('|', at + begin.size() - 1);
  return at == std::string_view::npos ? std::nan("")
                                      : std::strtod(std::string(rows.substr(at + 1, 40)).c_str(), nullptr);
}

bool same(const Row& row, double figure) {
  const double allowed = row.comparison == Comparison::Absolute   ? row.tolerance
                         : row.comparison == Comparison::Relative ? row.tolerance * std::abs(row.reference)
                                                                  : std::abs(row.reference);
  return std::abs(row.ours - figure) <= kSame * std::max(std::abs(figure), allowed);
}

}  // namespace

Result<std::string> updated_book(std::string_view book, const std::vector<CaseResult>& results) {
  std::string text(book);
  for (const CaseResult& result : results) {
    if (!result.failure.empty()) return bad_input(result.subject->name + ": " + result.failure);
    const Span span = table_of(text, result.subject->name);
    if (!span.found()) return bad_input("the book has no table under «## " + result.subject->name + "»");
    std::string rows;
    for (const Row& row : result.rows) rows += line(row);
    text.replace(span.begin, span.end - span.begin, rows);
    const Span listed = list_line(text, result.subject->name);
    if (!listed.found()) return bad_input("the book does not list " + result.subject->name);
    text.replace(listed.begin, listed.end - listed.begin, listed_as(result));
  }
  return text;
}

std::vector<std::string> stale_rows(std::string_view book, const std::vector<CaseResult>& results) {
  std::vector<std::string> stale;
  for (const CaseResult& result : results) {
    const std::string& name = result.subject->name;
    const Span span = table_of(book, name);
    const std::string_view rows = span.found() ? book.substr(span.begin, span.end - span.begin) : std::string_view{};
    for (const Row& row : result.rows) {
      const double figure = written(rows, row);
      if (std::isnan(figure))
        stale.push_back(fmt::format("{}: there is no row «{}»", name, row.quantity));
      else if (!same(row, figure))
        stale.push_back(
            fmt::format("{}: «{}» is {:.4g} now, the book says {:.4g}", name, row.quantity, row.ours, figure));
    }
    const auto listed = static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n'));
    if (listed > result.rows.size())
      stale.push_back(fmt::format("{}: the book has {} rows, there are {}", name, listed, result.rows.size()));
    const Span entry = list_line(book, name);
    if (!entry.found() || book.substr(entry.begin, entry.end - entry.begin) != listed_as(result))
      stale.push_back(fmt::format("{}: the list of cases has another line for it", name));
  }
  return stale;
}

}  // namespace filum::validation
