// A validation case: a scene or a short program whose answer is known, the source of that knowledge, and how near we
// come.
//
// A case yields rows. A row compares one number of ours with a reference and carries its tolerance and the reason for
// it; what has no single right answer (an order of convergence, an iteration count) is a bound instead. `filum
// validate` prints the rows, the tests run the same cases, so a figure in the documentation is a figure that is
// checked.
#pragma once

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <functional>
#include <string>
#include <vector>

namespace filum::validation {

enum class Comparison {
  Relative,  // |ours − reference| / |reference| <= tolerance
  Absolute,  // |ours − reference| <= tolerance, in the unit of the quantity
  AtLeast,   // ours >= reference; the tolerance plays no part
  AtMost,    // ours <= reference; likewise
};

struct Row {
  std::string quantity;  // «tip drop H/L, N = 50»
  double reference = 0;
  double ours = 0;
  Comparison comparison = Comparison::Relative;
  double tolerance = 0;
  std::string reason;  // why this tolerance, in a few words
};

// The error in the row's own sense; for a bound, how far ours is on the wrong side of it (0: on the right side).
double error(const Row& row);

// False also when either number is not finite, so a case that could not compute fails.
bool passes(const Row& row);

// How a case is run.
struct Setting {
  std::string formulation = kDefaultFormulation;     // of equilibria
  std::function<void(double)> tell = [](double) {};  // told now and then the share of the case done, in [0, 1]
};

// A picture for the page of results.
struct Figure {
  std::string caption;
  std::string svg;  // an svg element that takes its colours from the report's style sheet
};

struct Case {
  std::string name;         // as typed on the command line: «heavy-cantilever»
  std::string shows;        // one sentence
  std::string source;       // where the reference comes from
  bool takes_long = false;  // run only when named or with --all
  bool equilibria = false;  // every answer is an equilibrium: may be run in any formulation
  std::function<Result<std::vector<Row>>(const Setting&)> run;
  std::function<std::vector<Figure>()> figures = nullptr;  // drawn for the page only; none: there are none
};

// All cases, in the order of the validation book (cases.cpp).
const std::vector<Case>& cases();

struct CaseResult {
  const Case* subject = nullptr;
  std::vector<Row> rows;
  std::string failure;  // why there are no rows; empty if there are
  double seconds = 0;
  [[nodiscard]] bool passed() const;
};

CaseResult run_case(const Case& subject, const Setting& setting = {});

// The same results as a self-contained page, and as JSON text.
std::string results_html(const std::vector<CaseResult>& results);
std::string results_json(const std::vector<CaseResult>& results);

// «1.0e-06 relative», «>= 1.9»: how a row is judged, for tables and pages.
std::string judged_by(const Row& row);

}  // namespace filum::validation
