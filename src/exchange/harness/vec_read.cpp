// VEC 1.1 to 2.1 (VDA 4968).
//
// Topology (nodes, segments, lengths) is apart from geometry (points, curves), which stands in building blocks that have
// a unit and may be placed by a transformation. What is fitted refers to places on the topology.
#include "exchange/harness/harness_readers.hpp"

#include "io/yaml/yaml_scalar.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace filum::exchange {
namespace {

// What a unit is: so many SI units of metreᵃ·kilogramᵇ.
struct UnitValue {
  double factor = 1;
  int metres = 0;
  int masses = 0;
};

// Where the points of a building block are.
struct Block {
  double unit = 1;
  Mat3 turn = Mat3::Identity();
  Vec3 origin = Vec3::Zero();  // in the block's unit
  [[nodiscard]] Vec3 place(const Vec3& point) const { return unit * (turn * point + origin); }
};

class VecReader {
 public:
  explicit VecReader(const HarnessDocument& document) : document_(document) {}

  Harness read() {
    harness_.format = "VEC " + HarnessDocument::text(document_.root(), "VecVersion");
    each_specification("TopologySpecification", [&](const XmlNode& node) { read_topology(node); });
    each_specification("TopologyGroupSpecification", [&](const XmlNode& node) { read_topology(node); });
    if (harness_.segments.empty()) document_.refuse(document_.root(), "there is no TopologySegment in this file");
    each_specification("BuildingBlockSpecification3D", [&](const XmlNode& node) { read_geometry(node); });
    for (const auto& [node, index] : nodes_)
      if (!placed_[static_cast<std::size_t>(index)])
        document_.refuse(*node, "node " + io::shown(harness_.nodes[static_cast<std::size_t>(index)].id) +
                                    " has no place: no GeometryNode of a BuildingBlockSpecification3D refers to it");
    each_specification("PlacementSpecification", [&](const XmlNode& node) { read_placements(node); });
    each_specification("RoutingSpecification", [&](const XmlNode& node) {
      for (const XmlNode* routing : document_.all(node, "Routing")) read_routing(*routing);
    });
    each_specification("TopologyBendingRestrictionSpecification", [&](const XmlNode& node) {
      for (const XmlNode* each : document_.all(node, "TopologyBendingRestriction")) read_restriction(*each);
    });
    return std::move(harness_);
  }

 private:
  // Every specification of this type, wherever it stands.
  void each_specification(std::string_view type, const std::function<void(const XmlNode&)>& act) const {
    const std::function<void(const XmlNode&)> walk = [&](const XmlNode& node) {
      for (const XmlNode& child : node.children) {
        if (child.name == "Specification" && child.type == type) act(child);
        if (child.name != "Specification") walk(child);
      }
    };
    walk(document_.root());
  }

  // ---- units

  [[nodiscard]] UnitValue unit_value(const XmlNode& unit, int depth = 0) const {
    if (depth > 8) document_.refuse(unit, "unit " + io::shown(unit.id) + " is made of itself");
    UnitValue value;
    if (unit.type == "CompositeUnit") {
      for (const XmlNode* part : document_.all(unit, "Factors")) {
        const UnitValue inner = unit_value(*part, depth + 1);
        value.factor *= inner.factor;
        value.metres += inner.metres;
        value.masses += inner.masses;
      }
      return value;
    }
    const std::string si = plain_words(HarnessDocument::text(unit, "SiUnitName"));
    const std::string imperial = HarnessDocument::text(unit, "ImperialUnitName");
    const std::string prefix_word = HarnessDocument::text(unit, "SiPrefix");
    const auto prefix = prefix_factor(prefix_word);
    const XmlNode* raised = unit.child("Exponent");
    const int exponent = raised ? static_cast<int>(document_.number(*raised)) : 1;
    const auto length = unit_factor(si.empty() ? imperial : si, Measure::Length);
    if (length && prefix) {
      value.factor = std::pow(*length * *prefix, exponent);
      value.metres = exponent;
    } else if (si == "gram" && prefix) {
      value.factor = std::pow(1e-3 * *prefix, exponent);
      value.masses = exponent;
    } else {
      const std::string name = !si.empty() ? si : !imperial.empty() ? imperial : unit.id;
      document_.refuse(unit, prefix ? "unknown unit " + io::shown(name)
                                    : "unknown prefix " + io::shown(prefix_word) + " of unit " + io::shown(name));
    }
    return value;
  }

  [[nodiscard]] double factor(const XmlNode& unit, Measure measure) const {
    const UnitValue value = unit_value(unit);
    const int metres = measure == Measure::Length ? 1 : measure == Measure::Area ? 2 : -1;
    if (value.metres != metres || value.masses != (measure == Measure::MassPerLength ? 1 : 0))
      document_.refuse(unit, "unit " + io::shown(unit.id) + " is none of " +
                                 (measure == Measure::Length ? "length"
                                  : measure == Measure::Area ? "area"
                                                             : "mass per length"));
    return value.factor;
  }

  [[nodiscard]] std::optional<double> value(const XmlNode* numerical, Measure measure) const {
    if (!numerical) return std::nullopt;
    return in_si(document_.no_less_than_zero(document_.leaf(*numerical, "ValueComponent")),
                 factor(document_.need(*numerical, "UnitComponent"), measure));
  }

  // ---- topology

  static std::string name_of(const XmlNode& node) {
    const std::string name = HarnessDocument::text(node, "Identification");
    return name.empty() ? node.id : name;
  }

  template <class Map>
  [[nodiscard]] int index_in(const Map& map, const XmlNode& owner, std::string_view role) const {
    const XmlNode& thing = document_.need(owner, role);
    const auto found = map.find(&thing);
    if (found == map.end())
      document_.refuse(owner, owner.name + " " + io::shown(owner.id) + ": " + std::string(role) +
                                  " refers to something else than it should, " + io::shown(thing.id));
    return found->second;
  }

  void read_topology(const XmlNode& specification) {
    for (const XmlNode& child : specification.children) {
      if (child.name != "TopologyNode") continue;
      nodes_[&child] = static_cast<int>(harness_.nodes.size());
      harness_.nodes.emplace_back().id = name_of(child);
      placed_.push_back(false);
    }
    for (const XmlNode& child : specification.children)
      if (child.name == "TopologySegment") read_segment(child);
  }

  void read_segment(const XmlNode& node) {
    segments_[&node] = static_cast<int>(harness_.segments.size());
    HarnessSegment& segment = harness_.segments.emplace_back();
    segment.line = node.line;
    segment.id = name_of(node);
    segment.start = index_in(nodes_, node, "StartNode");
    segment.end = index_in(nodes_, node, "EndNode");
    for (const XmlNode* length : document_.all(node, "LengthInformation")) {
      const auto metres = value(document_.one(*length, "Length"), Measure::Length);
      const std::string kind = HarnessDocument::text(*length, "Classification");
      (kind == "Designed" ? segment.virtual_length : segment.physical_length) = metres;
    }
    segment.forget_zero_lengths();
    for (const XmlNode* area : document_.all(node, "CrossSectionAreaInformation"))
      if (!segment.area || HarnessDocument::text(*area, "ValueDetermination") != "Reserved")
        segment.area = value(document_.one(*area, "Area"), Measure::Area);
  }

  // ---- geometry

  [[nodiscard]] Vec3 xyz(const XmlNode& node) const {
    return {document_.number(document_.leaf(node, "X")), document_.number(document_.leaf(node, "Y")),
            document_.number(document_.leaf(node, "Z"))};
  }

  [[nodiscard]] Block block_of(const XmlNode& specification) const {
    Block block;
    block.unit = factor(document_.need(specification, "BaseUnit"), Measure::Length);
    each_specification("HarnessGeometrySpecification3D", [&](const XmlNode& geometry) {
      for (const XmlNode* positioning : document_.all(geometry, "BuildingBlockPositionings")) {
        if (document_.one(*positioning, "Referenced3DBuildingBlock") != &specification) continue;
        const XmlNode* turned = document_.one(*positioning, "Positioning");
        if (!turned) continue;
        for (int row = 0; row < 3; ++row)
          for (int column = 0; column < 3; ++column)
            block.turn(row, column) =
                document_.number(document_.leaf(*turned, "A" + std::to_string(row + 1) + std::to_string(column + 1)));
        block.origin = xyz(document_.need(*turned, "Origin"));
      }
    });
    return block;
  }

  void read_geometry(const XmlNode& specification) {
    const Block block = block_of(specification);
    std::map<const XmlNode*, int> geometry_nodes;
    for (const XmlNode& child : specification.children) {
      if (child.name != "GeometryNode") continue;
      const int node = index_in(nodes_, child, "ReferenceNode");
      geometry_nodes[&child] = node;
      harness_.nodes[static_cast<std::size_t>(node)].position =
          block.place(xyz(document_.need(child, "CartesianPoint")));
      placed_[static_cast<std::size_t>(node)] = true;
    }
    for (const XmlNode& child : specification.children) {
      if (child.name != "GeometrySegment") continue;
      HarnessSegment& segment =
          harness_.segments[static_cast<std::size_t>(index_in(segments_, child, "ReferenceSegment"))];
      // geometry may run the other way
      const bool against = index_in(geometry_nodes, child, "StartNode") == segment.end && segment.start != segment.end;
      read_tangents(child, block, against, segment);
      std::vector<HarnessCurve> curves;
      for (const char* role : {"Curve", "BSplineCurve"})
        for (const XmlNode* curve : document_.all(child, role)) curves.push_back(read_curve(*curve, block, segment.id));
      if (against) {
        std::reverse(curves.begin(), curves.end());
        for (HarnessCurve& curve : curves) turn_round(curve);
      }
      segment.curves = std::move(curves);
    }
  }

  void read_tangents(const XmlNode& node, const Block& block, bool against, HarnessSegment& segment) const {
    const auto tangent = [&](const char* role) -> std::optional<Vec3> {
      const XmlNode* vector = document_.one(node, role);
      if (!vector) return std::nullopt;
      return Vec3((against ? -1 : 1) * (block.turn * xyz(*vector)));
    };
    segment.start_tangent = tangent(against ? "EndVector" : "StartVector");
    segment.end_tangent = tangent(against ? "StartVector" : "EndVector");
  }

  static void turn_round(HarnessCurve& curve) {
    std::reverse(curve.points.begin(), curve.points.end());
    std::reverse(curve.weights.begin(), curve.weights.end());
    std::reverse(curve.knots.begin(), curve.knots.end());
    for (double& knot : curve.knots) knot = -knot;
  }

  [[nodiscard]] HarnessCurve read_curve(const XmlNode& node, const Block& block, const std::string& segment) const {
    HarnessCurve curve;
    const double degree = document_.number(document_.leaf(node, "Degree"));
    const auto points = document_.all(node, "ControlPoint");
    const auto wrong = [&](const std::string& what) {
      document_.refuse(node, "a curve of segment " + io::shown(segment) + " has " + what);
    };
    if (points.size() > kMostControlPoints)
      wrong(std::to_string(points.size()) + " control points; at most " + std::to_string(kMostControlPoints) +
            " are read");
    if (!(degree >= 1 && degree <= 20) || degree != std::floor(degree) ||
        static_cast<double>(points.size()) < degree + 1)
      wrong("degree " + HarnessDocument::text(node, "Degree") + " and " + std::to_string(points.size()) +
            " control points");
    curve.degree = static_cast<int>(degree);
    for (const XmlNode* point : points) {
      // with a weight it refers to its point, without one it is it
      const XmlNode* cartesian = document_.one(*point, "CartesianPoint3D");
      if (!cartesian) cartesian = document_.one(*point, "CartesianPoint");
      curve.points.push_back(block.place(xyz(cartesian ? *cartesian : *point)));
      if (const XmlNode* weight = point->child("Weight")) curve.weights.push_back(document_.number(*weight));
    }
    if (!curve.weights.empty() && (curve.weights.size() != curve.points.size() ||
                                   !(*std::min_element(curve.weights.begin(), curve.weights.end()) > 0)))
      wrong("weights that are missing or not above zero");
    curve.knots = document_.numbers(node, "Knots");
    if (curve.knots.empty()) return curve;
    // some leave out the first and the last, which no point depends on
    const std::size_t whole = curve.points.size() + static_cast<std::size_t>(curve.degree) + 1;
    if (curve.knots.size() + 2 == whole) {
      curve.knots.insert(curve.knots.begin(), curve.knots.front());
      curve.knots.push_back(curve.knots.back());
    }
    const auto first = static_cast<std::size_t>(curve.degree);
    if (curve.knots.size() != whole || !std::is_sorted(curve.knots.begin(), curve.knots.end()) ||
        !(curve.knots[first] < curve.knots[curve.points.size()]))
      wrong("a knot vector that is none: " + std::to_string(curve.knots.size()) + " knots, " + std::to_string(whole) +
            " expected, none less than the one before");
    return curve;
  }

  // ---- what is fitted

  // A place on a segment, or nothing.
  struct Place {
    int segment = -1;
    ArcPosition at;
  };
  [[nodiscard]] std::optional<Place> place(const XmlNode& location) const {
    if (location.type != "SegmentLocation") return std::nullopt;
    const double offset = value(document_.one(location, "Offset"), Measure::Length).value_or(0);
    const bool from_end = HarnessDocument::text(location, "Anchor") == "FromEndNode";
    return Place{index_in(segments_, location, "ReferencedSegment"),
                 from_end ? ArcPosition{1, -offset} : ArcPosition{0, offset}};
  }

  // What is placed: the occurrence that the role belongs to, and the kind of its own role.
  struct Placed {
    std::string id;
    std::string kind;  // «Fixing», «Tape»
    const XmlNode* role = nullptr;
  };
  [[nodiscard]] Placed placed_by(const XmlNode& placement) const {
    Placed placed;
    const XmlNode* element = document_.one(placement, "PlacedElement");
    const XmlNode* occurrence = element && element->name == "Role" ? document_.parent(*element) : element;
    placed.id = occurrence ? name_of(*occurrence) : name_of(placement);
    if (!occurrence) return placed;
    for (const XmlNode& role : occurrence->children) {
      if (role.name != "Role" || role.type == "PlaceableElementRole" || !placed.kind.empty()) continue;
      placed.kind = role.type.ends_with("Role") ? role.type.substr(0, role.type.size() - 4) : role.type;
      placed.role = &role;
    }
    return placed;
  }

  void read_placements(const XmlNode& specification) {
    for (const XmlNode* placement : document_.all(specification, "Placement")) {
      const Placed placed = placed_by(*placement);
      if (placement->type == "OnWayPlacement") {
        read_cover(*placement, placed);
        continue;
      }
      for (const XmlNode* location : document_.all(*placement, "Location")) {
        if (location->type == "NodeLocation") {
          const int node = index_in(nodes_, *location, "ReferencedNode");
          harness_.nodes[static_cast<std::size_t>(node)].components.push_back(placed.id);
        } else if (const auto at = place(*location); at && placed.kind.find("Terminal") == std::string::npos) {
          harness_.segments[static_cast<std::size_t>(at->segment)].fixings.push_back({placed.id, placed.kind, at->at});
        }
      }
    }
  }

  // Round a part of one segment, or round several, of which the first and the last may be covered partly.
  void read_cover(const XmlNode& placement, const Placed& placed) {
    const auto from = place(document_.need(placement, "StartLocation"));
    const auto to = place(document_.need(placement, "EndLocation"));
    HarnessCover cover{placed.id, placed.kind, {}, {1, 0}, thickness_of(placed)};
    const auto add = [&](int segment, ArcPosition a, ArcPosition b) {
      cover.from = a;
      cover.to = b;
      harness_.segments[static_cast<std::size_t>(segment)].covers.push_back(cover);
    };
    if (from && to && from->segment == to->segment) return add(from->segment, from->at, to->at);
    const XmlNode* path = document_.one(placement, "Path");
    std::vector<int> way;
    if (path)
      for (const XmlNode* segment : document_.all(*path, "Segment")) {
        const auto found = segments_.find(segment);
        if (found != segments_.end()) way.push_back(found->second);
      }
    for (std::size_t i = 0; i < way.size(); ++i) {
      const bool last = i + 1 == way.size();
      const std::optional<Place>& end = i == 0 ? from : last ? to : std::optional<Place>{};
      if (!end || end->segment != way[i] || way.size() < 2) {
        add(way[i], {0, 0}, {1, 0});
        continue;
      }
      // towards the neighbour on the way
      const HarnessSegment& neighbour = harness_.segments[static_cast<std::size_t>(way[last ? i - 1 : i + 1])];
      const int node = harness_.segments[static_cast<std::size_t>(way[i])].end;
      const bool onwards = neighbour.start == node || neighbour.end == node;
      onwards ? add(way[i], end->at, {1, 0}) : add(way[i], {0, 0}, end->at);
    }
  }

  [[nodiscard]] std::optional<double> thickness_of(const Placed& placed) const {
    const XmlNode* specification = placed.role ? document_.one(*placed.role, "WireProtectionSpecification") : nullptr;
    if (!specification) return std::nullopt;
    for (const char* role : {"Thickness", "WallThickness"})
      if (const auto thickness = value(document_.one(*specification, role), Measure::Length)) return thickness;
    return std::nullopt;
  }

  // ---- wires and limits

  [[nodiscard]] std::vector<int> way_of(const XmlNode& owner, std::string_view role) const {
    std::vector<int> way;
    const XmlNode* path = document_.one(owner, role);
    if (!path) return way;
    for (const XmlNode* segment : document_.all(*path, "Segment")) {
      const auto found = segments_.find(segment);
      if (found == segments_.end()) document_.refuse(*path, "Path lists something that is no TopologySegment");
      way.push_back(found->second);
    }
    return way;
  }

  void read_routing(const XmlNode& routing) {
    const XmlNode& routed = document_.need(routing, "RoutedElement");
    const auto [first, is_new] = routed_.emplace(&routed, static_cast<int>(harness_.wires.size()));
    HarnessWire& wire = harness_.wires.emplace_back();
    wire.id = name_of(routed);
    if (!is_new) wire.instead_of = first->second;
    wire.route = way_of(routing, "Path");
    const XmlNode* element = document_.one(routed, "ReferencedWireElement");
    const XmlNode* made = element ? document_.one(*element, "WireElementSpecification") : nullptr;
    if (!made) return;
    wire.diameter = value(document_.one(*made, "OutsideDiameter"), Measure::Length);
    wire.bend_radius = value(document_.one(*made, "MinBendRadiusStatic"), Measure::Length);
    if (const XmlNode* conductor = document_.one(*made, "ConductorSpecification"))
      wire.conductor = value(document_.one(*conductor, "CrossSectionArea"), Measure::Area);
    wire.mass = mass_of(*made);
  }

  // Per length, which the part's document tells beside the one wire that it describes; a mass alone says nothing.
  [[nodiscard]] std::optional<double> mass_of(const XmlNode& wire) const {
    const XmlNode* part = document_.parent(wire);
    if (!part) return std::nullopt;
    const XmlNode* mass = nullptr;
    for (const XmlNode& beside : part->children) {
      if (beside.type == "WireElementSpecification" && &beside != &wire) return std::nullopt;
      if (beside.type == "GeneralTechnicalPartSpecification") mass = document_.one(beside, "MassInformation");
    }
    const XmlNode* given = mass ? document_.one(*mass, "Value") : nullptr;
    if (!given || unit_value(document_.need(*given, "UnitComponent")).metres == 0) return std::nullopt;
    return value(given, Measure::MassPerLength);
  }

  void read_restriction(const XmlNode& node) {
    const auto at_rest = value(document_.one(node, "MinBendRadiusStatic"), Measure::Length);
    const auto moving = value(document_.one(node, "MinBendRadiusDynamic"), Measure::Length);
    for (const int segment : way_of(node, "RestrictedPath")) {
      harness_.segments[static_cast<std::size_t>(segment)].static_radius = at_rest;
      harness_.segments[static_cast<std::size_t>(segment)].dynamic_radius = moving;
    }
  }

  const HarnessDocument& document_;
  Harness harness_;
  std::vector<bool> placed_;
  std::map<const XmlNode*, int> nodes_;
  std::map<const XmlNode*, int> segments_;
  std::map<const XmlNode*, int> routed_;  // the first wire of each element
};

}  // namespace

Harness read_vec(const HarnessDocument& document) {
  return VecReader(document).read();
}

}  // namespace filum::exchange
