#include "exchange/harness/bundle_sections.hpp"

#include "exchange/harness/harness_document.hpp"
#include "io/yaml/yaml_scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::exchange {
namespace {

// Taped bundles are a few times stiffer than loose wires, far from one solid bar: about a seventh of the way between
// the logarithms.
constexpr double kUsualBond = 0.15;
constexpr const char* kUsualWire = "FLRY-B 0.5";
constexpr double kUsualDiameter = 10e-3;
constexpr double kApart = 0.2;  // share by which diameters may differ before it is told

double diameter_of_area(double area) {
  return std::sqrt(4 * area / std::numbers::pi);
}

// The common wire whose conductor is nearest.
std::string nearest_wire(double conductor) {
  std::string best = kUsualWire;
  double least = 1e300;
  for (const std::string& name : common_wire_names()) {
    const double apart = std::abs(std::log(find_wire(name)->conductor / conductor));
    if (apart < least) {
      least = apart;
      best = name;
    }
  }
  return best;
}

// So many usual wires as make this diameter.
BundleWire usual_wires(double diameter) {
  BundleWire wire;
  wire.wire = kUsualWire;
  const double share = diameter / (1.2 * find_wire(kUsualWire)->diameter);
  wire.count = std::max(1, static_cast<int>(std::lround(share * share)));
  return wire;
}

}  // namespace

double usual_thickness(const HarnessCover& cover) {
  const std::string type = plain_words(cover.type);
  for (const char* word : {"tube", "rohr", "schlauch", "conduit", "hose"})
    if (type.find(word) != std::string::npos) return 1e-3;
  return 0.3e-3;
}

BundleSections::Content BundleSections::content(const HarnessSegment& segment, const std::vector<int>& wires,
                                                std::vector<std::string>& notes) const {
  Content made;
  const auto assume = [&](const std::string& what) {
    if (made.assumed.find(what) == std::string::npos) made.assumed += (made.assumed.empty() ? "" : ", ") + what;
  };
  for (const int index : wires) {
    const HarnessWire& wire = harness_.wires[static_cast<std::size_t>(index)];
    BundleWire kind;
    kind.diameter = wire.diameter;
    kind.conductor = wire.conductor;
    kind.mass = wire.mass;
    if (!wire.diameter || (!wire.mass && !wire.conductor)) {
      kind.wire = wire.conductor ? nearest_wire(*wire.conductor) : kUsualWire;
      assume("what its wires lack is that of " + kind.wire);
    }
    kind.count = 0;
    const auto same = std::find_if(made.wires.begin(), made.wires.end(), [&](BundleWire& other) {
      kind.count = other.count;
      return other == kind;
    });
    if (same != made.wires.end())
      ++same->count;
    else
      kind.count = 1, made.wires.push_back(kind);
  }
  // both diameters, where both are known
  if (!made.wires.empty()) {
    const double by_wires = bundle_diameter(made.wires);
    if (segment.area && std::abs(diameter_of_area(*segment.area) / by_wires - 1) > kApart)
      notes.push_back(fmt::format("segment {}: its wires make {:.3g} mm, its area {:.3g} mm; the wires are taken",
                                  io::shown(segment.id), 1e3 * by_wires, 1e3 * diameter_of_area(*segment.area)));
    return made;
  }
  made.wires = {usual_wires(segment.area ? diameter_of_area(*segment.area) : kUsualDiameter)};
  assume(segment.area ? "so many wires as fill its area" : "10 mm thick");
  return made;
}

std::string BundleSections::name(const Content& content, double tape, const std::string& tape_assumed) {
  Section section;
  section.shape = SectionShape::Bundle;
  section.bundle = content.wires;
  section.tape = tape;
  section.bond = kUsualBond;
  for (const SectionEntry& entry : scene_.sections)
    if (entry.section == section) return entry.name;
  SectionEntry& entry = scene_.sections.emplace_back();
  entry.name = fmt::format("bundle {}", scene_.sections.size());
  entry.section = section;
  const std::size_t index = scene_.sections.size() - 1;
  assumptions_.add("sections", index, fmt::format("bond {}", kUsualBond));
  if (!content.assumed.empty()) assumptions_.add("sections", index, content.assumed);
  if (!tape_assumed.empty()) assumptions_.add("sections", index, tape_assumed);
  return entry.name;
}

}  // namespace filum::exchange
