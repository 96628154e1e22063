// The figures of docs/validation.md: written into it, and compared with what a run of the cases gives.
//
// The book is prose with a list of the cases and one table under each «## case». Everything but the lines of this list
// and the rows of these tables is the author's.
#pragma once

#include "validation/case.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace filum::validation {

// The book with the tables and list entries of these results; an error names a case that it has none for.
Result<std::string> updated_book(std::string_view book, const std::vector<CaseResult>& results);

// One line for each row of the book that is not what these results say. Figures count as the same if they differ by less
// than two per cent of themselves or of what the row allows: round-off is not the same on every machine.
std::vector<std::string> stale_rows(std::string_view book, const std::vector<CaseResult>& results);

}  // namespace filum::validation
