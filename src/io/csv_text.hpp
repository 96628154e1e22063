// Text in a CSV file.
#pragma once

#include <string>

namespace filum::io {

// In quotes, quotes in it doubled: names may hold commas. A spreadsheet would take what begins like a formula for one,
// quotes or not: an apostrophe in front makes it text.
std::string csv_text(const std::string& text);

}  // namespace filum::io
