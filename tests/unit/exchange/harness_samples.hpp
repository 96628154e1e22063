// Random harnesses of known truth, written as KBL and as VEC.
//
// A tree of nodes; every segment is one cubic Bézier curve. Clamped it is written by its own control points; unclamped
// by those whose uniform B-spline is the same polynomial between its middle knots: control point i is the blossom of the
// cubic at the knots i + 1 … i + 3 [Piegl1997, ch. 5].
#pragma once

#include "exchange/harness/harness.hpp"

#include <array>
#include <random>
#include <string>
#include <vector>

namespace filum::test {

struct SampleSegment {
  int start = 0;
  int end = 0;
  std::array<Vec3, 4> bezier;                 // mm
  double length = 0;                          // mm
  double fixing = 0;                          // share of its length; 0: none
  std::array<double, 4> weights{1, 1, 1, 1};  // of its points, told by VEC
};

struct SampleHarness {
  std::vector<Vec3> nodes;  // mm
  std::vector<SampleSegment> segments;
};

inline Vec3 bezier_at(const std::array<Vec3, 4>& b, double t) {
  const double u = 1 - t;
  return u * u * u * b[0] + 3 * u * u * t * b[1] + 3 * u * t * t * b[2] + t * t * t * b[3];
}

inline Vec3 blossom(std::array<Vec3, 4> b, std::array<double, 3> at) {
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 0; i + r < 3; ++i) b[i] = (1 - at[r]) * b[i] + at[r] * b[i + 1];
  return b[0];
}

inline std::array<Vec3, 4> unclamped(const std::array<Vec3, 4>& b) {
  return {blossom(b, {-2, -1, 0}), blossom(b, {-1, 0, 1}), blossom(b, {0, 1, 2}), blossom(b, {1, 2, 3})};
}

// By Simpson's rule on many pieces: an oracle of its own.
inline double bezier_length(const std::array<Vec3, 4>& b) {
  const auto speed = [&](double t) {
    const double u = 1 - t;
    return (3 * (u * u * (b[1] - b[0]) + 2 * u * t * (b[2] - b[1]) + t * t * (b[3] - b[2]))).norm();
  };
  constexpr int kPieces = 4000;
  double sum = speed(0) + speed(1);
  for (int i = 1; i < kPieces; ++i) sum += (i % 2 ? 4 : 2) * speed(static_cast<double>(i) / kPieces);
  return sum / (3.0 * kPieces);
}

inline SampleHarness random_harness(unsigned seed, int segments) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  SampleHarness harness;
  harness.nodes.emplace_back(between(-100, 100), between(-100, 100), between(-100, 100));
  for (int i = 0; i < segments; ++i) {
    SampleSegment segment;
    segment.start = static_cast<int>(random() % harness.nodes.size());
    segment.end = static_cast<int>(harness.nodes.size());
    const Vec3 from = harness.nodes[static_cast<std::size_t>(segment.start)];
    const Vec3 way = Vec3(between(-1, 1), between(-1, 1), between(-1, 1)).normalized() * between(120, 400);
    const auto off = [&] { return Vec3(between(-30, 30), between(-30, 30), between(-30, 30)); };
    harness.nodes.push_back(from + way);
    segment.bezier = {from, from + way / 3 + off(), from + 2 * way / 3 + off(), from + way};
    segment.length = bezier_length(segment.bezier);
    if (random() % 2) segment.fixing = between(0.2, 0.8);
    harness.segments.push_back(segment);
  }
  return harness;
}

inline std::string numbers(const char* tag, const Vec3& v) {
  std::string text;
  for (const double x : {v.x(), v.y(), v.z()}) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "<%s>%.17g</%s>", tag, x, tag);
    text += buffer;
  }
  return text;
}

inline std::string digits(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

enum class Spelling { Clamped, Unclamped };

inline std::string kbl_text(const SampleHarness& harness, Spelling spelling) {
  const auto id = [](const char* kind, std::size_t i) { return std::string(kind) + std::to_string(i); };
  std::string points;
  std::string nodes;
  std::string segments;
  std::string fixings;
  std::string routings;
  std::size_t count = 0;
  const auto add_point = [&](const Vec3& p) {
    points += "<Cartesian_point id=\"" + id("p", count) + "\">" + numbers("Coordinates", p) + "</Cartesian_point>\n";
    return id("p", count++);
  };
  const auto length = [&](const char* tag, double mm) {
    const std::string name(tag);
    return "<" + name + " id=\"v" + std::to_string(count++) +
           "\"><Unit_component>mm</Unit_component><Value_component>" + digits(mm) + "</Value_component></" + name + ">";
  };
  for (std::size_t i = 0; i < harness.nodes.size(); ++i)
    nodes += "<Node id=\"" + id("n", i) + "\"><Id>N" + std::to_string(i) + "</Id><Cartesian_point>" +
             add_point(harness.nodes[i]) +
             "</Cartesian_point><Referenced_components>c0</Referenced_components></Node>\n";
  for (std::size_t i = 0; i < harness.segments.size(); ++i) {
    const SampleSegment& segment = harness.segments[i];
    const auto control = spelling == Spelling::Clamped ? segment.bezier : unclamped(segment.bezier);
    std::string refs;
    for (const Vec3& p : control) refs += add_point(p) + " ";
    segments += "<Segment id=\"" + id("s", i) + "\"><Id>S" + std::to_string(i) + "</Id>" +
                length("Virtual_length", segment.length) + "<End_node>" +
                id("n", static_cast<std::size_t>(segment.end)) + "</End_node><Start_node>" +
                id("n", static_cast<std::size_t>(segment.start)) + "</Start_node><Center_curve id=\"" + id("c_", i) +
                "\"><Degree>3</Degree><Control_points>" + refs + "</Control_points></Center_curve>";
    if (segment.fixing > 0) {
      segments += "<Fixing_assignment id=\"" + id("fa", i) + "\"><Location>" + digits(segment.fixing) +
                  "</Location><Fixing>" + id("f", i) + "</Fixing></Fixing_assignment>";
      fixings += "<Fixing_occurrence id=\"" + id("f", i) + "\"><Id>F" + std::to_string(i) +
                 "</Id><Part>clip</Part></Fixing_occurrence>\n";
    }
    segments += "</Segment>\n";
    routings += "<Routing id=\"" + id("r", i) + "\"><Routed_wire>" + id("w", i) + "</Routed_wire><Segments>" +
                id("s", i) + "</Segments></Routing>\n";
    fixings += "<General_wire_occurrence xsi:type=\"kbl:Wire_occurrence\" id=\"" + id("w", i) +
               "\"><Part>wire</Part><Wire_number>W" + std::to_string(i) + "</Wire_number></General_wire_occurrence>\n";
  }
  return "<?xml version=\"1.0\"?>\n<kbl:KBL_container "
         "xmlns:kbl=\"http://www.prostep.org/Car_electric_container/KBL2.3/KBLSchema\" "
         "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" id=\"k\">\n" +
         points +
         "<Fixing id=\"clip\"><Fixing_type>edge clip</Fixing_type></Fixing>\n"
         "<General_wire id=\"wire\"><Cross_section_area id=\"q\"><Unit_component>mm2</Unit_component>"
         "<Value_component>2.5</Value_component></Cross_section_area><Outside_diameter id=\"d\"><Unit_component>mm"
         "</Unit_component><Value_component>2.9</Value_component></Outside_diameter></General_wire>\n"
         "<Harness id=\"h\"><Connector_occurrence id=\"c0\"><Id>plug</Id></Connector_occurrence>\n" +
         fixings + "</Harness>\n" + nodes + routings + segments +
         "<Unit id=\"mm\"><Unit_name>millimetre</Unit_name><Si_unit_name>metre</Si_unit_name><Si_prefix>milli"
         "</Si_prefix></Unit>\n<Unit id=\"mm2\"><Unit_name>square millimetre</Unit_name><Si_unit_name>metre"
         "</Si_unit_name><Si_prefix>milli</Si_prefix><Si_dimension>square</Si_dimension></Unit>\n"
         "</kbl:KBL_container>\n";
}

// How VEC tells a curve: by control points alone until 1.1, later with knots and weights; here also in two pieces, and
// from the segment's end to its start.
enum class VecCurve { Nurbs, OldClamped, OldUnclamped, BackInTwo };

// A curve of a geometry segment; `add_point` returns the id of a point.
template <class AddPoint>
std::string vec_curve(const std::array<Vec3, 4>& control, const std::array<double, 4>& weights, VecCurve how,
                      const std::string& id, const AddPoint& add_point) {
  if (how == VecCurve::OldClamped || how == VecCurve::OldUnclamped) {
    std::string refs;
    for (const Vec3& p : how == VecCurve::OldClamped ? control : unclamped(control)) refs += add_point(p) + " ";
    return "<BSplineCurve id=\"" + id + "\"><Degree>3</Degree><ControlPoint>" + refs + "</ControlPoint></BSplineCurve>";
  }
  std::string text = "<Curve xsi:type=\"vec:NURBSCurve\" id=\"" + id + "\"><Degree>3</Degree>";
  for (const char* knot : {"0", "0", "0", "0", "2", "2", "2", "2"}) text += std::string("<Knots>") + knot + "</Knots>";
  for (std::size_t k = 0; k < 4; ++k)
    text += "<ControlPoint id=\"" + id + "_" + std::to_string(k) + "\"><Weight>" + digits(weights[k]) +
            "</Weight><CartesianPoint3D>" + add_point(control[k]) + "</CartesianPoint3D></ControlPoint>";
  return text + "</Curve>";
}

// Its geometry in a block that is turned and shifted.
inline std::string vec_text(const SampleHarness& harness, VecCurve how = VecCurve::Nurbs) {
  const auto id = [](const char* kind, std::size_t i) { return std::string(kind) + std::to_string(i); };
  // (x, y, z) of the block is (y, -x, z) + (7, 8, 9) of the world
  const auto inside = [](const Vec3& p) { return Vec3(-(p.y() - 8), p.x() - 7, p.z() - 9); };
  const auto xyz = [](const Vec3& v) {
    return "<X>" + digits(v.x()) + "</X><Y>" + digits(v.y()) + "</Y><Z>" + digits(v.z()) + "</Z>";
  };
  std::string points;
  std::string nodes;
  std::string geometry;
  std::string curves;
  std::string topology;
  std::string placements;
  std::string parts;
  std::size_t count = 0;
  const auto add_point = [&](const Vec3& p) {
    points += "<CartesianPoint id=\"" + id("p", count) + "\">" + xyz(inside(p)) + "</CartesianPoint>\n";
    return id("p", count++);
  };
  for (std::size_t i = 0; i < harness.nodes.size(); ++i) {
    nodes += "<TopologyNode id=\"" + id("n", i) + "\"><Identification>N" + std::to_string(i) +
             "</Identification></TopologyNode>\n";
    geometry += "<GeometryNode id=\"" + id("g", i) + "\"><ReferenceNode>" + id("n", i) +
                "</ReferenceNode><CartesianPoint>" + add_point(harness.nodes[i]) + "</CartesianPoint></GeometryNode>\n";
  }
  for (std::size_t i = 0; i < harness.segments.size(); ++i) {
    const SampleSegment& segment = harness.segments[i];
    topology += "<TopologySegment id=\"" + id("s", i) + "\"><Identification>S" + std::to_string(i) +
                "</Identification><Form>Circular</Form><EndNode>" + id("n", static_cast<std::size_t>(segment.end)) +
                "</EndNode><StartNode>" + id("n", static_cast<std::size_t>(segment.start)) +
                "</StartNode><LengthInformation id=\"" + id("l", i) + "\"><Length id=\"" + id("lv", i) +
                "\"><UnitComponent>mm</UnitComponent><ValueComponent>" + digits(segment.length) +
                "</ValueComponent></Length><Classification>Designed</Classification></LengthInformation>"
                "</TopologySegment>\n";
    const bool back = how == VecCurve::BackInTwo;
    const auto& b = segment.bezier;
    // halves of a cubic are blossoms at its ends and its middle
    std::string control =
        back ? vec_curve({b[3], blossom(b, {1, 1, 0.5}), blossom(b, {1, 0.5, 0.5}), bezier_at(b, 0.5)}, segment.weights,
                         how, id("cb", i), add_point) +
                   vec_curve({bezier_at(b, 0.5), blossom(b, {0.5, 0.5, 0}), blossom(b, {0.5, 0, 0}), b[0]},
                             segment.weights, how, id("cv", i), add_point)
             : vec_curve(b, segment.weights, how, id("cv", i), add_point);
    curves += "<GeometrySegment id=\"" + id("gs", i) + "\"><ReferenceSegment>" + id("s", i) +
              "</ReferenceSegment><EndNode>" + id("g", static_cast<std::size_t>(back ? segment.start : segment.end)) +
              "</EndNode><StartNode>" + id("g", static_cast<std::size_t>(back ? segment.end : segment.start)) +
              "</StartNode>" + control + "</GeometrySegment>\n";
    if (segment.fixing <= 0) continue;
    // every other one told from the far end
    const bool far = i % 2 == 1;
    parts += "<Component id=\"" + id("o", i) + "\"><Identification>F" + std::to_string(i) +
             "</Identification><Role xsi:type=\"vec:PlaceableElementRole\" id=\"" + id("pr", i) +
             "\"/><Role xsi:type=\"vec:FixingRole\" id=\"" + id("fr", i) + "\"/></Component>\n";
    placements += "<Placement xsi:type=\"vec:OnPointPlacement\" id=\"" + id("pl", i) +
                  "\"><Identification>x"
                  "</Identification><PlacedElement>" +
                  id("pr", i) + "</PlacedElement><Location xsi:type=\"vec:SegmentLocation\" id=\"" + id("lo", i) +
                  "\"><Offset id=\"" + id("of", i) + "\"><UnitComponent>mm</UnitComponent><ValueComponent>" +
                  digits(segment.length * (far ? 1 - segment.fixing : segment.fixing)) +
                  "</ValueComponent></Offset><Anchor>" + (far ? "FromEndNode" : "FromStartNode") +
                  "</Anchor><ReferencedSegment>" + id("s", i) + "</ReferencedSegment></Location></Placement>\n";
  }
  const auto specification = [](const char* type, const std::string& inner) {
    return std::string("<Specification xsi:type=\"vec:") + type + "\" id=\"spec_" + type + "\">\n" + inner +
           "</Specification>\n";
  };
  points += "<CartesianPoint id=\"origin\"><X>7</X><Y>8</Y><Z>9</Z></CartesianPoint>\n";
  return "<?xml version=\"1.0\"?>\n<vec:VecContent xmlns:vec=\"http://www.prostep.org/ecad-if/2011/vec\" "
         "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" id=\"v\">\n<VecVersion>1.2.2</VecVersion>\n"
         "<DocumentVersion id=\"doc\">\n" +
         specification("TopologySpecification", nodes + topology) + specification("CompositionSpecification", parts) +
         specification("BuildingBlockSpecification3D", points + "<BaseUnit>mm</BaseUnit>\n" + geometry + curves) +
         specification(
             "HarnessGeometrySpecification3D",
             "<BuildingBlockPositionings id=\"bp\"><Referenced3DBuildingBlock>"
             "spec_BuildingBlockSpecification3D</Referenced3DBuildingBlock><Positioning id=\"tr\"><A11>0</A11>"
             "<A12>1</A12><A13>0</A13><A21>-1</A21><A22>0</A22><A23>0</A23><A31>0</A31><A32>0</A32><A33>1"
             "</A33><Origin>origin</Origin></Positioning></BuildingBlockPositionings>\n") +
         specification("PlacementSpecification", placements) +
         "</DocumentVersion>\n<Unit xsi:type=\"vec:SIUnit\" id=\"mm\"><SiUnitName>Metre</SiUnitName><SiPrefix>Milli"
         "</SiPrefix></Unit>\n</vec:VecContent>\n";
}

}  // namespace filum::test
