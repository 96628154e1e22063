#include "exchange/mesh/tube_scene.hpp"

#include "exchange/harness/assumptions.hpp"
#include "exchange/mesh/point_numbers.hpp"
#include "rod/cubic_spline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace filum::exchange {
namespace {

constexpr double kOval = 0.84;            // of the box about it: an ellipse has 0.79, a ribbon with round edges more
constexpr std::size_t kMostLoose = 1000;  // pieces that hold nothing and are a body each
constexpr double kLeastTwist = 0.05;      // rad; less is how far sections are off

class TubeSceneMaker {
 public:
  TubeSceneMaker(const io::MeshFile& mesh, const flexible::TubeTree& tree, const FlexibleOptions& options,
                 const std::string& stem, const flexible::CutMesh* cut)
      : mesh_(mesh), tree_(tree), options_(options), stem_(stem), cut_(cut) {}

  FlexibleScene make() {
    scene_.title = stem_;
    scene_.simulation.formulation = "cosserat";
    out_.notes = tree_.notes;
    add_pieces();
    if (cut_ && !cut_->rest.empty()) add_rest();
    for (const flexible::TreeBranch& branch : tree_.branches) add_rod(branch);
    add_joints();
    out_.text = assumptions_.text(
        scene_,
        "# Made from a mesh by filum flexibilise. What the mesh does not say is marked `# assumed`.\n" + bounds());
    out_.scene = std::move(scene_);
    return std::move(out_);
  }

 private:
  // How far each rod may be off, as the mesh itself tells.
  [[nodiscard]] std::string bounds() const {
    std::string lines;
    for (std::size_t i = 0; i < tree_.branches.size(); ++i) {
      const flexible::TreeBranch& branch = tree_.branches[i];
      if (!std::isfinite(branch.centre_bound)) continue;
      const double radius = 1e3 * options_.unit * branch.mean_radius();
      lines +=
          fmt::format("# {}: centre line within {:.2g} mm, {} within {:.2g} mm, away from its ends\n",
                      scene_.rods[i].name, branch.centre_bound * radius,
                      branch.kind == flexible::TubeKind::Flat ? "half widths" : "radius", branch.radius_bound * radius);
    }
    return lines;
  }

  void add_rod(const flexible::TreeBranch& branch) {
    const double radius = options_.unit * branch.mean_radius();
    const double length = options_.unit * branch.length();
    Rod rod;
    rod.name = fmt::format("branch {}", scene_.rods.size() + 1);
    rod.material = options_.material;
    rod.section = section(branch);
    rod.shape = shape(branch);
    rod.segments = std::clamp(static_cast<int>(std::ceil(length / (2 * radius))), 10, 200);
    if (options_.rest_as_shaped) rod.rest.kind = RestKind::AsShaped;
    if (branch.kind == flexible::TubeKind::Flat) rod.normal = branch.wide;
    scene_.rods.push_back(rod);
    assumptions_.add(
        "rods", scene_.rods.size() - 1,
        fmt::format("{}, {} at rest", options_.material, options_.rest_as_shaped ? "as drawn" : "straight"));
    if (branch.kind == flexible::TubeKind::Corrugated)
      out_.notes.push_back(
          fmt::format("{} is corrugated: it has the radius of its crests, and the stiffness of a plain section; give "
                      "what it has as "
                      "`shape: given`",
                      rod.name));
    const auto [least, most] = std::minmax_element(branch.radius.begin(), branch.radius.end());
    if (*most > 1.1 * *least)
      out_.notes.push_back(fmt::format("{}: its radius goes from {:.3g} to {:.3g} mm; the mean is taken", rod.name,
                                       1e3 * options_.unit * *least, 1e3 * options_.unit * *most));
  }

  // Sections of the same size are one; sizes to a hundredth of a millimetre.
  std::string section(const flexible::TreeBranch& branch) {
    const auto rounded = [](double metres) {
      return std::round(1e5 * metres) > 0 ? std::round(1e5 * metres) / 1e5 : metres;
    };
    const double outer = rounded(options_.unit * branch.mean_radius());
    const double wall = options_.unit * branch.wall;
    Section made;
    if (branch.kind == flexible::TubeKind::Flat) {
      const Vec2 half = options_.unit * branch.half;
      const bool oval = branch.fill < kOval;
      made.shape = oval ? SectionShape::Ellipse : SectionShape::Rectangle;
      if (oval) made.radii = {rounded(half.x()), rounded(half.y())};
      // rounded edges take from the width, so that the area is right
      if (!oval) made.width = rounded(2 * half.x() * branch.fill);
      if (!oval) made.height = rounded(2 * half.y());
    } else if (wall > 0 && wall < 0.95 * outer) {
      made.shape = SectionShape::Tube;
      made.outer_radius = outer;
      made.inner_radius = outer - std::round(1e6 * wall) / 1e6;
    } else {
      made.radius = outer;
    }
    for (const SectionEntry& entry : scene_.sections)
      if (entry.section == made) return entry.name;
    scene_.sections.push_back({fmt::format("size {}", scene_.sections.size() + 1), made});
    return scene_.sections.back().name;
  }

  // A place of a branch that its shape goes through.
  struct Place {
    Vec3 point;       // m
    double s = 0;     // m
    double turn = 0;  // of a flat one, rad
  };

  // As many places as a smooth curve needs: one where the line or its section has turned by a tenth, or gone five radii;
  // closer together towards its ends, beyond which nothing says how it bends.
  [[nodiscard]] std::vector<Place> places(const flexible::TreeBranch& branch) const {
    const double length = branch.length();
    double s = 0;
    const auto place_at = [&](std::size_t i) {
      return Place{options_.unit * branch.centre[i], options_.unit * s, flexible::turn_at(branch.turns, s / length)};
    };
    std::vector<Place> places{place_at(0)};
    std::size_t last = 0;
    for (std::size_t i = 1; i + 1 < branch.centre.size(); ++i) {
      s += (branch.centre[i] - branch.centre[i - 1]).norm();
      const Vec3 before = branch.centre[last + 1] - branch.centre[last];
      const Vec3 after = branch.centre[i + 1] - branch.centre[i];
      const Place here = place_at(i);
      const double turned =
          std::max(std::atan2(before.cross(after).norm(), before.dot(after)), std::abs(here.turn - places.back().turn));
      const double gone = (branch.centre[i] - branch.centre[last]).norm();
      const double span = std::clamp(std::min(s, length - s) / 2, branch.radius[i] / 2, 5 * branch.radius[i]);
      if (gone < 0.3 * branch.radius[i] || (turned < 0.1 && gone < span)) continue;
      places.push_back(here);
      last = i;
    }
    s = length;
    places.push_back(place_at(branch.centre.size() - 1));
    return places;
  }

  // The smooth line through its places; where a flat one turns about itself, with the roll of its section, so that it
  // rests as it is drawn.
  [[nodiscard]] Curve shape(const flexible::TreeBranch& branch) const {
    const std::vector<Place> through = places(branch);
    Curve curve;
    curve.kind = through.size() == 2 ? CurveKind::Line : CurveKind::Spline;
    for (const Place& place : through) curve.points.push_back(place.point);
    const bool turns = std::any_of(through.begin(), through.end(),
                                   [](const Place& place) { return std::abs(place.turn) > kLeastTwist; });
    return turns ? rolled(curve.points, through) : curve;
  }

  // As control points, which alone have a roll.
  static Curve rolled(const std::vector<Vec3>& points, const std::vector<Place>& through) {
    std::vector<double> s;
    std::vector<Vec3> rolls;
    for (const Place& place : through) s.push_back(place.s);
    for (const Place& place : through) rolls.emplace_back(place.turn, 0, 0);
    const rod::SplineKnots knots(s, std::vector<bool>(s.size(), false));
    Curve curve;
    curve.kind = CurveKind::Control;
    curve.points = knots.through(points, end_slopes(points, s));
    for (const Vec3& roll : knots.through(rolls, end_slopes(rolls, s))) curve.rolls.push_back(roll.x());
    curve.knots.assign(3, s.front());
    curve.knots.insert(curve.knots.end(), s.begin(), s.end());
    curve.knots.insert(curve.knots.end(), 3, s.back());
    return curve;
  }

  // By the parabola through the three values next to each end.
  static std::vector<Vec3> end_slopes(const std::vector<Vec3>& values, const std::vector<double>& s) {
    const std::size_t n = values.size();
    const auto slope = [&](std::size_t end, std::size_t next, std::size_t beyond) -> Vec3 {
      const Vec3 near = (values[next] - values[end]) / (s[next] - s[end]);
      if (n == 2) return near;
      const Vec3 far = (values[beyond] - values[next]) / (s[beyond] - s[next]);
      return near - (far - near) * (s[next] - s[end]) / (s[beyond] - s[end]);
    };
    std::vector<Vec3> slopes(n, Vec3::Zero());
    slopes.front() = slope(0, 1, std::min<std::size_t>(2, n - 1));
    slopes.back() = slope(n - 1, n - 2, n > 2 ? n - 3 : 0);
    return slopes;
  }

  // Junctions where branches meet, holds where they end.
  void add_joints() {
    std::vector<std::vector<RodPoint>> at_node(tree_.nodes.size());
    for (std::size_t i = 0; i < tree_.branches.size(); ++i) {
      at_node[static_cast<std::size_t>(tree_.branches[i].start)].push_back({scene_.rods[i].name, {0, 0}});
      at_node[static_cast<std::size_t>(tree_.branches[i].end)].push_back({scene_.rods[i].name, {1, 0}});
    }
    for (std::size_t n = 0; n < at_node.size(); ++n) {
      if (at_node[n].size() > 1) {
        scene_.junctions.push_back({fmt::format("junction {}", scene_.junctions.size() + 1), at_node[n]});
        continue;
      }
      if (at_node[n].empty()) continue;
      Hold hold;
      hold.name = fmt::format("end {}", scene_.holds.size() + 1);
      hold.rod = at_node[n][0].rod;
      hold.at = at_node[n][0].at;
      hold.fix.position = hold.fix.orientation = kAllAxes;
      if (tree_.nodes[n].piece >= 0) hold.body = name_of(static_cast<std::size_t>(tree_.nodes[n].piece));
      scene_.holds.push_back(hold);
      assumptions_.add("holds", scene_.holds.size() - 1, "held where it is drawn");
    }
  }

  static std::string name_of(std::size_t piece) { return fmt::format("piece {}", piece + 1); }

  // What an end is held by is a body each, and so is the rest, unless it is thousands of bolts and washers: they are one.
  void add_pieces() {
    std::vector<bool> holds(tree_.pieces.size(), false);
    for (const flexible::TreeNode& node : tree_.nodes)
      if (node.piece >= 0) holds[static_cast<std::size_t>(node.piece)] = true;
    const auto loose = static_cast<std::size_t>(std::count(holds.begin(), holds.end(), false));
    const bool together = loose > kMostLoose && !options_.every_piece;
    std::vector<std::array<int, 3>> rest;
    for (std::size_t i = 0; i < tree_.pieces.size(); ++i) {
      std::vector<std::array<int, 3>> own;
      std::vector<std::array<int, 3>>& triangles = together && !holds[i] ? rest : own;
      for (const int t : tree_.pieces[i]) triangles.push_back(mesh_.triangles[static_cast<std::size_t>(t)]);
      if (!own.empty())
        add_piece(name_of(i), fmt::format("{}-piece-{}.obj", stem_, i + 1), "a piece of a mesh that is no tube", own);
    }
    out_.others = tree_.pieces.size();
    if (!together) return;
    add_piece("other pieces", stem_ + "-pieces.obj", "the pieces of a mesh that are no tubes and hold none", rest);
    out_.notes.push_back(fmt::format(
        "{} pieces that hold nothing are one body with one mesh, 'other pieces' (--every-piece: a body each)", loose));
  }

  // A body in the middle of what is drawn with it.
  void add_piece(const std::string& name, const std::string& file, const std::string& what,
                 const std::vector<std::array<int, 3>>& triangles) {
    const Piece piece = piece_of(mesh_.points, triangles);
    Vec3 low = piece.points.front();
    Vec3 high = low;
    for (const Vec3& p : piece.points) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    Body body;
    body.name = name;
    body.box = high - low;
    body.position = (low + high) / 2;
    Scenery scenery;
    scenery.name = body.name;
    scenery.mesh = file;
    scenery.body = body.name;
    out_.pieces.push_back({file, "# " + what + "; metres, about its middle\n" + obj_about(piece, body.position)});
    scene_.bodies.push_back(body);
    scene_.scenery.push_back(scenery);
  }

  // What stays a mesh stands still.
  void add_rest() {
    ++out_.others;
    Scenery scenery;
    scenery.name = "rest of the mesh";
    scenery.mesh = stem_ + "-rest.obj";
    out_.pieces.push_back(
        {scenery.mesh, "# what stays a mesh; metres\n" + obj_about(piece_of(cut_->points, cut_->rest), Vec3::Zero())});
    scene_.scenery.push_back(scenery);
  }

  // Triangles with the points that they use.
  struct Piece {
    std::vector<Vec3> points;  // metres
    std::vector<std::array<int, 3>> triangles;
  };
  [[nodiscard]] Piece piece_of(const std::vector<Vec3>& points,
                               const std::vector<std::array<int, 3>>& triangles) const {
    Piece piece;
    PointNumbers numbers(3 * triangles.size());
    for (std::array<int, 3> triangle : triangles) {
      for (int& corner : triangle)
        corner = numbers.of(options_.unit * points[static_cast<std::size_t>(corner)], piece.points);
      piece.triangles.push_back(triangle);
    }
    return piece;
  }
  static std::string obj_about(Piece piece, const Vec3& about) {
    for (Vec3& p : piece.points) p -= about;
    return io::obj_text(piece.points, piece.triangles);
  }

  const io::MeshFile& mesh_;
  const flexible::TubeTree& tree_;
  const FlexibleOptions& options_;
  std::string stem_;
  const flexible::CutMesh* cut_;
  Scene scene_;
  Assumptions assumptions_;
  FlexibleScene out_;
};

}  // namespace

FlexibleScene tube_scene(const io::MeshFile& mesh, const flexible::TubeTree& tree, const FlexibleOptions& options,
                         const std::string& stem, const flexible::CutMesh* cut) {
  return TubeSceneMaker(mesh, tree, options, stem, cut).make();
}

}  // namespace filum::exchange
