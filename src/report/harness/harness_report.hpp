// What a harness engineer reads of a result: segments, clips, wires, gaps between cables.
//
// A segment is a rod between neighbouring holds or junctions. Its figures are the worst of all states that were added,
// its lengths those of the last. Lengths are of the unstretched bundle.
#pragma once

#include <filum/outcome.hpp>
#include <filum/reference.hpp>
#include <filum/scene.hpp>

#include <optional>
#include <string>
#include <vector>

namespace filum::io {

// How long a bundle is made that was found to be so long: found × (1 + extra) + allowance, rounded up.
struct LengthRule {
  double extra = 0;      // share
  double allowance = 0;  // m
  double step = 0;       // m; 0: not rounded
  [[nodiscard]] double adapted(double found) const;
};

struct SegmentRow {
  std::string rod;
  RodPlace from;
  RodPlace to;
  double diameter = 0;          // m, at its middle
  std::string source;           // of the diameter: «bundle of 12 wires»
  double drawn = 0;             // along the shape that the scene gives, m
  double found = 0;             // m
  double adapted = 0;           // m
  double radius = 0;            // the smallest of the centre line, m; infinite: straight
  double radius_s = 0;          // m along its rod
  std::optional<double> limit;  // of that radius, m
  double use = 0;               // limit/radius; 0 without one
  double tension = 0;           // the largest, N
  double turns = 0;             // of twist, in the last state
  double t = 0;                 // when the radius was smallest
};

struct ClipRow {
  std::string hold;
  std::string rod;
  double s = 0;       // m
  double along = 0;   // force on the clip along the rod, either way, N
  double across = 0;  // square to it, N
  double moment = 0;  // N·m
  double t = 0;       // when its force was largest
  double use = 0;     // of max_pull or max_shear, the greater; 0 without them
};

struct WireRow {
  std::string wire;
  std::string along;  // rods, «trunk, left»
  double found = 0;   // m
  double cut = 0;     // adapted, m
};

// How near another cable comes to a rod, or the rod to itself, between their surfaces.
struct GapRow {
  std::string rod;
  double s = 0;  // m along it
  std::string other;
  double other_s = 0;           // m along that
  double gap = 0;               // m; negative: they overlap
  std::optional<double> limit;  // min_clearance, m
  double use = 0;               // limit/gap, infinite where they touch; 0 without a limit
  double t = 0;                 // when it was smallest
};

struct BundleRow {
  std::string section;
  BundleFacts facts;
};

// Each list with the greatest use first.
struct HarnessReport {
  std::vector<SegmentRow> segments;
  std::vector<ClipRow> clips;
  std::vector<WireRow> wires;
  std::vector<GapRow> gaps;  // without limits the smallest first; of one rod alone there may be none
  std::vector<BundleRow> bundles;
};

class HarnessReporter {
 public:
  HarnessReporter(const Scene& scene, const LengthRule& rule);

  // A state of the scene; `driven`: on a path of drivers.
  void add(const Snapshot& state, bool driven = false);
  [[nodiscard]] HarnessReport report() const;

 private:
  void add_segments(const Snapshot& state, bool driven);
  void add_clips(const Snapshot& state);
  void add_gaps(const Snapshot& state);

  const Scene& scene_;
  Scene cables_;  // the same with nothing but cables to be near to
  LengthRule rule_;
  HarnessReport report_;
  std::vector<double> lengths_;  // of the rods in the last state
};

// Has it wires, or rods that are bundles?
bool is_harness(const Scene& scene);

// segments.csv, clips.csv, wires.csv and gaps.csv as text.
std::string segments_csv(const HarnessReport& report);
std::string clips_csv(const HarnessReport& report);
std::string wires_csv(const HarnessReport& report);
std::string gaps_csv(const HarnessReport& report);

}  // namespace filum::io
