// Open Inventor 2 in ASCII, as far as tessellated parts need it.
//
// Coordinate3 holds for what follows within its separator. A face set lists polygons, a triangle strip set strips, each
// ended by −1. Anything else that carries numbers (normals, materials, hints) is passed over; a node that would move
// coordinates is refused rather than ignored.
#include "io/mesh/mesh_read.hpp"

#include <cctype>
#include <charconv>

namespace filum::io {
namespace {

struct Refusal {
  std::string message;
  int line;
};

class InventorReader {
 public:
  explicit InventorReader(std::string_view text) : text_(text) {}

  MeshFile read() {
    if (!text_.starts_with("#Inventor V2.") ||
        text_.substr(0, text_.find('\n')).find("ascii") == std::string_view::npos)
      throw Refusal{"expected «#Inventor V2.1 ascii» in the first line", 1};
    while (next()) node();
    if (depth_ != 0) throw Refusal{"the file ends within a node", line_};
    return std::move(mesh_);
  }

 private:
  // The next word, number or bracket; commas are blanks, # begins a comment.
  bool next() {
    while (!text_.empty()) {
      const char c = text_.front();
      if (c == '\n') ++line_;
      if (c == '#') {
        text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
      } else if (std::isspace(static_cast<unsigned char>(c)) || c == ',') {
        text_.remove_prefix(1);
      } else if (c == '"') {
        const std::size_t end = std::min(text_.find('"', 1), text_.size() - 1);
        word_ = text_.substr(0, end + 1);
        text_.remove_prefix(end + 1);
        return true;
      } else {
        std::size_t end = 1;
        if (std::string_view("{}[]").find(c) == std::string_view::npos)
          while (end < text_.size() && !std::isspace(static_cast<unsigned char>(text_[end])) &&
                 std::string_view("{}[],#").find(text_[end]) == std::string_view::npos)
            ++end;
        word_ = text_.substr(0, end);
        text_.remove_prefix(end);
        return true;
      }
    }
    return false;
  }

  // A word that begins a node or ends one; within a node its fields.
  void node() {
    if (word_ == "{") {
      ++depth_;
      kept_.push_back(coordinates_);
    } else if (word_ == "}") {
      if (--depth_ < 0) throw Refusal{"a bracket } too many", line_};
      // coordinates hold beyond their own node, but not beyond their separator
      if (separators_.size() > static_cast<std::size_t>(depth_) && separators_[static_cast<std::size_t>(depth_)])
        coordinates_ = kept_.back();
      kept_.pop_back();
      separators_.resize(static_cast<std::size_t>(depth_));
    } else if (word_ == "Separator" || word_ == "TransformSeparator") {
      separators_.resize(static_cast<std::size_t>(depth_) + 1);
      separators_.back() = true;
    } else if (word_ == "Transform" || word_ == "MatrixTransform" || word_ == "Translation" || word_ == "Rotation" ||
               word_ == "Scale" || word_ == "RotationXYZ" || word_ == "Units" || word_ == "USE") {
      throw Refusal{"not yet supported: " + std::string(word_), line_};
    } else if (word_ == "point") {
      coordinates_ = read_points();
    } else if (word_ == "IndexedFaceSet" || word_ == "IndexedTriangleStripSet") {
      strips_ = word_ == "IndexedTriangleStripSet";
    } else if (word_ == "coordIndex") {
      read_indices();
    }
  }

  template <class Number>
  std::optional<Number> number() const {
    Number value{};
    const auto [end, code] = std::from_chars(word_.data(), word_.data() + word_.size(), value);
    if (code != std::errc{} || end != word_.data() + word_.size()) return std::nullopt;
    return value;
  }

  std::vector<double> list() {
    std::vector<double> values;
    if (!next() || word_ != "[") throw Refusal{"expected a list [ … ]", line_};
    while (next() && word_ != "]") {
      const auto value = number<double>();
      if (!value) throw Refusal{"expected a number, found '" + std::string(word_.substr(0, 40)) + "'", line_};
      values.push_back(*value);
    }
    if (word_ != "]") throw Refusal{"the file ends within a list", line_};
    return values;
  }

  // Numbers of the points, which are added to the mesh.
  std::pair<int, int> read_points() {
    const std::vector<double> values = list();
    if (values.size() % 3 != 0) throw Refusal{"coordinates come in threes", line_};
    const int first = static_cast<int>(mesh_.points.size());
    for (std::size_t i = 0; i < values.size(); i += 3)
      mesh_.points.emplace_back(values[i], values[i + 1], values[i + 2]);
    return {first, static_cast<int>(values.size() / 3)};
  }

  void read_indices() {
    std::vector<int> run;
    std::vector<double> values = list();
    values.push_back(-1);
    for (const double value : values) {
      if (value >= 0) {
        if (value >= coordinates_.second)
          throw Refusal{"corner " + std::to_string(static_cast<long>(value)) + " of " +
                            std::to_string(coordinates_.second) + " coordinates",
                        line_};
        run.push_back(coordinates_.first + static_cast<int>(value));
        continue;
      }
      for (std::size_t i = 2; i < run.size(); ++i)
        mesh_.triangles.push_back(strips_ ? std::array{run[i - 2], run[i - 1], run[i]}
                                          : std::array{run[0], run[i - 1], run[i]});
      run.clear();
    }
  }

  std::string_view text_;
  std::string_view word_;
  int line_ = 1;
  int depth_ = 0;
  bool strips_ = false;
  std::pair<int, int> coordinates_{0, 0};  // first and number
  std::vector<std::pair<int, int>> kept_;
  std::vector<bool> separators_;
  MeshFile mesh_;
};

}  // namespace

Result<MeshFile> parse_inventor(std::string_view text, const std::string& file) {
  try {
    return InventorReader(text).read();
  } catch (const Refusal& refusal) {
    return Error{ErrorCode::BadInput, refusal.message, file, refusal.line, 0};
  }
}

}  // namespace filum::io
