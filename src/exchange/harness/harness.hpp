// A wiring harness as harness data have it (KBL, VEC), in SI units, whichever of them it came from.
#pragma once

#include <filum/curve.hpp>
#include <filum/result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace filum::exchange {

struct HarnessNode {
  std::string id;
  Vec3 position = Vec3::Zero();
  std::vector<std::string> components;  // what is fitted there: connectors, terminals
};

// Part of a segment's centre line.
struct HarnessCurve {
  int degree = 1;
  std::vector<Vec3> points;
  std::vector<double> weights;  // empty: all one
  std::vector<double> knots;    // empty: the file does not say them, nor whether the curve is clamped
};

// A clip or the like.
struct HarnessFixing {
  std::string id;
  std::string type;
  ArcPosition at;      // along its segment
  bool placed = true;  // the file says where
};

// Tape, tube or the like round a part of a segment.
struct HarnessCover {
  std::string id;
  std::string type;
  ArcPosition from;
  ArcPosition to{1, 0};
  std::optional<double> thickness;
};

struct HarnessSegment {
  std::string id;
  int start = -1;  // nodes
  int end = -1;
  std::optional<Vec3> start_tangent;  // both in the direction from start to end
  std::optional<Vec3> end_tangent;
  std::optional<double> physical_length;  // as it is made: the binding one
  std::optional<double> virtual_length;   // as it is drawn
  // A length of zero was never filled in.
  void forget_zero_lengths() {
    if (physical_length == 0.0) physical_length.reset();
    if (virtual_length == 0.0) virtual_length.reset();
  }
  std::vector<HarnessCurve> curves;     // in order
  std::optional<double> area;           // of its cross-section
  std::optional<double> static_radius;  // smallest allowed bend radius
  std::optional<double> dynamic_radius;
  std::vector<HarnessFixing> fixings;
  std::vector<HarnessCover> covers;
  int line = 0;
};

struct HarnessWire {
  std::string id;
  std::optional<double> diameter;
  std::optional<double> mass;       // per length
  std::optional<double> conductor;  // area
  std::optional<double> bend_radius;
  std::vector<int> route;  // segments, from end to end
  int instead_of = -1;     // the wire of which this is another way, taken in another variant
};

struct Harness {
  std::string format;  // «KBL», «VEC 1.2.2»
  std::vector<HarnessNode> nodes;
  std::vector<HarnessSegment> segments;
  std::vector<HarnessWire> wires;
};

// A file of KBL 2.2 to 2.5 or VEC 1.1 to 2.1, or a ZIP package that holds one. Every error names file and line.
Result<Harness> read_harness(const std::string& path);
// The same from memory.
Result<Harness> parse_harness(std::string_view bytes, const std::string& file);

}  // namespace filum::exchange
