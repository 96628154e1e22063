#include "exchange/harness/harness_document.hpp"

#include "io/yaml/yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace filum::exchange {
namespace {

// The words of a text, separated by blanks.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  constexpr std::string_view kBlanks = " \t\r\n";
  while (true) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return words;
    text.remove_prefix(first);
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

struct UnitWord {
  std::string_view word;
  Measure measure;
  double factor;
};
constexpr std::array kUnitWords{
    UnitWord{"m", Measure::Length, 1},
    UnitWord{"metre", Measure::Length, 1},
    UnitWord{"meter", Measure::Length, 1},
    UnitWord{"mm", Measure::Length, 1e-3},
    UnitWord{"millimetre", Measure::Length, 1e-3},
    UnitWord{"millimeter", Measure::Length, 1e-3},
    UnitWord{"cm", Measure::Length, 1e-2},
    UnitWord{"centimetre", Measure::Length, 1e-2},
    UnitWord{"centimeter", Measure::Length, 1e-2},
    UnitWord{"in", Measure::Length, 0.0254},
    UnitWord{"inch", Measure::Length, 0.0254},
    UnitWord{"foot", Measure::Length, 0.3048},
    UnitWord{"m2", Measure::Area, 1},
    UnitWord{"squaremetre", Measure::Area, 1},
    UnitWord{"squaremeter", Measure::Area, 1},
    UnitWord{"mm2", Measure::Area, 1e-6},
    UnitWord{"qmm", Measure::Area, 1e-6},
    UnitWord{"squaremillimetre", Measure::Area, 1e-6},
    UnitWord{"squaremillimeter", Measure::Area, 1e-6},
    UnitWord{"g/m", Measure::MassPerLength, 1e-3},
    UnitWord{"gram/metre", Measure::MassPerLength, 1e-3},
    UnitWord{"gram/meter", Measure::MassPerLength, 1e-3},
    UnitWord{"kg/km", Measure::MassPerLength, 1e-3},
    UnitWord{"kilogram/kilometre", Measure::MassPerLength, 1e-3},
    UnitWord{"kilogram/kilometer", Measure::MassPerLength, 1e-3},
    UnitWord{"gram/millimetre", Measure::MassPerLength, 1},
    UnitWord{"gram/millimeter", Measure::MassPerLength, 1},
    UnitWord{"kg/m", Measure::MassPerLength, 1},
    UnitWord{"kilogram/metre", Measure::MassPerLength, 1},
    UnitWord{"kilogram/meter", Measure::MassPerLength, 1},
    UnitWord{"g/mm", Measure::MassPerLength, 1},
};

}  // namespace

HarnessDocument::HarnessDocument(const XmlNode& root, std::string file) : root_(root), file_(std::move(file)) {
  index(root);
}

void HarnessDocument::index(const XmlNode& node) {
  if (!node.id.empty() && !ids_.emplace(node.id, &node).second)
    refuse(node, "the id " + io::shown(node.id) + " stands twice");
  for (const XmlNode& child : node.children) {
    parents_[&child] = &node;
    index(child);
  }
}

void HarnessDocument::refuse(const XmlNode& at, std::string message) const {
  throw Refused{{ErrorCode::BadInput, std::move(message), file_, at.line, 0}};
}

std::vector<const XmlNode*> HarnessDocument::all(const XmlNode& owner, std::string_view role,
                                                 std::string_view type) const {
  std::vector<const XmlNode*> found;
  for (const XmlNode& child : owner.children) {
    if (child.name != role) continue;
    const std::size_t before = found.size();
    for (const XmlNode& inner : child.children)
      if (inner.name == type) found.push_back(&inner);
    if (found.size() > before) continue;
    if (!child.children.empty() || !child.id.empty()) {
      found.push_back(&child);
      continue;
    }
    for (const std::string_view id : split(child.text)) {
      const auto at = ids_.find(id);
      if (at == ids_.end()) refuse(child, child.name + " refers to " + io::shown(id) + ", which there is not");
      found.push_back(at->second);
    }
  }
  return found;
}

const XmlNode* HarnessDocument::one(const XmlNode& owner, std::string_view role, std::string_view type) const {
  const auto found = all(owner, role, type);
  return found.empty() ? nullptr : found.front();
}

const XmlNode& HarnessDocument::need(const XmlNode& owner, std::string_view role, std::string_view type) const {
  const XmlNode* found = one(owner, role, type);
  if (!found) refuse(owner, owner.name + " " + io::shown(owner.id) + " has no " + std::string(role));
  return *found;
}

const XmlNode& HarnessDocument::leaf(const XmlNode& owner, std::string_view name) const {
  const XmlNode* found = owner.child(name);
  if (!found) refuse(owner, owner.name + " " + io::shown(owner.id) + " has no " + std::string(name));
  return *found;
}

const XmlNode* HarnessDocument::parent(const XmlNode& node) const {
  const auto found = parents_.find(&node);
  return found == parents_.end() ? nullptr : found->second;
}

std::string HarnessDocument::text(const XmlNode& owner, std::string_view role) {
  const XmlNode* child = owner.child(role);
  return child ? child->text : std::string();
}

double HarnessDocument::number(const XmlNode& at) const {
  const auto value = parse_number(at.text);
  if (!value) refuse(at, at.name + ": expected a number, found " + io::shown(at.text));
  return *value;
}

double HarnessDocument::no_less_than_zero(const XmlNode& at) const {
  const double value = number(at);
  if (value < 0) refuse(at, at.name + ": a length, an area or a mass is not negative, found " + io::shown(at.text));
  return value;
}

std::vector<double> HarnessDocument::numbers(const XmlNode& owner, std::string_view role) const {
  std::vector<double> values;
  for (const XmlNode& child : owner.children) {
    if (child.name != role) continue;
    for (const std::string_view word : split(child.text)) {
      const auto value = parse_number(word);
      if (!value) refuse(child, child.name + ": expected a number, found " + io::shown(word));
      values.push_back(*value);
    }
  }
  return values;
}

std::optional<Vec3> HarnessDocument::vector(const XmlNode& owner, std::string_view role) const {
  const std::vector<double> values = numbers(owner, role);
  if (values.empty()) return std::nullopt;
  if (values.size() != 2 && values.size() != 3)
    refuse(owner, owner.name + ": expected two or three numbers " + std::string(role) + ", found " +
                      std::to_string(values.size()));
  return Vec3(values[0], values[1], values.size() > 2 ? values[2] : 0);
}

std::string plain_words(std::string_view words) {
  std::string plain;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const char c = words[i];
    if (c == ' ' || c == '_' || c == '\t') continue;
    // a raised two is two bytes
    if (words.substr(i).starts_with("²")) {
      plain += '2';
      ++i;
    } else {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return plain;
}

std::optional<double> unit_factor(std::string_view words, Measure measure) {
  std::string plain = plain_words(words);
  if (const std::size_t per = plain.find("per"); per != std::string::npos) plain.replace(per, 3, "/");
  for (const UnitWord& unit : kUnitWords)
    if (unit.measure == measure && unit.word == plain) return unit.factor;
  return std::nullopt;
}

double in_si(double value, double factor) {
  const double divisor = std::round(1 / factor);
  return factor < 1 && divisor * factor == 1 ? value / divisor : value * factor;
}

std::optional<double> prefix_factor(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, double>, 6> kPrefixes{
      {{"", 1}, {"milli", 1e-3}, {"centi", 1e-2}, {"deci", 1e-1}, {"micro", 1e-6}, {"kilo", 1e3}}};
  const std::string plain = plain_words(word);
  for (const auto& [name, factor] : kPrefixes)
    if (name == plain) return factor;
  return std::nullopt;
}

}  // namespace filum::exchange
