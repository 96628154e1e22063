#include "exchange/mesh/flexibilise.hpp"

#include "exchange/mesh/point_numbers.hpp"
#include "flexible/tube_clash.hpp"
#include "flexible/tube_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace filum::exchange {
namespace {

constexpr double kThinnest = 5e-5;  // radius, m
constexpr double kThickest = 0.5;
constexpr double kInch = 0.0254;

double usual_radius(const flexible::TubeTree& tree) {
  std::vector<double> radii;
  for (const flexible::TreeBranch& branch : tree.branches) radii.push_back(branch.mean_radius());
  std::nth_element(radii.begin(), radii.begin() + static_cast<long>(radii.size() / 2), radii.end());
  return radii[radii.size() / 2];
}

std::string name_of(double unit) {
  if (unit == 1) return "metres";
  if (unit == 1e-3) return "millimetres";
  if (unit == 1e-2) return "centimetres";
  return unit == kInch ? "inches" : fmt::format("units of {:g} m", unit);
}

// Metres of one unit: as asked for, as the file says, or guessed, with a note.
Result<double> unit_of(const io::MeshFile& mesh, const flexible::TubeTree& tree, const FlexibiliseRequest& request,
                       std::vector<std::string>& notes) {
  const double thickness = 2 * usual_radius(tree);
  const auto odd = [&](double unit) { return unit * thickness / 2 < kThinnest || unit * thickness / 2 > kThickest; };
  if (request.unit) {
    if (odd(*request.unit))
      notes.push_back(fmt::format("in {} as asked for, its tubes are {:.3g} m thick", name_of(*request.unit),
                                  *request.unit * thickness));
    return *request.unit;
  }
  const double unit = mesh.unit ? *mesh.unit : guessed_unit(tree);
  if (odd(unit))
    return bad_input(fmt::format("{} {}, and then its tubes are {:.3g} m thick; --unit says otherwise",
                                 mesh.unit ? "the file says that it is in" : "its unit is taken to be", name_of(unit),
                                 unit * thickness));
  if (!mesh.unit) {
    const double other = unit == kInch ? 1e-3 : kInch;
    notes.push_back(
        fmt::format("the file does not say its unit; its tubes are {:.3g} thick, so that it is taken to be in {} "
                    "(--unit says otherwise; in {} they would be {:.3g} mm thick)",
                    thickness, name_of(unit), name_of(other), 1e3 * other * thickness));
  }
  return unit;
}

std::string why_no_tube(const io::MeshFile& mesh, const flexible::TubeTree& tree) {
  if (!tree.notes.empty()) return "there is no tube with two ends in this mesh: " + tree.notes.front();
  std::string why = fmt::format(
      "there is no tube in this mesh, no part of it that is round across and longer than it "
      "is wide ({} triangles in {} {})",
      mesh.triangles.size(), tree.pieces.size(), tree.pieces.size() == 1 ? "piece" : "pieces");
  if (tree.crowded > 0)
    why += fmt::format("; {} of its edges belong to more than two triangles, where the surface is taken apart",
                       tree.crowded);
  return why;
}

std::string shown(const Vec3& p) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x(), p.y(), p.z());
}

// Leaves each triangle once, whichever way round it stands there; how many went.
std::size_t drop_doubled(io::MeshFile& mesh) {
  std::vector<Vec3> points;
  PointNumbers numbers(mesh.points.size());
  std::vector<int> number;
  for (const Vec3& p : mesh.points) number.push_back(numbers.of(p, points));
  std::set<std::array<int, 3>> seen;
  return std::erase_if(mesh.triangles, [&](std::array<int, 3> triangle) {
    for (int& corner : triangle) corner = number[static_cast<std::size_t>(corner)];
    std::sort(triangle.begin(), triangle.end());
    return !seen.insert(triangle).second;
  });
}

void tell_faults(const MeshTubes& found, std::vector<std::string>& notes) {
  const flexible::TubeTree& tree = found.tree;
  if (found.doubled > 0) notes.push_back(fmt::format("{} triangles stand in it twice and count once", found.doubled));
  if (tree.crowded > 0)
    notes.push_back(
        fmt::format("{} edges belong to more than two triangles; the surface is taken apart there", tree.crowded));
  for (const flexible::TubeClash& clash : flexible::find_clashes(tree)) {
    const std::string first = fmt::format("branch {}", clash.first + 1);
    const std::string second = clash.first == clash.second ? "itself" : fmt::format("branch {}", clash.second + 1);
    notes.push_back(
        fmt::format("{} runs through {} at {}; they are not joined there", first, second, shown(clash.where)));
  }
}

// The way between two picked points as a tree of its own, and what stays a mesh.
Result<flexible::TubeTree> tree_between(const io::MeshFile& mesh, const flexible::TubeTree& whole,
                                        const std::pair<Vec3, Vec3>& between, flexible::CutMesh& cut) {
  const auto from = flexible::pick(whole, between.first);
  const auto to = flexible::pick(whole, between.second);
  if (!from) return bad_input("there is no tube at " + shown(between.first));
  if (!to) return bad_input("there is no tube at " + shown(between.second));
  const auto path = flexible::path_between(whole, *from, *to);
  if (!path)
    return bad_input(fmt::format("{} and {} are not connected: one is on branch {}, the other on branch {}",
                                 shown(between.first), shown(between.second), from->branch + 1, to->branch + 1));
  flexible::TubeTree tree;
  std::vector<flexible::PathPiece> used;
  for (const flexible::PathPiece& piece : *path) {
    const flexible::TreeBranch& branch = whole.branches[static_cast<std::size_t>(piece.branch)];
    // a stump between a pick and a node stays a mesh
    if (piece.to - piece.from < branch.mean_radius()) continue;
    used.push_back(piece);
    tree.branches.push_back(flexible::part_of(branch, piece.from, piece.to));
    const bool onward = tree.branches.size() > 1;
    const Vec3 near = onward ? tree.nodes.back().position : between.first;
    flexible::TreeBranch& part = tree.branches.back();
    // in the direction of the way
    if ((part.centre.front() - near).norm() > (part.centre.back() - near).norm()) flexible::turn_round(part);
    if (!onward) tree.nodes.emplace_back().position = part.centre.front();
    part.start = static_cast<int>(tree.nodes.size()) - 1;
    part.end = part.start + 1;
    tree.nodes.emplace_back().position = part.centre.back();
  }
  if (used.empty())
    return bad_input(shown(between.first) + " and " + shown(between.second) + " are nearer than one radius");
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    tree.nodes[n].degree = n == 0 || n + 1 == tree.nodes.size() ? 1 : 2;
  if (tree.branches.size() > 1)
    tree.notes.push_back("where the way goes through a junction, the other branches stay a mesh and do not hold it");
  cut = flexible::cut_out(mesh.points, mesh.triangles, whole, used);
  return tree;
}

}  // namespace

double guessed_unit(const flexible::TubeTree& tree) {
  constexpr double kArm = 0.05;  // m
  constexpr double kWire = 0.2;  // mm
  const double radius = usual_radius(tree);
  return radius <= kArm ? 1 : radius <= kWire ? kInch : 1e-3;
}

MeshTubes tubes_in(io::MeshFile mesh) {
  flexible::TubeTree tree = flexible::find_tubes(mesh.points, mesh.triangles);
  const std::size_t doubled = tree.doubled ? drop_doubled(mesh) : 0;
  if (doubled > 0) tree = flexible::find_tubes(mesh.points, mesh.triangles);
  return {std::move(mesh), std::move(tree), doubled};
}

MeshTubes placed(MeshTubes found, double scale, const Quat& orientation, const Vec3& position) {
  const Mat3 turned = scale * orientation.toRotationMatrix();
  const auto move = [&](Vec3& p) { p = turned * p + position; };
  for (Vec3& p : found.mesh.points) move(p);
  for (flexible::TreeNode& node : found.tree.nodes) move(node.position);
  for (flexible::TreeBranch& branch : found.tree.branches) {
    for (Vec3& p : branch.centre) move(p);
    for (double& radius : branch.radius) radius *= scale;
    branch.wall *= scale;
    branch.half *= scale;
    branch.wide = orientation * branch.wide;
  }
  found.mesh.unit = 1;
  return found;
}

Result<FlexibleScene> flexibilise(const MeshTubes& found, const FlexibiliseRequest& request, const std::string& stem) {
  const io::MeshFile& mesh = found.mesh;
  flexible::TubeTree tree = found.tree;
  if (tree.branches.empty()) return bad_input(why_no_tube(mesh, tree));
  std::vector<std::string> notes;
  const Result<double> unit = unit_of(mesh, tree, request, notes);
  if (!unit) return unit.error();
  const FlexibleOptions options{*unit, request.rest_as_shaped, request.material, request.every_piece};
  if (request.between) {
    flexible::CutMesh cut;
    Result<flexible::TubeTree> way = tree_between(mesh, tree, *request.between, cut);
    if (!way) return way.error();
    way->notes.insert(way->notes.begin(), notes.begin(), notes.end());
    return tube_scene(mesh, *way, options, stem, &cut);
  }
  if (!tree.notes.empty() && !request.partial)
    return bad_input(tree.notes.front() + "; --partial makes the rest flexible");
  tell_faults(found, notes);
  tree.notes.insert(tree.notes.begin(), notes.begin(), notes.end());
  return tube_scene(mesh, tree, options, stem);
}

}  // namespace filum::exchange
