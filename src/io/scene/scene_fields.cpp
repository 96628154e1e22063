#include "io/scene/scene_fields.hpp"

#include "base/assert.hpp"
#include "io/scene/key_hint.hpp"
#include "io/yaml/yaml_scalar.hpp"
#include "math/frame.hpp"
#include "scene/describe/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

namespace filum::io {
namespace {

void expect_items(const Node& node, std::size_t count, const char* example) {
  if (node.is_sequence() && node.size() == count) return;
  refuse(node, fmt::format("expected {}, found {}", example, node.describe()));
}

// A quaternion made unit. One that is unit up to rounding stays as it is, so that reading what was written changes no
// bit.
Quat read_quaternion(const Node& node) {
  expect_items(node, 4, "a quaternion [w, x, y, z] or {tangent: [x, y, z], normal: [x, y, z]}");
  Eigen::Vector4d wxyz;
  for (std::size_t i = 0; i < 4; ++i)
    wxyz[static_cast<Eigen::Index>(i)] = read_number(node.children[i], Dimension::Number);
  const double norm = wxyz.stableNorm();
  if (!(norm > 1e-9)) refuse(node, "a quaternion of length zero");
  if (!(norm < 1e9)) refuse(node, "a quaternion far from unit length");
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  if (std::abs(wxyz.squaredNorm() - 1) > kRounding) wxyz /= norm;
  return {wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
}

}  // namespace

void refuse(const Node& at, std::string message, ErrorCode code) {
  throw Refused{{code, std::move(message), "", at.start.line, at.start.column}};
}

void refuse_not_yet(const Node& at, std::string_view feature, std::string_view owner) {
  refuse(at, fmt::format("not yet supported: {} ({})", feature, owner), ErrorCode::NotSupported);
}

double read_number(const Node& node, Dimension dimension) {
  if (!node.is_scalar()) refuse(node, fmt::format("expected {}, found {}", expectation(dimension), node.describe()));
  Quantity quantity = parse_quantity(node.text, dimension);
  if (!quantity.problem.empty()) refuse(node, std::move(quantity.problem));
  return quantity.value;
}

int read_integer(const Node& node) {
  int value = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [stop, code] = std::from_chars(node.text.data(), end, value);
  if (!node.is_scalar() || code != std::errc{} || stop != end)
    refuse(node, fmt::format("expected a whole number, found {}", node.describe()));
  return value;
}

bool read_flag(const Node& node) {
  if (node.is_scalar() && node.text == "true") return true;
  if (node.is_scalar() && node.text == "false") return false;
  refuse(node, fmt::format("expected true or false, found {}", node.describe()));
}

std::string read_text(const Node& node) {
  if (!node.is_scalar() || node.is_null()) refuse(node, fmt::format("expected a text, found {}", node.describe()));
  return node.text;
}

Vec2 read_vec2(const Node& node, Dimension dimension) {
  expect_items(node, 2, "two numbers [a, b]");
  return {read_number(node.children[0], dimension), read_number(node.children[1], dimension)};
}

Vec3 read_vec3(const Node& node, Dimension dimension) {
  expect_items(node, 3, "three numbers [x, y, z]");
  return {read_number(node.children[0], dimension), read_number(node.children[1], dimension),
          read_number(node.children[2], dimension)};
}

ArcPosition read_arc_position(const Node& node) {
  if (!node.is_scalar())
    refuse(node, fmt::format("expected a place along the rod (start, end, middle, 50 % or 0.3 m), found {}",
                             node.describe()));
  ArcQuantity at = parse_arc_position(node.text);
  if (!at.problem.empty()) refuse(node, std::move(at.problem));
  return at.value;
}

RadiusLimit read_radius(const Node& node) {
  if (!node.is_scalar())
    refuse(node, fmt::format("expected a radius such as 25 mm or 10 d, found {}", node.describe()));
  const std::string_view text = node.text;
  if (text.ends_with('d')) {
    const Quantity multiple = parse_quantity(text.substr(0, text.size() - 1), Dimension::Number);
    if (multiple.problem.empty()) return {multiple.value, true};
  }
  return {read_number(node, Dimension::Length), false};
}

Quat read_orientation(const Node& node) {
  if (!node.is_mapping()) return read_quaternion(node);
  const Fields fields(node, scene::tables::orientation, "orientation");
  const Node& tangent_node = fields.require("tangent");
  const Node& normal_node = fields.require("normal");
  // directions only: their lengths do not matter
  const Vec3 tangent = read_vec3(tangent_node, Dimension::Number).stableNormalized();
  const Vec3 normal = read_vec3(normal_node, Dimension::Number).stableNormalized();
  if (!(tangent.norm() > 0.5)) refuse(tangent_node, "a tangent of length zero");
  if (!(normal.norm() > 0.5)) refuse(normal_node, "a normal of length zero");
  if (tangent.cross(normal).norm() < 1e-6) refuse(normal_node, "the normal is along the tangent");
  return Quat(math::frame_from(tangent, normal)).normalized();
}

int read_word(const Node& node, std::span<const scene::Word> words) {
  for (const scene::Word& word : words)
    if (node.is_scalar() && node.text == word.text) return word.value;
  std::vector<std::string_view> first;
  for (const scene::Word& word : words.first(words.size() - 1)) first.push_back(word.text);
  refuse(node, fmt::format("expected {} or {}, found {}", fmt::join(first, ", "), words.back().text, node.describe()));
}

void expect_list(const Node& node, std::string_view what) {
  if (!node.is_sequence() && !node.is_null())
    refuse(node, fmt::format("expected a list of {}, found {}", what, node.describe()));
}

void expect_mapping(const Node& node, std::string_view what) {
  if (!node.is_mapping() && !node.is_null())
    refuse(node, fmt::format("expected a mapping of {}, found {}", what, node.describe()));
}

Fields::Fields(const Node& node, const scene::Table& table, std::string label)
    : node_(&node), table_(&table), label_(std::move(label)) {
  if (!node.is_mapping())
    refuse(node, fmt::format("{}: expected a mapping {{key: value, …}}, found {}", label_, node.describe()));
  for (std::size_t i = 0; i < node.size(); ++i) {
    const Node& key = node.key(i);
    const scene::Field* known = table.find(key.text);
    if (!known) refuse(key, fmt::format("unknown key {} in {}{}", shown(key.text), label_, key_hint(table, key.text)));
    if (known->kind == scene::Kind::Planned) refuse_not_yet(key, key.text, label_);
  }
}

const Node* Fields::find(std::string_view key) const {
  FILUM_ASSERT(table_->find(key));
  return node_->find(key);
}

const Node& Fields::require(std::string_view key) const {
  const Node* node = find(key);
  if (!node) refuse(*node_, fmt::format("missing key '{}' in {}", key, label_));
  return *node;
}

}  // namespace filum::io
