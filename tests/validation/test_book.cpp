// The validation book follows the cases, and says so when it does not.
#include "validation/book.hpp"

#include <doctest/doctest.h>

namespace filum::test_book {

using namespace filum::validation;

namespace {

constexpr const char* kBook = R"(# Book

| case | shows | rows |
|---|---|---|
| [one](#one) | It drops | 2 |
| [two](#two) | It rises | 1 |

## one

Prose.

| quantity | reference | ours | error | tolerance | why |
|---|---:|---:|---:|---:|---|
| drop | 0.5 | 0.49 | 2.0e-02 | 0.1 relative | reason |
| order |  | 2.001 |  | ≥ 1.9 | reason |

After.

## two

Not run.
)";

Case drop_case() {
  Case one;
  one.name = "one";
  one.shows = "It drops";
  return one;
}

CaseResult result_of(const Case& subject, double drop, double order) {
  CaseResult result;
  result.subject = &subject;
  result.rows = {{"drop", 0.5, drop, Comparison::Relative, 0.1, "reason"},
                 {"order", 1.9, order, Comparison::AtLeast, 0, "reason"}};
  return result;
}

}  // namespace

TEST_CASE("the book's figures are those of the cases, or it is told which are not") {
  const Case one = drop_case();
  CHECK(stale_rows(kBook, {result_of(one, 0.49, 2.001)}).empty());
  // within two per cent
  CHECK(stale_rows(kBook, {result_of(one, 0.495, 2.02)}).empty());
  const auto stale = stale_rows(kBook, {result_of(one, 0.47, 2.001)});
  REQUIRE(stale.size() == 1);
  CHECK(stale[0].find("drop") != std::string::npos);
  CHECK(stale_rows(kBook, {result_of(one, 0.49, 1.9)}).size() == 1);
  // a row that is not in the book, and one too many in it
  CaseResult other = result_of(one, 0.49, 2.001);
  other.rows[0].quantity = "rise";
  CHECK(stale_rows(kBook, {other}).size() == 1);
  // … which is one too many in the list of cases too
  other.rows.erase(other.rows.begin());
  CHECK(stale_rows(kBook, {other}).size() == 2);
}

TEST_CASE("an updated book agrees with the cases and keeps its prose") {
  const Case one = drop_case();
  const auto updated = updated_book(kBook, {result_of(one, 0.52, 1.95)});
  REQUIRE(updated.ok());
  CHECK(stale_rows(*updated, {result_of(one, 0.52, 1.95)}).empty());
  CHECK(updated->find("| drop | 0.5 | 0.52 | 4.0e-02 | 0.1 relative | reason |\n") != std::string::npos);
  CHECK(updated->find("| [one](#one) | It drops | 2 |\n| [two]") != std::string::npos);
  CHECK(updated->find("Prose.") != std::string::npos);
  CHECK(updated->find("\nAfter.\n\n## two\n") != std::string::npos);
}

TEST_CASE("bars in a quantity do not end its cell") {
  const Case one = drop_case();
  CaseResult result = result_of(one, 0.49, 2.001);
  result.rows[0].quantity = "|drop|";
  const auto updated = updated_book(kBook, {result});
  REQUIRE(updated.ok());
  CHECK(updated->find("| \\|drop\\| | 0.5 | 0.49 |") != std::string::npos);
  CHECK(stale_rows(*updated, {result}).empty());
}

TEST_CASE("a case without a table is an error that names it") {
  Case two;
  two.name = "two";
  const auto updated = updated_book(kBook, {result_of(two, 0.5, 2)});
  REQUIRE_FALSE(updated.ok());
  CHECK(updated.error().message.find("two") != std::string::npos);
}

}  // namespace filum::test_book
