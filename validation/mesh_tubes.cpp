// Tubes found in triangle meshes against the random trees that the meshes were made from.
//
// The radius is that of the circle through the corners of a section. Seeds are not those that constants were chosen on.
#include "validation/cases.hpp"

#include "validation/scenes.hpp"
#include "validation/tube_score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace filum::validation {

namespace mesh_tubes_case {
namespace {

struct Kind {
  std::string name;
  TreeOptions options;
  double topology = 1;  // wanted: share of meshes
  double centre = 0.002;
  double radius = 0.001;
  double singly = 1;  // share of meshes that keep `bounds` by themselves
  TubeBounds bounds = {};
  double node = 0.02;  // radii
};

Kind kind(std::string name, void (*set)(TreeOptions&)) {
  Kind made;
  made.name = std::move(name);
  set(made.options);
  if (made.options.connectors) made.bounds.end = 2;
  return made;
}

Kind wanting(Kind made, double centre, double radius, double singly) {
  made.bounds.centre = made.centre = centre;
  made.bounds.radius = made.radius = radius;
  made.singly = singly;
  return made;
}

std::vector<Kind> kinds() {
  using O = TreeOptions;
  std::vector<Kind> all{
      kind("clean", [](O&) {}),
      kind("open ends", [](O& o) { o.caps = false; }),
      kind("tapers", [](O& o) { o.taper = true; }),
      kind("hexagons", [](O& o) { o.most_sides = 6; }),
      kind("bends of 20 to 35° a ring", [](O& o) { o.least_turn = 20, o.most_turn = 35; }),
      kind("bends of one diameter", [](O& o) { o.tight = true; }),
      kind("soups", [](O& o) { o.soup = true; }),
      kind("touching shells", [](O& o) { o.touch = true; }),
      kind("connectors", [](O& o) { o.connectors = true; }),
      kind("one triangle in a hundred missing", [](O& o) { o.holes = 0.01; }),
      wanting(kind("uneven", [](O& o) { o.uneven = 1; }), 0.02, 0.01, 0.95),
      wanting(kind("subdivided", [](O& o) { o.subdivide = 1; }), 0.02, 0.01, 0.95),
      wanting(kind("noise of 2 %", [](O& o) { o.noise = 0.02; }), 0.02, 0.01, 0.9),
      wanting(kind("all together",
                   [](O& o) { o.taper = o.soup = o.touch = o.connectors = true, o.uneven = 1, o.noise = 0.02; }),
              0.03, 0.01, 0.75),
      wanting(kind("welded and meshed anew", [](O& o) { o.welded = true; }), 0.01, 0.005, 0.98),
  };
  all.back().topology = 0.98;
  all.back().node = 0.1;
  return all;
}

TubeScore measured(const Kind& kind, int meshes, unsigned seed) {
  TubeScore score;
  for (int i = 0; i < meshes; ++i) {
    TreeOptions options = kind.options;
    options.branches = 3 + i % (options.welded ? 6 : 10);
    if (options.subdivide > 0) options.subdivide = 1 + i % 2;
    const TrueTree truth = make_tree(seed + static_cast<unsigned>(i), options);
    add_mesh(score, truth, flexible::find_tubes(truth.points, truth.triangles), kind.bounds);
  }
  return score;
}

Result<std::vector<Row>> run(const Setting& setting, int meshes, unsigned seed) {
  Sheet sheet(setting);
  const std::vector<Kind> all = kinds();
  for (std::size_t i = 0; i < all.size(); ++i) {
    setting.tell(static_cast<double>(i) / static_cast<double>(all.size()));
    const Kind& kind = all[i];
    const TubeScore score = measured(kind, meshes, seed);
    const double count = score.meshes;
    sheet.at_least(kind.name + ": share of meshes with the right topology", score.right / count, kind.topology,
                   "wanted");
    sheet.at_least(fmt::format("{}: share within {:g} and {:g} % by itself", kind.name, 100 * kind.bounds.centre,
                               100 * kind.bounds.radius),
                   score.within / count, kind.singly, "wanted");
    sheet.at_most(kind.name + ": centre off, 99 of 100 stations, % of r", 100 * percentile(score.centre, 0.99),
                  100 * kind.centre, "wanted");
    sheet.at_most(kind.name + ": radius off, 99 of 100 stations, %", 100 * percentile(score.radius, 0.99),
                  100 * kind.radius, "wanted");
    sheet.at_most(kind.name + ": centre off, the worst station, % of r", 100 * percentile(score.centre, 1), 5,
                  "no span goes wrong");
    sheet.at_most(kind.name + ": the worst node off, r", score.node, kind.node, "wanted");
    sheet.at_most(kind.name + ": errors as shares of the bounds told, the worst",
                  std::max(score.centre_of_bound, score.radius_of_bound), 1, "bounds hold");
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace mesh_tubes_case

Case mesh_tubes() {
  return {.name = "mesh-tubes",
          .shows = "Centre lines, radii and joints of random trees of tubes are found in their meshes",
          .source = "the trees that the meshes were made from",
          .run = [](const Setting& setting) { return mesh_tubes_case::run(setting, 5, 40000); }};
}

Case mesh_tubes_long() {
  return {.name = "mesh-tubes-long",
          .shows = "The same for a hundred meshes of each kind",
          .source = "the trees that the meshes were made from",
          .takes_long = true,
          .run = [](const Setting& setting) { return mesh_tubes_case::run(setting, 100, 50000); }};
}

}  // namespace filum::validation
