// A beam in a channel: the published lattice heuristic with its energies, and Filum's search beside it.
#include "published/wang_channel.hpp"
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include <filum/channel.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace filum::validation {
namespace channel_case {
namespace {

using std::numbers::pi;

// The quarter circle of radius 1; EI = L² so that forces are T*.
ChannelProblem quarter(double half_width, double load, int links) {
  ChannelProblem problem;
  problem.channel.centreline.kind = CurveKind::Arc;
  problem.channel.centreline.centre = Vec3(0, 1, 0);
  problem.channel.centreline.angle = pi / 2;
  problem.channel.left = problem.channel.right = {{0, half_width}};
  problem.beam.length = pi / 2;
  problem.beam.EI = pi * pi / 4;
  problem.loads = {{Vec2(-load, -load), {}}};
  problem.search.links = links;
  return problem;
}

void equilibrium_rows(Sheet& sheet, const std::string& name, const ChannelProblem& problem, double bound,
                      const std::string& reason) {
  const ChannelOutcome outcome = solve_channel(problem);
  if (!outcome.converged) return sheet.fail(name + ": " + outcome.why);
  const ChannelState& state = outcome.shapes.front();
  const double load = problem.loads.front().force.norm();
  sheet.at_most(name + ": U", state.dimensionless, bound, reason);
  sheet.at_most(name + ": nodes beyond the walls", state.breach, 1e-9, "held to round-off");
  sheet.at_most(name + ": unbalanced moment / |T*|", state.balance / load, 1e-6,
                "by statics, from wall forces and load");
}

Result<std::vector<Row>> run_bend(const Setting& setting) {
  Sheet sheet(setting);
  equilibrium_rows(sheet, "width 0.1, T* = 350", quarter(0.05, 350, 60), 96.87,
                   "the beam along the centreline, π²/8 + |T*| (4/π − 1)");
  equilibrium_rows(sheet, "width 0.1, T* = 500", quarter(0.05, 500, 60), 96.212 * 1.001,
                   "the heuristic's shape brought to equilibrium");
  equilibrium_rows(sheet, "width 0.02, T* = 2500", quarter(0.01, 2500, 45), 646.01 * 1.001,
                   "the heuristic's shape brought to equilibrium");
  // pushed: the tip is where it was pushed
  ChannelProblem pushed = quarter(0.05, 0, 60);
  pushed.loads = {{Vec2::Zero(), 0.05}};
  const ChannelOutcome outcome = solve_channel(pushed);
  if (!outcome.converged)
    sheet.fail("push: " + outcome.why);
  else
    sheet.absolute("tip pushed by 0.05: arc length", outcome.shapes.front().tip_along, pi / 2 - 0.05, 1e-4 * pi / 2,
                   "held as a constraint");
  return std::move(sheet).result();
}

struct Published {
  double load, published, right;
};
constexpr std::array<Published, 3> kTable{{{350, 67.201, 68.920}, {500, 93.760, 95.596}, {700, 119.76, 121.441}}};

Result<std::vector<Row>> run_heuristic(const Setting& setting) {
  Sheet sheet(setting);
  for (const Published& row : kTable) {
    published::WangChannel channel{.load = Vec2(-row.load, -row.load), .published_energy = true};
    sheet.absolute(fmt::format("U, T* = {}, links of L/(N + 2)", row.load), published::wang_search(channel).energy,
                   row.published, row.load > 600 ? 6e-3 : 1e-3, "printed digits");
    channel.published_energy = false;
    sheet.relative(fmt::format("U, T* = {}, links of L/N", row.load), published::wang_search(channel).energy, row.right,
                   1e-3, "recomputed");
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace channel_case

Case channel_bend() {
  return {.name = "channel-bend",
          .shows = "A beam pushed through a quarter bend comes to rest between the walls, as low as is known or lower",
          .source = "Wang 2016, sections 3.4 and 3.5, with its energies recomputed for links of L/N",
          .run = channel_case::run_bend};
}

Case channel_heuristic() {
  return {.name = "channel-heuristic",
          .shows = "The published lattice heuristic has its published energies",
          .source = "Wang 2016, fig. 3.17 and appendix C",
          .takes_long = true,
          .run = channel_case::run_heuristic};
}

}  // namespace filum::validation
