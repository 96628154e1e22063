#include "exchange/harness/harness_scene.hpp"

#include "exchange/harness/assumptions.hpp"
#include "exchange/harness/branches.hpp"
#include "exchange/harness/bundle_sections.hpp"
#include "exchange/harness/harness_document.hpp"
#include "io/yaml/yaml_scalar.hpp"
#include "math/dense.hpp"
#include "scene/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace filum::exchange {
namespace {

constexpr std::array kKindWords{
    std::pair{std::string_view("clamp"), FixingKind::Clamp}, std::pair{std::string_view("pin"), FixingKind::Pin},
    std::pair{std::string_view("guide"), FixingKind::Guide}, std::pair{std::string_view("free"), FixingKind::Free}};

// What a word in a fixing's type usually means.
constexpr std::array kUsualKinds{
    std::pair{std::string_view("guide"), FixingKind::Guide},   std::pair{std::string_view("duct"), FixingKind::Guide},
    std::pair{std::string_view("channel"), FixingKind::Guide}, std::pair{std::string_view("kanal"), FixingKind::Guide},
    std::pair{std::string_view("grommet"), FixingKind::Pin},   std::pair{std::string_view("clip"), FixingKind::Clamp},
    std::pair{std::string_view("tie"), FixingKind::Clamp},     std::pair{std::string_view("band"), FixingKind::Clamp}};

// A branch on its way to be a rod: where its segments begin along it.
struct Laid {
  std::vector<Vec3> points;
  std::vector<double> begins;  // of each step, m
  std::vector<double> lengths;
  double length = 0;
  Vec3 start_tangent = Vec3::UnitX();
  Vec3 end_tangent = Vec3::UnitX();
};

class SceneMaker {
 public:
  SceneMaker(const Harness& harness, const ImportOptions& options)
      : harness_(harness),
        options_(options),
        wires_(wires_by_segment(harness)),
        sections_(harness, scene_, assumptions_) {}

  Import make(const std::string& title) {
    scene_.title = title;
    scene_.simulation.formulation = "cosserat";
    for (const HarnessNode& node : harness_.nodes) fitted_ = fitted_ || !node.components.empty();
    const std::vector<Branch> all = branches(harness_, wires_);
    for (const Branch& branch : all) add_rod(branch);
    add_junctions(all);
    add_end_holds(all);
    add_wires(all);
    if (clamped_ + unclamped_ > 0)
      notes_.push_back(
          fmt::format("the file does not say how its curves are to be read: {} segments were read as "
                      "clamped, {} as unclamped",
                      clamped_, unclamped_));
    const std::string head =
        fmt::format("# From {} by filum import. What the file does not say is marked `# assumed`.\n", harness_.format);
    return {scene_, assumptions_.text(scene_, head), std::move(notes_)};
  }

 private:
  const HarnessSegment& segment(const BranchStep& step) const {
    return harness_.segments[static_cast<std::size_t>(step.segment)];
  }

  // A name that nobody has yet.
  std::string unique(std::string name, std::set<std::string>& taken, const char* otherwise) const {
    if (name.empty()) name = otherwise;
    if (name.size() > 120) name.resize(120);
    std::string made = name;
    for (int k = 2; !taken.insert(made).second; ++k) made = fmt::format("{} ({})", name, k);
    return made;
  }

  Laid lay(const Branch& branch, double spacing) {
    Laid laid;
    for (std::size_t i = 0; i < branch.steps.size(); ++i) {
      const BranchStep& step = branch.steps[i];
      CentreLine line = centre_line(harness_, segment(step), options_.reading, spacing, notes_);
      if (line.undecided) ++(line.clamped ? clamped_ : unclamped_);
      if (step.reversed) {
        std::reverse(line.points.begin(), line.points.end());
        std::swap(line.start_tangent, line.end_tangent);
        line.start_tangent = -line.start_tangent;
        line.end_tangent = -line.end_tangent;
      }
      if (i == 0) laid.start_tangent = line.start_tangent;
      laid.end_tangent = line.end_tangent;
      laid.begins.push_back(laid.length);
      laid.lengths.push_back(line.length);
      laid.length += line.length;
      laid.points.insert(laid.points.end(), line.points.begin() + (i == 0 ? 0 : 1), line.points.end());
    }
    return laid;
  }

  void add_rod(const Branch& branch) {
    const HarnessSegment& first = segment(branch.steps.front());
    const auto content =
        sections_.content(first, wires_[static_cast<std::size_t>(branch.steps.front().segment)], notes_);
    const double diameter = bundle_diameter(content.wires);
    const Laid laid = lay(branch, 3 * diameter);
    Rod rod;
    std::string name;
    for (const BranchStep& step : branch.steps) name += (name.empty() ? "" : "+") + segment(step).id;
    rod.name = unique(name, rod_names_, "segment");
    rod.length = laid.length;
    rod.segments = std::clamp(static_cast<int>(std::ceil(laid.length / diameter)), 10, 100);
    // what has no curve is straight, and a smooth line would swing out at its corners
    const bool drawn = std::none_of(branch.steps.begin(), branch.steps.end(),
                                    [&](const BranchStep& step) { return segment(step).curves.empty(); });
    rod.shape.kind = laid.points.size() == 2 ? CurveKind::Line : drawn ? CurveKind::Spline : CurveKind::Points;
    rod.shape.points = laid.points;
    if (options_.rest_as_shaped) rod.rest.kind = RestKind::AsShaped;
    add_sections(rod, branch, laid, content);
    add_limits(rod, branch);
    scene_.rods.push_back(rod);
    laid_.push_back(laid);
    if (!options_.rest_as_shaped) assumptions_.add("rods", scene_.rods.size() - 1, "straight at rest");
    if (!first.physical_length && !first.virtual_length)
      assumptions_.add("rods", scene_.rods.size() - 1, "as long as its curve");
    for (std::size_t i = 0; i < branch.steps.size(); ++i)
      for (const HarnessFixing& fixing : segment(branch.steps[i]).fixings)
        add_fixing(scene_.rods.back(), fixing, branch.steps[i], laid, i);
  }

  // A place of a step, along the rod.
  static double along(const ArcPosition& at, const BranchStep& step, const Laid& laid, std::size_t i) {
    const double s = std::clamp(at.at(laid.lengths[i]), 0.0, laid.lengths[i]);
    return laid.begins[i] + (step.reversed ? laid.lengths[i] - s : s);
  }

  // What is wrapped round adds up; where it changes the rod has a station.
  void add_sections(Rod& rod, const Branch& branch, const Laid& laid, const BundleSections::Content& content) {
    struct Wrap {
      double from, to, thickness;
      bool assumed;
    };
    std::vector<Wrap> wraps;
    std::vector<double> places{0};
    for (std::size_t i = 0; i < branch.steps.size(); ++i)
      for (const HarnessCover& cover : segment(branch.steps[i]).covers) {
        double from = along(cover.from, branch.steps[i], laid, i);
        double to = along(cover.to, branch.steps[i], laid, i);
        if (from > to) std::swap(from, to);
        wraps.push_back({from, to, cover.thickness.value_or(usual_thickness(cover)), !cover.thickness});
        places.insert(places.end(), {from, to});
      }
    std::sort(places.begin(), places.end());
    std::string before;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double next = k + 1 < places.size() ? places[k + 1] : laid.length;
      if (next - places[k] < 1e-6 * laid.length) continue;
      double tape = 0;
      bool assumed = false;
      for (const Wrap& wrap : wraps)
        if (wrap.from <= places[k] && wrap.to >= next) {
          tape += wrap.thickness;
          assumed = assumed || wrap.assumed;
        }
      const std::string name = sections_.name(content, tape, assumed ? "thickness of what is wrapped round" : "");
      if (rod.section.empty())
        rod.section = name;
      else if (name != before)
        rod.stations.push_back({{0, places[k]}, name, {}});
      before = name;
    }
  }

  // The largest of what the file asks for, along the segments and for the wires.
  void add_limits(Rod& rod, const Branch& branch) const {
    double at_rest = 0;
    double moving = 0;
    for (const BranchStep& step : branch.steps) {
      at_rest = std::max(at_rest, segment(step).static_radius.value_or(0));
      moving = std::max(moving, segment(step).dynamic_radius.value_or(0));
      for (const int wire : wires_[static_cast<std::size_t>(step.segment)])
        at_rest = std::max(at_rest, harness_.wires[static_cast<std::size_t>(wire)].bend_radius.value_or(0));
    }
    if (at_rest <= 0 && moving <= 0) return;
    BendLimit limit;
    limit.at_rest.value = at_rest > 0 ? at_rest : moving;
    if (moving > 0 && moving != limit.at_rest.value) limit.moving = RadiusLimit{moving, false};
    rod.limits.min_bend_radius = limit;
  }

  struct Chosen {
    FixingKind kind = FixingKind::Pin;
    bool assumed = true;
  };
  [[nodiscard]] Chosen kind_of(const HarnessFixing& fixing) const {
    const auto given = options_.fixings.find(fixing.type);
    if (given != options_.fixings.end()) return {given->second, false};
    const std::string type = plain_words(fixing.type);
    for (const auto& [word, kind] : kUsualKinds)
      if (type.find(word) != std::string::npos) return {kind, true};
    return {FixingKind::Pin, true};
  }

  void add_fixing(const Rod& rod, const HarnessFixing& fixing, const BranchStep& step, const Laid& laid,
                  std::size_t i) {
    const Chosen chosen = kind_of(fixing);
    if (chosen.kind == FixingKind::Free) return;
    const double told = fixing.at.at(laid.lengths[i]);
    if (told < -1e-3 * laid.lengths[i] || told > (1 + 1e-3) * laid.lengths[i])
      notes_.push_back(fmt::format("fixing {} is at {:.4g} mm of segment {}, which is {:.4g} mm long; its end is taken",
                                   io::shown(fixing.id), 1e3 * told, io::shown(segment(step).id),
                                   1e3 * laid.lengths[i]));
    Hold hold;
    hold.name = unique(fixing.id, hold_names_, "fixing");
    hold.rod = rod.name;
    hold.at = {0, along(fixing.at, step, laid, i)};
    hold.fix.position = kAllAxes;
    if (chosen.kind != FixingKind::Pin) hold.fix.orientation = kAllAxes;
    hold.slide = chosen.kind == FixingKind::Guide;
    // one that sits on an end, or where another sits, would hold the same thing twice
    const double reach = 1e-6 * laid.length;
    const bool at_end = hold.at.offset < reach || hold.at.offset > laid.length - reach;
    const bool taken = std::any_of(scene_.holds.begin(), scene_.holds.end(), [&](const Hold& other) {
      return other.rod == hold.rod && std::abs(other.at.offset - hold.at.offset) < reach;
    });
    if (at_end || taken) {
      notes_.push_back(fmt::format("fixing {} sits {} and is left out", io::shown(fixing.id),
                                   at_end ? "on an end of its bundle" : "where another one sits"));
      return;
    }
    scene_.holds.push_back(hold);
    if (chosen.assumed) assumptions_.add("holds", scene_.holds.size() - 1, "how it holds");
    if (!fixing.placed) assumptions_.add("holds", scene_.holds.size() - 1, "in the middle of its segment");
  }

  void add_junctions(const std::vector<Branch>& all) {
    std::vector<std::vector<RodPoint>> at_node(harness_.nodes.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      at_node[static_cast<std::size_t>(all[i].start)].push_back({scene_.rods[i].name, {0, 0}});
      at_node[static_cast<std::size_t>(all[i].end)].push_back({scene_.rods[i].name, {1, 0}});
    }
    std::set<std::string> taken;
    for (std::size_t n = 0; n < at_node.size(); ++n)
      if (at_node[n].size() > 1)
        scene_.junctions.push_back({unique(harness_.nodes[n].id, taken, "junction"), at_node[n]});
  }

  // An end node that something is fitted to is held, in the direction that the file gives.
  void add_end_holds(const std::vector<Branch>& all) {
    std::vector<int> count(harness_.nodes.size(), 0);
    for (const Branch& branch : all) {
      ++count[static_cast<std::size_t>(branch.start)];
      ++count[static_cast<std::size_t>(branch.end)];
    }
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const bool end : {false, true}) {
        const int index = end ? all[i].end : all[i].start;
        const HarnessNode& node = harness_.nodes[static_cast<std::size_t>(index)];
        if (count[static_cast<std::size_t>(index)] != 1 || (fitted_ && node.components.empty())) continue;
        Hold hold;
        hold.name = unique(node.id, hold_names_, "node");
        hold.rod = scene_.rods[i].name;
        hold.at = {end ? 1.0 : 0.0, 0};
        hold.fix.position = hold.fix.orientation = kAllAxes;
        const Vec3& tangent = end ? laid_[i].end_tangent : laid_[i].start_tangent;
        const Mat3 frame = scene::RodLayout(scene_.rods[i]).at(end ? laid_[i].length : 0).frame;
        if (frame.col(2).cross(tangent).norm() > 1e-6 || frame.col(2).dot(tangent) < 0)
          hold.orientation = (math::smallest_turn(frame.col(2), tangent) * Quat(frame)).normalized();
        scene_.holds.push_back(hold);
        if (!fitted_) assumptions_.add("holds", scene_.holds.size() - 1, "held, though nothing is fitted in the file");
      }
  }

  void add_wires(const std::vector<Branch>& all) {
    std::vector<int> rod_of(harness_.segments.size(), -1);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const BranchStep& step : all[i].steps) rod_of[static_cast<std::size_t>(step.segment)] = static_cast<int>(i);
    std::set<std::string> taken;
    for (const HarnessWire& wire : harness_.wires) {
      Wire made;
      int before = -1;
      int last = -1;
      for (const int segment : wire.route) {
        const int rod = rod_of[static_cast<std::size_t>(segment)];
        // listed twice in a row it turns back, and runs along the rod again
        if (rod != before || segment == last) made.along.push_back({scene_.rods[static_cast<std::size_t>(rod)].name});
        before = rod;
        last = segment;
      }
      if (made.along.empty()) continue;
      made.name = unique(wire.id, taken, "wire");
      scene_.wires.push_back(std::move(made));
    }
  }

  const Harness& harness_;
  const ImportOptions& options_;
  Scene scene_;
  Assumptions assumptions_;
  std::vector<std::string> notes_;
  std::vector<std::vector<int>> wires_;
  BundleSections sections_;
  std::vector<Laid> laid_;  // of each rod
  std::set<std::string> rod_names_;
  std::set<std::string> hold_names_;
  bool fitted_ = false;  // the file says of some node what is fitted there
  int clamped_ = 0;
  int unclamped_ = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

Result<std::map<std::string, FixingKind>> parse_fixing_kinds(std::string_view text, const std::string& file) {
  std::map<std::string, FixingKind> kinds;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, std::min(end, text.find('#'))));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const std::size_t equals = line.rfind('=');
    const std::string_view word = equals == std::string_view::npos ? "" : trimmed(line.substr(equals + 1));
    const auto known =
        std::find_if(kKindWords.begin(), kKindWords.end(), [&](const auto& pair) { return pair.first == word; });
    if (known == kKindWords.end())
      return Error{ErrorCode::BadInput, "expected a line «type = clamp», pin, guide or free, found " + io::shown(line),
                   file, number, 0};
    kinds[std::string(trimmed(line.substr(0, equals)))] = known->second;
  }
  return kinds;
}

Import import_harness(const Harness& harness, const ImportOptions& options, const std::string& title) {
  return SceneMaker(harness, options).make(title);
}

}  // namespace filum::exchange
