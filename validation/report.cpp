// The validation book as a page and as JSON.
#include "io/json_text.hpp"
#include "report/html/html_text.hpp"
#include "report/html/report_style.hpp"
#include "validation/case.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace filum::validation {

namespace {

using io::escape;

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Filum: validation</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>)";

// beyond the report's own style: long cells wrap, verdicts stand out
constexpr const char* kStyle = R"(h2{font-size:1.15rem;margin:2.4rem 0 .2rem}
p{margin:.2rem 0}.source,.quiet{color:var(--soft)}
table{margin:.8rem 0;font-variant-numeric:tabular-nums}
th,td{white-space:normal;vertical-align:top}td.number{text-align:right;white-space:nowrap}th.number{text-align:right}
.pass{color:var(--good);font-weight:600}.fail{color:var(--bad);font-weight:600}
</style></head><body><main>
)";

const char* verdict(bool passed) {
  return passed ? "<span class=\"pass\">pass</span>" : "<span class=\"fail\">FAIL</span>";
}

void append_figures(std::string& page, const std::vector<Figure>& figures) {
  page += "<div class=\"plots\">\n";
  for (const Figure& figure : figures)
    fmt::format_to(std::back_inserter(page), "<figure class=\"card\">{}<figcaption>{}</figcaption></figure>\n",
                   figure.svg, escape(figure.caption));
  page += "</div>\n";
}

void append_case(std::string& page, const CaseResult& result) {
  auto out = std::back_inserter(page);
  const Case& subject = *result.subject;
  fmt::format_to(out, "<h2 id=\"{0}\">{0} · {1}</h2>\n<p>{2}</p>\n<p class=\"source\">Reference: {3}</p>\n",
                 escape(subject.name), verdict(result.passed()), escape(subject.shows), escape(subject.source));
  if (!result.failure.empty()) {
    fmt::format_to(out, "<p class=\"fail\">{}</p>\n", escape(result.failure));
    return;
  }
  page +=
      "<table><thead><tr><th>quantity</th><th class=\"number\">reference</th><th class=\"number\">ours</th>"
      "<th class=\"number\">error</th><th>tolerance</th><th>why this tolerance</th><th></th></tr></thead><tbody>\n";
  for (const Row& row : result.rows)
    fmt::format_to(out,
                   "<tr><td>{}</td><td class=\"number\">{:.8g}</td><td class=\"number\">{:.8g}</td>"
                   "<td class=\"number\">{:.2e}</td><td>{}</td><td class=\"quiet\">{}</td><td>{}</td></tr>\n",
                   escape(row.quantity), row.reference, row.ours, error(row), judged_by(row), escape(row.reason),
                   verdict(passes(row)));
  page += "</tbody></table>\n";
  if (subject.figures) append_figures(page, subject.figures());
}

// JSON knows no infinities: what is not finite becomes null.
nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

const char* comparison_name(Comparison comparison) {
  switch (comparison) {
    case Comparison::Relative:
      return "relative";
    case Comparison::Absolute:
      return "absolute";
    case Comparison::AtLeast:
      return "at least";
    case Comparison::AtMost:
      return "at most";
  }
  return "";
}

}  // namespace

std::string results_html(const std::vector<CaseResult>& results) {
  int passed = 0;
  for (const CaseResult& result : results) passed += result.passed() ? 1 : 0;

  std::string page = std::string(kHead) + io::kReportStyle + kStyle;
  page += fmt::format(
      "<h1>Filum: validation</h1>\n<p>{} of {} cases pass. Each row compares a number of ours with a "
      "published or analytic one.</p>\n",
      passed, results.size());
  for (const CaseResult& result : results) append_case(page, result);
  return page + "</main></body></html>\n";
}

std::string results_json(const std::vector<CaseResult>& results) {
  auto list = nlohmann::ordered_json::array();
  for (const CaseResult& result : results) {
    auto rows = nlohmann::ordered_json::array();
    for (const Row& row : result.rows)
      rows.push_back({{"quantity", row.quantity},
                      {"reference", number(row.reference)},
                      {"ours", number(row.ours)},
                      {"error", number(error(row))},
                      {"comparison", comparison_name(row.comparison)},
                      {"tolerance", row.tolerance},
                      {"reason", row.reason},
                      {"pass", passes(row)}});
    list.push_back({{"case", result.subject->name},
                    {"shows", result.subject->shows},
                    {"source", result.subject->source},
                    {"pass", result.passed()},
                    {"failure", result.failure},
                    {"seconds", result.seconds},
                    {"rows", std::move(rows)}});
  }
  return io::json_lines({{"filum", 1}, {"validation", std::move(list)}});
}

}  // namespace filum::validation
