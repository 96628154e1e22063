#include "report/html/html_text.hpp"

namespace filum::io {

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
      case '\t':
        out += ' ';
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

std::string table_html(const Table& table, size_t cap) {
  const auto cell = [&](const char* tag, size_t column, const std::string& text) {
    const char* kind = table.columns[column].number ? " class=\"n\"" : "";
    return std::string("<") + tag + kind + ">" + escape(text) + "</" + tag + ">";
  };
  std::string out = "<div class=\"wide\"><table><thead><tr>";
  for (size_t c = 0; c < table.columns.size(); ++c) out += cell("th", c, table.columns[c].head);
  out += "</tr></thead><tbody>\n";
  for (size_t r = 0; r < table.rows.size() && r < cap; ++r) {
    const Row& row = table.rows[r];
    out += row.bad ? "<tr class=\"bad\">" : "<tr>";
    for (size_t c = 0; c < row.cells.size(); ++c) out += cell("td", c, row.cells[c]);
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (table.rows.size() > cap) {
    out += "<p class=\"note\">and " + std::to_string(table.rows.size() - cap) + " more, in result.json</p>\n";
  }
  return out;
}

std::string chip(const char* kind, std::string_view text) {
  return std::string("<span class=\"chip ") + kind + "\">" + escape(text) + "</span>\n";
}

}  // namespace filum::io
