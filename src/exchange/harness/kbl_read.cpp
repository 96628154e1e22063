// KBL 2.2 to 2.5 (VDA 4964).
//
// From 2.3 on things are elements of the container and refer to each other by ids; 2.2 nests some of them and has other
// names for a few (KBL_schema, Coordinates_3D, Real_length, Represented_length). Points carry no unit; they are in
// millimetres everywhere. A location is a share of the arc length, though the standard's text calls it a parameter.
#include "exchange/harness/harness_readers.hpp"

#include "io/yaml/yaml_scalar.hpp"

#include <map>
#include <set>

namespace filum::exchange {
namespace {

constexpr double kMillimetres = 1000;  // of a metre
constexpr double kNotGiven = -9999;    // a location that the absolute one replaces

class KblReader {
 public:
  explicit KblReader(const HarnessDocument& document) : document_(document) {}

  Harness read() {
    harness_.format = "KBL";
    for (const XmlNode& child : document_.root().children)
      if (child.name == "Node") read_node(child);
    for (const XmlNode& child : document_.root().children)
      if (child.name == "Segment") read_segment(child);
    for (const XmlNode& child : document_.root().children)
      if (child.name == "Harness") note_cables(child);
    for (const XmlNode& child : document_.root().children)
      if (child.name == "Routing") read_routing(child);
    if (harness_.segments.empty()) document_.refuse(document_.root(), "there is no Segment in this file");
    return std::move(harness_);
  }

 private:
  // The first of several names that a role has had.
  const XmlNode* either(const XmlNode& owner, std::string_view name, std::string_view old,
                        std::string_view type) const {
    const XmlNode* found = document_.one(owner, name, type);
    return found ? found : document_.one(owner, old, type);
  }

  [[nodiscard]] Vec3 point(const XmlNode& cartesian) const {
    const auto coordinates = document_.vector(cartesian, "Coordinates");
    if (!coordinates) document_.refuse(cartesian, "a Cartesian_point without Coordinates");
    return *coordinates / kMillimetres;
  }

  // A value in SI; nothing if it is not there.
  [[nodiscard]] std::optional<double> value(const XmlNode* numerical, Measure measure) const {
    if (!numerical) return std::nullopt;
    const XmlNode& component = document_.leaf(*numerical, "Value_component");
    const XmlNode& unit = document_.need(*numerical, "Unit_component", "Unit");
    return in_si(document_.no_less_than_zero(component), factor(unit, measure));
  }

  [[nodiscard]] double factor(const XmlNode& unit, Measure measure) const {
    const std::string name = HarnessDocument::text(unit, "Unit_name");
    const std::string si = plain_words(HarnessDocument::text(unit, "Si_unit_name"));
    const auto prefix = prefix_factor(HarnessDocument::text(unit, "Si_prefix"));
    const bool square = HarnessDocument::text(unit, "Si_dimension") == "square" || si == "squaremetre";
    // by its SI name where that says all, else by what it is called
    if (prefix && si == "metre" && measure == Measure::Length && !square) return *prefix;
    if (prefix && (si == "metre" || si == "squaremetre") && measure == Measure::Area && square)
      return *prefix * *prefix;
    if (const auto known = unit_factor(name, measure)) return *known;
    document_.refuse(unit, "unknown unit " + io::shown(name.empty() ? si : name) + ": expected one of " +
                               (measure == Measure::Length ? "length"
                                : measure == Measure::Area ? "area"
                                                           : "mass per length"));
  }

  void read_node(const XmlNode& node) {
    HarnessNode& made = harness_.nodes.emplace_back();
    made.id = HarnessDocument::text(node, "Id");
    if (made.id.empty()) made.id = node.id;
    const XmlNode* where = either(node, "Cartesian_point", "Coordinates_3D", "Cartesian_point");
    if (!where) document_.refuse(node, "node " + io::shown(made.id) + " has no Cartesian_point");
    made.position = point(*where);
    for (const XmlNode* component : document_.all(node, "Referenced_components")) {
      const std::string name = HarnessDocument::text(*component, "Id");
      made.components.push_back(name.empty() ? component->id : name);
    }
    nodes_[&node] = static_cast<int>(harness_.nodes.size()) - 1;
  }

  [[nodiscard]] int node_of(const XmlNode& segment, std::string_view role) const {
    const XmlNode& node = document_.need(segment, role, "Node");
    const auto found = nodes_.find(&node);
    if (found == nodes_.end()) document_.refuse(segment, std::string(role) + " is no Node");
    return found->second;
  }

  void read_segment(const XmlNode& node) {
    HarnessSegment& segment = harness_.segments.emplace_back();
    segments_[&node] = static_cast<int>(harness_.segments.size()) - 1;
    segment.line = node.line;
    segment.id = HarnessDocument::text(node, "Id");
    if (segment.id.empty()) segment.id = node.id;
    segment.start = node_of(node, "Start_node");
    segment.end = node_of(node, "End_node");
    segment.start_tangent = document_.vector(node, "Start_vector");
    segment.end_tangent = document_.vector(node, "End_vector");
    segment.physical_length = value(either(node, "Physical_length", "Real_length", "Numerical_value"), Measure::Length);
    segment.virtual_length =
        value(either(node, "Virtual_length", "Represented_length", "Numerical_value"), Measure::Length);
    segment.forget_zero_lengths();
    for (const XmlNode* curve : document_.all(node, "Center_curve", "B_spline_curve"))
      segment.curves.push_back(read_curve(*curve, segment.id));
    read_area(node, segment);
    for (const XmlNode* assigned : document_.all(node, "Fixing_assignment", "Fixing_assignment"))
      segment.fixings.push_back(read_fixing(*assigned));
    for (const XmlNode* area : document_.all(node, "Protection_area", "Protection_area"))
      segment.covers.push_back(read_cover(*area));
  }

  [[nodiscard]] HarnessCurve read_curve(const XmlNode& node, const std::string& segment) const {
    HarnessCurve curve;
    const double degree = document_.number(document_.leaf(node, "Degree"));
    const auto points = document_.all(node, "Control_points", "Cartesian_point");
    if (points.size() > kMostControlPoints)
      document_.refuse(node, "a curve of segment " + io::shown(segment) + " has " + std::to_string(points.size()) +
                                 " control points; at most " + std::to_string(kMostControlPoints) + " are read");
    for (const XmlNode* each : points) curve.points.push_back(point(*each));
    if (!(degree >= 1 && degree <= 20) || degree != static_cast<int>(degree) || points.size() < 2 ||
        static_cast<double>(points.size()) < degree + 1)
      document_.refuse(node, "a curve of degree " + HarnessDocument::text(node, "Degree") + " with " +
                                 std::to_string(points.size()) + " control points in segment " + io::shown(segment));
    curve.degree = static_cast<int>(degree);
    return curve;
  }

  // What was calculated or measured before what is only reserved.
  void read_area(const XmlNode& node, HarnessSegment& segment) const {
    int rank = 0;
    for (const XmlNode* area : document_.all(node, "Cross_section_area_information", "Cross_section_area")) {
      const std::string how = HarnessDocument::text(*area, "Value_determination");
      const int better = how == "measured" ? 3 : how == "calculated" ? 2 : 1;
      if (better <= rank) continue;
      rank = better;
      segment.area = value(document_.one(*area, "Area", "Numerical_value"), Measure::Area);
    }
  }

  // The absolute place is binding, if there is one. Nothing: the file does not say where.
  [[nodiscard]] std::optional<ArcPosition> place(const XmlNode& owner, std::string_view share,
                                                 std::string_view absolute) const {
    if (const auto length = value(document_.one(owner, absolute, "Numerical_value"), Measure::Length))
      return ArcPosition{0, *length};
    const XmlNode* given = owner.child(share);
    const double fraction = given ? document_.number(*given) : kNotGiven;
    return fraction == kNotGiven ? std::nullopt : std::optional(ArcPosition{fraction, 0});
  }

  [[nodiscard]] HarnessFixing read_fixing(const XmlNode& node) const {
    const XmlNode& occurrence = document_.need(node, "Fixing");
    HarnessFixing fixing;
    fixing.id = HarnessDocument::text(occurrence, "Id");
    if (fixing.id.empty()) fixing.id = occurrence.id;
    if (const XmlNode* part = document_.one(occurrence, "Part"))
      fixing.type = HarnessDocument::text(*part, "Fixing_type");
    const std::optional<ArcPosition> at = place(node, "Location", "Absolute_location");
    fixing.placed = at.has_value();
    fixing.at = at.value_or(ArcPosition{0.5, 0});
    return fixing;
  }

  [[nodiscard]] HarnessCover read_cover(const XmlNode& node) const {
    HarnessCover cover;
    cover.from = place(node, "Start_location", "Absolute_start_location").value_or(ArcPosition{0, 0});
    cover.to = place(node, "End_location", "Absolute_end_location").value_or(ArcPosition{1, 0});
    const XmlNode& occurrence = document_.need(node, "Associated_protection");
    cover.id = HarnessDocument::text(occurrence, "Id");
    if (const XmlNode* part = document_.one(occurrence, "Part"))
      cover.type = HarnessDocument::text(*part, "Protection_type");
    return cover;
  }

  // Which cable a core belongs to.
  void note_cables(const XmlNode& harness) {
    for (const XmlNode* occurrence : document_.all(harness, "General_wire_occurrence", "Special_wire_occurrence"))
      for (const XmlNode* core : document_.all(*occurrence, "Core_occurrence", "Core_occurrence"))
        cables_[core] = occurrence;
  }

  // A wire, or the cable that a core is in: it lies in a bundle once.
  HarnessWire& wire_of(const XmlNode& occurrence) {
    const auto [found, fresh] = wires_.emplace(&occurrence, static_cast<int>(harness_.wires.size()));
    if (!fresh) return harness_.wires[static_cast<std::size_t>(found->second)];
    HarnessWire& wire = harness_.wires.emplace_back();
    for (const char* role : {"Wire_number", "Special_wire_id", "Id"})
      if (wire.id.empty()) wire.id = HarnessDocument::text(occurrence, role);
    if (wire.id.empty()) wire.id = occurrence.id;
    if (const XmlNode* part = document_.one(occurrence, "Part")) {
      wire.diameter = value(document_.one(*part, "Outside_diameter", "Numerical_value"), Measure::Length);
      wire.conductor = value(document_.one(*part, "Cross_section_area", "Numerical_value"), Measure::Area);
      wire.bend_radius = value(document_.one(*part, "Bend_radius", "Numerical_value"), Measure::Length);
      wire.mass = mass_of(*part);
    }
    return wire;
  }

  // Per length; a mass alone says nothing of a wire.
  [[nodiscard]] std::optional<double> mass_of(const XmlNode& part) const {
    const XmlNode* mass = document_.one(part, "Mass_information", "Numerical_value");
    const XmlNode* unit = mass ? document_.one(*mass, "Unit_component", "Unit") : nullptr;
    if (!unit) return std::nullopt;
    if (is_mass(*unit)) return std::nullopt;
    return value(mass, Measure::MassPerLength);
  }
  static bool is_mass(const XmlNode& unit) {
    const std::string name = plain_words(HarnessDocument::text(unit, "Unit_name"));
    const std::string si = plain_words(HarnessDocument::text(unit, "Si_unit_name"));
    const auto mass = [](const std::string& word) {
      return word == "g" || word == "gram" || word == "gramm" || word == "kg" || word == "kilogram";
    };
    return mass(name) || (name.empty() && mass(si));
  }

  void read_routing(const XmlNode& routing) {
    const XmlNode* routed = document_.one(routing, "Routed_wire");
    if (routed && routed->name == "Connection") routed = document_.one(*routed, "Wire");
    if (!routed) return;
    const auto cable = cables_.find(routed);
    HarnessWire& wire = wire_of(cable == cables_.end() ? *routed : *cable->second);
    const bool known = !wire.route.empty();
    std::set<int> seen(wire.route.begin(), wire.route.end());
    for (const XmlNode* segment : document_.all(routing, "Segments", "Segment")) {
      const auto found = segments_.find(segment);
      if (found == segments_.end()) document_.refuse(routing, "Segments lists something that is no Segment");
      if (seen.insert(found->second).second || !known) wire.route.push_back(found->second);
    }
  }

  const HarnessDocument& document_;
  Harness harness_;
  std::map<const XmlNode*, int> nodes_;
  std::map<const XmlNode*, int> segments_;
  std::map<const XmlNode*, int> wires_;
  std::map<const XmlNode*, const XmlNode*> cables_;
};

}  // namespace

Harness read_kbl(const HarnessDocument& document) {
  return KblReader(document).read();
}

}  // namespace filum::exchange
