// Open Inventor 2 in ASCII, as far as tessellated parts need it.
//
// Coordinates and transforms hold for what follows within their separator. A face set lists polygons, a triangle strip
// set strips, each ended by −1 or counted by numVertices. What moves coordinates is applied as the file format has it:
// points are rows, and a node's matrix comes before those that hold already. What would bring in coordinates from
// elsewhere is refused by name; all else (normals, materials, hints) is passed over.
#include "io/mesh/mesh_read.hpp"

#include <Eigen/Geometry>

#include <cctype>
#include <charconv>
#include <map>
#include <memory>
#include <set>

namespace filum::io {
namespace {

struct Refusal {
  std::string message;
  int line;
};

// The words of a file: names, numbers, brackets, texts. Commas are blanks, # begins a comment.
class Words {
 public:
  struct Place {
    std::size_t at = 0;
    int line = 1;
  };
  explicit Words(std::string_view text) : text_(text) {}

  [[nodiscard]] Place place() const { return place_; }
  void go_to(const Place& place) { place_ = place; }
  [[nodiscard]] int line() const { return place_.line; }

  // The next one; empty: the file ends.
  std::string_view next() {
    pass_blanks();
    if (place_.at >= text_.size()) return {};
    const std::size_t from = place_.at;
    const char c = text_[from];
    std::size_t end = from + 1;
    if (c == '"') {
      while (end < text_.size() && text_[end] != '"') place_.line += text_[end++] == '\n' ? 1 : 0;
      end = std::min(end + 1, text_.size());
    } else if (!is_bracket(c)) {
      while (end < text_.size() && !is_blank(text_[end]) && !is_bracket(text_[end]) && text_[end] != '#') ++end;
    }
    place_.at = end;
    return text_.substr(from, end - from);
  }
  std::string_view look_ahead() {
    const Place here = place_;
    const std::string_view word = next();
    place_ = here;
    return word;
  }

 private:
  static bool is_bracket(char c) { return c == '{' || c == '}' || c == '[' || c == ']'; }
  static bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) || c == ','; }
  void pass_blanks() {
    while (place_.at < text_.size()) {
      const char c = text_[place_.at];
      if (c == '#') {
        place_.at = std::min(text_.find('\n', place_.at), text_.size());
      } else if (is_blank(c)) {
        place_.line += c == '\n' ? 1 : 0;
        ++place_.at;
      } else {
        return;
      }
    }
  }
  std::string_view text_;
  Place place_;
};

using Affine = Eigen::Affine3d;

// What holds for the nodes that follow.
struct Held {
  std::shared_ptr<const std::vector<Vec3>> coordinates = std::make_shared<const std::vector<Vec3>>();
  Affine transform = Affine::Identity();
};

// The numbers of a node's fields, by their names.
using Fields = std::map<std::string, std::vector<double>, std::less<>>;

Vec3 vector_of(const Fields& fields, std::string_view name, const Vec3& other) {
  const auto found = fields.find(name);
  return found != fields.end() && found->second.size() == 3 ? Vec3(found->second.data()) : other;
}

Eigen::AngleAxisd rotation_of(const Fields& fields, std::string_view name) {
  const auto found = fields.find(name);
  if (found == fields.end() || found->second.size() != 4) return {0, Vec3::UnitZ()};
  const Vec3 axis(found->second.data());
  if (!(axis.norm() > 0)) return {0, Vec3::UnitZ()};
  return {found->second[3], axis.normalized()};
}

Affine matrix_of(const Fields& fields) {
  const auto found = fields.find("matrix");
  Affine made = Affine::Identity();
  if (found == fields.end() || found->second.size() != 16) return made;
  // rows of the file act on row vectors: transposed for columns
  made.matrix() = Eigen::Map<const Eigen::Matrix4d>(found->second.data());
  return made;
}

// Scaled about a turned frame, turned, both about a centre, then moved.
Affine transform_of(const Fields& fields) {
  const Vec3 centre = vector_of(fields, "center", Vec3::Zero());
  const Eigen::AngleAxisd frame = rotation_of(fields, "scaleOrientation");
  return Affine(Eigen::Translation3d(vector_of(fields, "translation", Vec3::Zero()) + centre)) *
         rotation_of(fields, "rotation") * frame * Eigen::Scaling(vector_of(fields, "scaleFactor", Vec3::Ones())) *
         frame.inverse() * Eigen::Translation3d(-centre);
}

const std::map<std::string, double, std::less<>> kUnits = {
    {"METERS", 1},      {"CENTIMETERS", 1e-2}, {"MILLIMETERS", 1e-3}, {"MICROMETERS", 1e-6},
    {"INCHES", 0.0254}, {"FEET", 0.3048},      {"KILOMETERS", 1e3}};
const std::set<std::string_view> kElsewhere = {"File",         "WWWInline",    "Inline",   "Array",
                                               "MultipleCopy", "NurbsSurface", "QuadMesh", "SceneKit"};
constexpr int kMostUses = 100'000;  // nodes that use each other twofold grow without bound

class InventorReader {
 public:
  explicit InventorReader(std::string_view text) : words_(text) {
    const std::string_view head = text.substr(0, text.find('\n'));
    if (!head.starts_with("#Inventor V2.") || head.find("ascii") == std::string_view::npos)
      throw Refusal{"expected «#Inventor V2.1 ascii» in the first line", 1};
  }

  MeshFile read() {
    Held held;
    while (true) {
      const std::string_view word = words_.next();
      if (word.empty()) return std::move(mesh_);
      if (word == "}") refuse("a bracket } too many");
      node_or_name(word, held, 0);
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const { throw Refusal{message, words_.line()}; }

  // DEF NAME node, USE NAME, or a node.
  void node_or_name(std::string_view word, Held& held, int depth) {
    if (word == "USE") return use(std::string(words_.next()), held, depth);
    if (word != "DEF") return node(word, held, depth);
    const std::string name(words_.next());
    const Words::Place place = words_.place();
    node(words_.next(), held, depth);
    defined_[name] = place;
  }

  void use(const std::string& name, Held& held, int depth) {
    const auto found = defined_.find(name);
    if (found == defined_.end()) refuse("USE of " + name.substr(0, 40) + ", which is not defined before");
    if (++uses_ > kMostUses) refuse("nodes are used more than 100 000 times");
    const Words::Place here = words_.place();
    words_.go_to(found->second);
    node(words_.next(), held, depth + 1);
    words_.go_to(here);
  }

  void node(std::string_view word, Held& held, int depth) {
    const std::string kind(word);
    if (depth > 200) refuse("nodes within nodes, more than 200 deep");
    if (kElsewhere.contains(kind)) refuse("not supported: " + kind);
    if (words_.next() != "{") refuse("expected a node, found '" + kind.substr(0, 40) + "'");
    Held inside = held;
    Fields fields;
    while (true) {
      const std::string_view next = words_.next();
      if (next.empty()) refuse("the file ends within a node");
      if (next == "}") break;
      if (next == "DEF" || next == "USE" || words_.look_ahead() == "{")
        node_or_name(next, inside, depth + 1);
      else
        field(kind, std::string(next), fields);
    }
    finish(kind, fields, inside);
    if (kind == "TransformSeparator") inside.transform = held.transform;
    if (kind != "Separator") held = std::move(inside);
  }

  // Numbers of a field; words are passed over, but for those that mean something.
  void field(const std::string& kind, const std::string& name, Fields& fields) {
    std::vector<double>& values = fields[name];
    const bool counts = name == "point" || name == "vertex" || name == "coordIndex" || name == "numVertices";
    const bool list = words_.look_ahead() == "[";
    if (list) words_.next();
    while (true) {
      const Words::Place before = words_.place();
      const std::string_view word = words_.next();
      if (word.empty()) refuse("the file ends within a list");
      if (word == "]") break;
      const auto value = number(word);
      if (value) values.push_back(*value);
      if (value || (list && !counts)) continue;
      if (list) refuse("expected a number, found '" + std::string(word.substr(0, 40)) + "'");
      // one word, as of an enumeration, unless it begins the next field
      if (values.empty() && word != "}" && word != "{") {
        enumerated(kind, name, std::string(word), values);
        return;
      }
      words_.go_to(before);
      return;
    }
  }

  void enumerated(const std::string& kind, const std::string& name, const std::string& word,
                  std::vector<double>& values) {
    if (kind == "RotationXYZ" && name == "axis") values = {static_cast<double>(word[0] - 'X')};
    if (kind != "Units" || name != "units") return;
    const auto known = kUnits.find(word);
    if (known == kUnits.end()) refuse("units " + word.substr(0, 40) + " are not known");
    if (mesh_.unit && *mesh_.unit != known->second) refuse("two different units in one file");
    mesh_.unit = known->second;
  }

  // What a node does to what is held, or adds to the mesh, once its fields are known.
  void finish(const std::string& kind, const Fields& fields, Held& held) {
    for (const char* name : {"point", "vertex"})
      if (const auto found = fields.find(name); found != fields.end()) held.coordinates = points_of(found->second);
    if (kind == "Transform") {
      held.transform = held.transform * transform_of(fields);
    } else if (kind == "Translation") {
      held.transform.translate(vector_of(fields, "translation", Vec3::Zero()));
    } else if (kind == "Rotation") {
      held.transform.rotate(rotation_of(fields, "rotation"));
    } else if (kind == "Scale") {
      held.transform.scale(vector_of(fields, "scaleFactor", Vec3::Ones()));
    } else if (kind == "MatrixTransform") {
      held.transform = held.transform * matrix_of(fields);
    } else if (kind == "RotationXYZ") {
      const auto axis = fields.find("axis");
      const auto angle = fields.find("angle");
      const int k = axis != fields.end() && axis->second.size() == 1 ? static_cast<int>(axis->second[0]) : 0;
      if (k < 0 || k > 2) refuse("expected an axis X, Y or Z");
      if (angle != fields.end() && angle->second.size() == 1)
        held.transform.rotate(Eigen::AngleAxisd(angle->second[0], Vec3::Unit(k)));
    } else if (kind == "IndexedFaceSet" || kind == "IndexedTriangleStripSet") {
      if (const auto found = fields.find("coordIndex"); found != fields.end())
        add_runs(indexed_runs(found->second, held), kind == "IndexedTriangleStripSet", held);
    } else if (kind == "FaceSet" || kind == "TriangleStripSet") {
      add_runs(counted_runs(fields, held), kind == "TriangleStripSet", held);
    }
  }

  [[nodiscard]] std::shared_ptr<const std::vector<Vec3>> points_of(const std::vector<double>& values) const {
    if (values.size() % 3 != 0) refuse("coordinates come in threes");
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < values.size(); i += 3) points.emplace_back(values[i], values[i + 1], values[i + 2]);
    return std::make_shared<const std::vector<Vec3>>(std::move(points));
  }

  using Runs = std::vector<std::vector<std::size_t>>;  // polygons or strips, as numbers of coordinates
  Runs indexed_runs(const std::vector<double>& values, const Held& held) const {
    Runs runs(1);
    for (const double value : values) {
      if (value < 0) {
        runs.emplace_back();
        continue;
      }
      if (value >= static_cast<double>(held.coordinates->size()))
        refuse("corner " + std::to_string(static_cast<long>(value)) + " of " +
               std::to_string(held.coordinates->size()) + " coordinates");
      runs.back().push_back(static_cast<std::size_t>(value));
    }
    return runs;
  }
  Runs counted_runs(const Fields& fields, const Held& held) const {
    const auto counts = fields.find("numVertices");
    const auto start = fields.find("startIndex");
    std::size_t next = start != fields.end() && start->second.size() == 1 && start->second[0] >= 0
                           ? static_cast<std::size_t>(start->second[0])
                           : 0;
    std::vector<double> wanted = counts != fields.end() ? counts->second : std::vector<double>{-1};
    Runs runs;
    for (const double count : wanted) {
      // −1: all that are left
      const std::size_t left = held.coordinates->size() - std::min(next, held.coordinates->size());
      const std::size_t many = count < 0 ? left : static_cast<std::size_t>(count);
      if (many > left) refuse("more vertices are counted than there are coordinates");
      for (runs.emplace_back(); runs.back().size() < many;) runs.back().push_back(next++);
    }
    return runs;
  }

  void add_runs(const Runs& runs, bool strips, const Held& held) {
    std::map<std::size_t, int> number;
    const auto corner = [&](std::size_t i) {
      const auto [found, fresh] = number.emplace(i, static_cast<int>(mesh_.points.size()));
      if (fresh) mesh_.points.push_back(held.transform * (*held.coordinates)[i]);
      return found->second;
    };
    for (const std::vector<std::size_t>& run : runs)
      for (std::size_t i = 2; i < run.size(); ++i) {
        mesh_.triangles.push_back({corner(run[strips ? i - 2 : 0]), corner(run[i - 1]), corner(run[i])});
      }
  }

  static std::optional<double> number(std::string_view word) {
    double value{};
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
  }

  Words words_;
  std::map<std::string, Words::Place> defined_;
  int uses_ = 0;
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
