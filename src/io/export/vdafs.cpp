#include "io/export/vdafs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace filum::io {
namespace {

constexpr std::size_t kDataColumns = 72;
constexpr int kHeaderLines = 20;
constexpr double kMillimetres = 1e3;

// Text put into numbered records.
class Records {
 public:
  // A statement, broken behind commas.
  void statement(const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
      std::size_t end = text.size() - at <= kDataColumns ? text.size() : text.rfind(',', at + kDataColumns - 1) + 1;
      if (end <= at) end = std::min(at + kDataColumns, text.size());
      line(text.substr(at, end - at));
      at = end;
    }
  }
  void line(const std::string& data) { text_ += fmt::format("{:<72}{:08}\n", data.substr(0, kDataColumns), ++count_); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  int count_ = 0;
};

// Names have up to eight letters and digits and begin with a letter.
std::string vda_name(std::size_t index) {
  return fmt::format("C{}", index + 1);
}

std::string printable(const std::string& text) {
  std::string out;
  for (const char c : text) out += c >= 32 && c < 127 ? c : '?';
  return out;
}

// Statements of a file: its records joined, comments and the free lines of the header left out.
struct Statement {
  std::string name;
  std::string keyword;
  std::vector<double> values;
  int line = 0;
};

std::string_view bare(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

class VdaReader {
 public:
  VdaReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  Result<std::vector<VdaCurve>> read() {
    std::vector<VdaCurve> curves;
    std::string open;  // a statement that goes on
    int begun = 0;
    while (next_line()) {
      if (free_lines_ > 0 && open.empty()) {
        --free_lines_;
        continue;
      }
      if (line_.starts_with("$$") || line_.empty()) continue;
      if (open.empty()) begun = number_;
      open += line_;
      if (open.ends_with(',')) continue;
      const auto statement = parse(open, begun);
      if (!statement) return statement.error();
      if (statement->keyword == "HEADER" && !statement->values.empty())
        free_lines_ = static_cast<int>(statement->values[0]);
      if (statement->keyword == "CURVE") {
        auto curve = curve_of(*statement);
        if (!curve) return curve.error();
        curves.push_back(std::move(*curve));
      }
      open.clear();
      if (statement->keyword == "END") return curves;
    }
    return wrong("the file ends without END", number_);
  }

 private:
  [[nodiscard]] Error wrong(const std::string& message, int line) const {
    return {ErrorCode::BadInput, message, file_, line, 0};
  }

  bool next_line() {
    if (text_.empty()) return false;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    line_ = std::string(bare(text_.substr(0, std::min(end, kDataColumns))));
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++number_;
    return true;
  }

  [[nodiscard]] Result<Statement> parse(const std::string& text, int line) const {
    Statement statement;
    statement.line = line;
    const std::size_t equals = text.find('=');
    const std::size_t slash = text.find('/');
    if (equals == std::string::npos) return wrong("expected NAME = KEYWORD / values", line);
    statement.name = std::string(bare(std::string_view(text).substr(0, equals)));
    statement.keyword =
        std::string(bare(std::string_view(text).substr(equals + 1, std::min(slash, text.size()) - equals - 1)));
    if (slash == std::string::npos) return statement;
    std::string_view rest = std::string_view(text).substr(slash + 1);
    while (!bare(rest).empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view word = bare(rest.substr(0, comma));
      double value = 0;
      const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
      // names of other elements, of which nothing is needed here
      if (code != std::errc{} || end != word.data() + word.size()) {
        if (statement.keyword == "CURVE") return wrong("expected a number, found '" + std::string(word) + "'", line);
        break;
      }
      statement.values.push_back(value);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return statement;
  }

  [[nodiscard]] Result<VdaCurve> curve_of(const Statement& statement) const {
    VdaCurve curve;
    curve.name = statement.name;
    std::size_t at = 0;
    const auto left = [&] { return statement.values.size() - at; };
    const Error cut = wrong("curve " + statement.name + " has fewer numbers than it says", statement.line);
    if (left() < 1 || !(statement.values[0] >= 1 && statement.values[0] <= 1e6)) return cut;
    const auto pieces = static_cast<std::size_t>(statement.values[at++]);
    if (left() < pieces + 1) return cut;
    for (std::size_t i = 0; i <= pieces; ++i) curve.parameters.push_back(statement.values[at++]);
    for (std::size_t i = 0; i < pieces; ++i) {
      if (left() < 1 || !(statement.values[at] >= 1 && statement.values[at] <= 30)) return cut;
      const auto order = static_cast<std::size_t>(statement.values[at++]);
      if (left() < 3 * order) return cut;
      VdaPiece& piece = curve.pieces.emplace_back();
      piece.coefficients.assign(order, Vec3::Zero());
      for (int axis = 0; axis < 3; ++axis)
        for (std::size_t k = 0; k < order; ++k) piece.coefficients[k][axis] = statement.values[at++] / kMillimetres;
    }
    return curve;
  }

  std::string_view text_;
  std::string file_;
  std::string line_;
  int number_ = 0;
  int free_lines_ = 0;
};

}  // namespace

Vec3 VdaPiece::at(double t) const {
  Vec3 value = Vec3::Zero();
  for (std::size_t k = coefficients.size(); k-- > 0;) value = t * value + coefficients[k];
  return value;
}

std::string vdafs_text(const std::vector<VdaCurve>& curves, const std::string& title) {
  Records records;
  records.line(fmt::format("FILUM = HEADER / {}", kHeaderLines));
  std::vector<std::string> free{"VDAFS VERSION: 2.0", "SENDING SYSTEM: Filum", "TITLE: " + printable(title), "UNIT: MM",
                                "CONTENT: centre lines"};
  for (std::size_t i = 0; i < curves.size() && free.size() < static_cast<std::size_t>(kHeaderLines); ++i)
    free.push_back(vda_name(i) + ": " + printable(curves[i].name));
  free.resize(static_cast<std::size_t>(kHeaderLines), "*");
  for (const std::string& each : free) records.line(each);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const VdaCurve& curve = curves[i];
    records.line("$$ " + printable(curve.name));
    std::string text = fmt::format("{} = CURVE / {}", vda_name(i), curve.pieces.size());
    for (const double parameter : curve.parameters) text += fmt::format(",{:.15g}", parameter);
    for (const VdaPiece& piece : curve.pieces) {
      text += fmt::format(",{}", piece.coefficients.size());
      for (int axis = 0; axis < 3; ++axis)
        for (const Vec3& coefficient : piece.coefficients)
          text += fmt::format(",{:.15g}", kMillimetres * coefficient[axis]);
    }
    records.statement(text);
  }
  records.line("FILUM = END");
  return records.text();
}

Result<std::vector<VdaCurve>> parse_vdafs(std::string_view text, const std::string& file) {
  return VdaReader(text, file).read();
}

}  // namespace filum::io
