// Small pieces of HTML: escaped text, chips and tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

// Text safe inside HTML and SVG, in an element or in a quoted attribute. Control characters are left out.
std::string escape(std::string_view text);

// How every page begins, up to its title: it loads nothing and runs nothing, whatever a name in it may say.
inline constexpr const char* kPageHead =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";

// A word or two that stand out: `kind` is «good», «warn», «bad» or «none».
std::string chip(const char* kind, std::string_view text);

struct Column {
  std::string head;
  bool number = true;  // set flush right, figures of equal width
};

struct Row {
  std::vector<std::string> cells;  // one per column
  bool bad = false;                // stands out
};

// Plain text throughout; escaped when it becomes HTML.
struct Table {
  std::vector<Column> columns;
  std::vector<Row> rows;
};

// At most `cap` rows are shown; a last line says how many more there are.
std::string table_html(const Table& table, size_t cap = 200);

}  // namespace filum::io
