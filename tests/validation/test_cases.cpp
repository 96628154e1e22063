// The validation cases in other formulations, and what every case must say. That all of them pass and that their figures are
// those of the book, `filum validate --same-as` tests.
#include "validation/case.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace filum::test_cases {

using namespace filum::validation;

namespace {

// One assertion a row, with all that is needed to see how far it is off.
void check_case(const Case& subject, const Setting& setting) {
  const CaseResult result = run_case(subject, setting);
  INFO(subject.name);
  CHECK_MESSAGE(result.failure.empty(), result.failure);
  CHECK_FALSE(result.rows.empty());
  for (const Row& row : result.rows) {
    CHECK_FALSE(row.reason.empty());
    CHECK_MESSAGE(passes(row), subject.name, ": ", row.quantity, ": ", row.ours, " against ", row.reference, ", error ",
                  error(row), ", allowed ", judged_by(row));
  }
}

}  // namespace

TEST_CASE("every case of equilibria passes in cosserat too") {
  Setting setting;
  setting.formulation = "cosserat";
  for (const Case& subject : cases())
    if (subject.equilibria) check_case(subject, setting);
}

TEST_CASE("every case says what it shows, where its reference is from") {
  std::set<std::string> names;
  for (const Case& subject : cases()) {
    INFO(subject.name);
    CHECK(names.insert(subject.name).second);
    CHECK_FALSE(subject.shows.empty());
    CHECK_FALSE(subject.source.empty());
  }
}

TEST_CASE("pictures of the cases that have some stand on the page") {
  for (const Case& subject : cases()) {
    if (!subject.figures) continue;
    INFO(subject.name);
    CaseResult result;
    result.subject = &subject;
    result.rows = {Row{}};
    const std::string page = results_html({result});
    const std::vector<Figure> figures = subject.figures();
    CHECK_FALSE(figures.empty());
    for (const Figure& figure : figures) {
      CHECK_FALSE(figure.caption.empty());
      CHECK(figure.svg.starts_with("<svg"));
      CHECK(page.find(figure.svg) != std::string::npos);
    }
  }
}

TEST_CASE("the validation book has a chapter for every case") {
  std::ifstream file(FILUM_SOURCE_DIR "/docs/validation.md");
  std::stringstream book;
  book << file.rdbuf();
  for (const Case& subject : cases())
    CHECK_MESSAGE(book.str().find("\n## " + subject.name + "\n") != std::string::npos, subject.name);
}

}  // namespace filum::test_cases
