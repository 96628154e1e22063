#include "io/scene/scene_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace filum::io {
namespace {

constexpr bool kNotYet = false;

constexpr KeySpec kScene[] = {{"filum"},      {"title"},     {"gravity"},     {"materials"}, {"sections"},
                              {"rods"},       {"bodies"},    {"holds"},       {"junctions"}, {"forces"},
                              {"torques"},    {"record"},    {"distributed"}, {"drivers"},   {"routing"},
                              {"simulation"}, {"obstacles"}, {"reeving"},     {"scenery"}};
constexpr KeySpec kMaterial[] = {{"young"}, {"poisson"}, {"density"}};
constexpr KeySpec kCircle[] = {{"shape"}, {"radius"}};
constexpr KeySpec kTube[] = {{"shape"}, {"outer_radius"}, {"inner_radius"}, {"fill_density"}};
constexpr KeySpec kRectangle[] = {{"shape"}, {"width"}, {"height"}};
constexpr KeySpec kEllipse[] = {{"shape"}, {"radii"}};
constexpr KeySpec kGiven[] = {{"shape"}, {"EA"}, {"EI"}, {"GJ"}, {"mass_per_length"}, {"radius"}};
constexpr KeySpec kRod[] = {{"material"}, {"section"},    {"length"},   {"segments"}, {"shape"},
                            {"rest"},     {"normal"},     {"limits"},   {"closed"},   {"twist"},
                            {"stations"}, {"extensible"}, {"velocity"}, {"spin"},     {"damping"}};
constexpr KeySpec kDamping[] = {{"rayleigh"}, {"bend"}, {"twist"}, {"stretch"}, {"air"}};
constexpr KeySpec kCurve[] = {{"line"}, {"points"}, {"spline"}, {"arc"}, {"helix"}, {"file"}};
constexpr KeySpec kArc[] = {{"centre"}, {"axis"}, {"start"}, {"angle"}};
constexpr KeySpec kHelix[] = {{"centre"}, {"axis"}, {"start"}, {"turns"}, {"angle"}, {"pitch"}};
constexpr KeySpec kRest[] = {{"curvature"}, {"twist_rate"}, {"line"},  {"points"},
                             {"spline"},    {"arc"},        {"helix"}, {"file"}};
constexpr KeySpec kLimits[] = {
    {"min_bend_radius"}, {"max_tension"}, {"max_hold_force"}, {"max_transverse_force"}, {"breaking_tension"}};
constexpr KeySpec kStation[] = {{"s"}, {"section"}, {"material"}};
constexpr KeySpec kBody[] = {{"box"},      {"mass"}, {"inertia"}, {"position"},     {"orientation"},
                             {"velocity"}, {"spin"}, {"motion"},  {"mesh", kNotYet}};
constexpr KeySpec kScenery[] = {{"mesh"}, {"position"}, {"orientation"}, {"scale"}, {"body"}};
constexpr KeySpec kHold[] = {{"name"}, {"rod"},      {"at"},          {"fix"},          {"slide"},
                             {"body"}, {"position"}, {"orientation"}, {"clip", kNotYet}};
constexpr KeySpec kFix[] = {{"position"}, {"orientation"}};
constexpr KeySpec kOrientation[] = {{"tangent"}, {"normal"}};
constexpr KeySpec kJunction[] = {{"name"}, {"rods"}};
constexpr KeySpec kRodPoint[] = {{"rod"}, {"at"}};
constexpr KeySpec kForce[] = {{"rod"}, {"at"}, {"body"}, {"force"}, {"follow"}};
constexpr KeySpec kTorque[] = {{"rod"}, {"at"}, {"body"}, {"torque"}, {"follow"}};
constexpr KeySpec kDistributed[] = {{"rod"}, {"from"}, {"to"}, {"force_per_length"}};
constexpr KeySpec kDriver[] = {{"body"}, {"hold"}, {"force"}, {"torque"}, {"rod"}, {"winch"}, {"rope"}, {"path"}};
constexpr KeySpec kKeyframe[] = {{"t"},     {"position"}, {"orientation"}, {"turns"},
                                 {"scale"}, {"length"},   {"speed"},       {"fix"}};
constexpr KeySpec kRouting[] = {{"rod"}, {"mode"}, {"pull"}, {"from"}, {"to"}, {"longest"}};
constexpr KeySpec kWinch[] = {{"winch"},       {"rod"},   {"at"},        {"body"},     {"point"},
                              {"drum_radius"}, {"speed"}, {"max_force"}, {"shortest"}, {"longest"}};
constexpr KeySpec kSheave[] = {{"sheave"}, {"rod"},    {"at"},       {"body"},   {"point"},
                               {"axis"},   {"radius"}, {"friction"}, {"inertia"}};
constexpr KeySpec kRope[] = {{"rope"}, {"stiffness"}, {"length"}, {"through"}, {"breaking_tension"}};
constexpr KeySpec kRopePoint[] = {{"body"}, {"sheave"}, {"point"}, {"radius"}, {"axis"}, {"friction"}};
constexpr KeySpec kObstacle[] = {{"name"}, {"plane"}, {"friction"}, {"mesh", kNotYet}};
constexpr KeySpec kPlane[] = {{"point"}, {"normal"}};
constexpr KeySpec kSimulation[] = {{"formulation"}, {"mode"},      {"stepper"},    {"integrator"}, {"rotary_inertia"},
                                   {"step"},        {"tolerance"}, {"iterations"}, {"end"},        {"start"},
                                   {"chain"}};
constexpr KeySpec kChain[] = {{"sweeps"}, {"damping"}, {"detail"}};
constexpr KeySpec kIntegrator[] = {{"name"}, {"spectral_radius"}};
constexpr KeySpec kStart[] = {{"result"}, {"t", kNotYet}};
constexpr KeySpec kRecord[] = {{"every"}, {"probes"}};
constexpr KeySpec kProbe[] = {{"name"}, {"rod"}, {"at"}};

// Letters inserted, left out, replaced, or swapped with their neighbour (Damerau and Levenshtein's distance, each
// letter touched once).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

namespace keys {
const MapSpec scene{"scene", "scene", kScene};
const MapSpec material{"material", "material", kMaterial};
const MapSpec circle{"circle", "circle section", kCircle};
const MapSpec tube{"tube", "tube section", kTube};
const MapSpec rectangle{"rectangle", "rectangle section", kRectangle};
const MapSpec ellipse{"ellipse", "ellipse section", kEllipse};
const MapSpec given{"given", "given section", kGiven};
const MapSpec rod{"rod", "rod", kRod};
const MapSpec curve{"curve", "shape", kCurve};
const MapSpec arc{"arc", "arc", kArc};
const MapSpec helix{"helix", "helix", kHelix};
const MapSpec rest{"rest", "rest shape", kRest};
const MapSpec damping{"damping", "damping", kDamping};
const MapSpec limits{"limits", "limits", kLimits};
const MapSpec station{"station", "station", kStation};
const MapSpec body{"body", "body", kBody};
const MapSpec scenery{"scenery", "scenery", kScenery};
const MapSpec hold{"hold", "hold", kHold};
const MapSpec fix{"fix", "fix", kFix};
const MapSpec orientation{"orientation", "orientation", kOrientation};
const MapSpec junction{"junction", "junction", kJunction};
const MapSpec rod_point{"rod_point", "place on a rod", kRodPoint};
const MapSpec force{"force", "force", kForce};
const MapSpec torque{"torque", "torque", kTorque};
const MapSpec distributed{"distributed", "distributed force", kDistributed};
const MapSpec driver{"driver", "driver", kDriver};
const MapSpec keyframe{"keyframe", "keyframe", kKeyframe};
const MapSpec routing{"routing", "routing", kRouting};
const MapSpec winch{"winch", "winch", kWinch};
const MapSpec sheave{"sheave", "sheave", kSheave};
const MapSpec rope{"rope", "rope", kRope};
const MapSpec rope_point{"rope_point", "point of a rope", kRopePoint};
const MapSpec obstacle{"obstacle", "obstacle", kObstacle};
const MapSpec plane{"plane", "plane", kPlane};
const MapSpec simulation{"simulation", "simulation", kSimulation};
const MapSpec chain{"chain", "chain", kChain};
const MapSpec integrator{"integrator", "integrator", kIntegrator};
const MapSpec start{"start", "start", kStart};
const MapSpec record{"record", "record", kRecord};
const MapSpec probe{"probe", "probe", kProbe};
}  // namespace keys

std::span<const MapSpec* const> all_map_specs() {
  static constexpr std::array all{
      &keys::scene,       &keys::material,    &keys::circle,   &keys::tube,      &keys::rectangle,  &keys::ellipse,
      &keys::given,       &keys::rod,         &keys::curve,    &keys::arc,       &keys::helix,      &keys::rest,
      &keys::limits,      &keys::damping,     &keys::station,  &keys::body,      &keys::scenery,    &keys::hold,
      &keys::fix,         &keys::orientation, &keys::junction, &keys::rod_point, &keys::force,      &keys::torque,
      &keys::distributed, &keys::driver,      &keys::keyframe, &keys::routing,   &keys::winch,      &keys::sheave,
      &keys::rope,        &keys::rope_point,  &keys::obstacle, &keys::plane,     &keys::simulation, &keys::chain,
      &keys::integrator,  &keys::start,       &keys::record,   &keys::probe};
  return all;
}

const KeySpec* MapSpec::find(std::string_view key) const {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const KeySpec& spec) { return spec.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

std::string MapSpec::hint(std::string_view key) const {
  // a typing mistake changes a few letters of a word
  constexpr std::size_t kLongestKey = 40;
  if (key.size() <= kLongestKey) {
    const KeySpec* nearest = nullptr;
    std::size_t least = 1 + (key.size() <= 3 ? 1 : std::max<std::size_t>(2, key.size() / 3));
    for (const KeySpec& spec : keys) {
      const std::size_t distance = edit_distance(key, spec.name);
      if (distance < least) {
        least = distance;
        nearest = &spec;
      }
    }
    if (nearest) return fmt::format("; did you mean '{}'?", nearest->name);
  }
  std::vector<std::string_view> names;
  for (const KeySpec& spec : keys)
    if (spec.supported) names.push_back(spec.name);
  return fmt::format("; known are {}", fmt::join(names, ", "));
}

}  // namespace filum::io
