#include "bench/mesh_tubes.hpp"

#include "base/index.hpp"
#include "flexible/tube_tree.hpp"
#include "validation/swept_trees.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <random>
#include <utility>

namespace filum::bench {
namespace mesh_tubes_bench {
namespace {

using std::numbers::pi;

// no distribution of the standard library is the same everywhere
double between(std::mt19937& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}

void add(TriangleMesh& mesh, const TriangleMesh& other, const Vec3& offset) {
  const int first = static_cast<int>(mesh.points.size());
  for (const Vec3& p : other.points) mesh.points.push_back(p + offset);
  for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({first + a, first + b, first + c});
}

// Two triangles a field of a grid, whose columns may go round.
TriangleMesh grid(int rows, int columns, bool round, const std::function<Vec3(int, int)>& place) {
  TriangleMesh made;
  const int across = columns + (round ? 0 : 1);
  for (int i = 0; i <= rows; ++i)
    for (int k = 0; k < across; ++k) made.points.push_back(place(i, k));
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < columns; ++k) {
      const int a = i * across + k;
      const int b = i * across + (k + 1) % across;
      made.triangles.push_back({a, b, b + across});
      made.triangles.push_back({a, b + across, a + across});
    }
  return made;
}

// Along a helix of radius 60 that climbs by 15 a turn: places of a section that is given by angle and arc length.
TriangleMesh coil(int rings, int sides, double ring, const std::function<Vec2(double, double)>& section) {
  constexpr double kRadius = 60;
  constexpr double kClimb = 15 / (2 * pi);
  return grid(rings, sides, true, [&](int i, int k) {
    const double turn = i * ring / std::hypot(kRadius, kClimb);
    const Vec2 corner = section(2 * pi * k / sides, i * ring);
    const Vec3 out(std::cos(turn), std::sin(turn), 0);
    const Vec3 along = Vec3(-kRadius * out.y(), kRadius * out.x(), kClimb).normalized();
    return Vec3(kRadius * out + kClimb * turn * Vec3::UnitZ() + corner.x() * out + corner.y() * along.cross(out));
  });
}

Vec2 round_corner(double angle, double radius) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

TriangleMesh trees(int triangles, const validation::TreeOptions& options) {
  TriangleMesh made;
  for (unsigned seed = 1; static_cast<int>(made.triangles.size()) < triangles; ++seed) {
    validation::TrueTree tree = validation::make_tree(70000 + seed, options);
    for (Vec3& p : tree.points) p *= 1000;
    add(made, {std::move(tree.points), std::move(tree.triangles)}, Vec3(2000.0 * (seed % 16), 2000.0 * (seed / 16), 0));
  }
  return made;
}

// Each field of the six faces of a cube in two.
TriangleMesh cube(int fields, const std::function<Vec3(const Vec3&)>& place) {
  TriangleMesh made;
  for (int face = 0; face < 6; ++face)
    add(made,
        grid(fields, fields, false,
             [&](int i, int k) {
               Vec3 p(face < 3 ? 1 : -1, 2.0 * i / fields - 1, 2.0 * k / fields - 1);
               std::rotate(p.data(), p.data() + face % 3, p.data() + 3);
               return place(p);
             }),
        Vec3::Zero());
  return made;
}

// Things in rows, each turned its own way.
TriangleMesh scattered(int triangles, const std::function<TriangleMesh(std::mt19937&)>& thing) {
  std::mt19937 random(5);
  TriangleMesh made;
  for (int n = 0; static_cast<int>(made.triangles.size()) < triangles; ++n) {
    const Quat turned = Quat(between(random, -1, 1), between(random, -1, 1), between(random, -1, 1), 0.3).normalized();
    TriangleMesh one = thing(random);
    for (Vec3& p : one.points) p = turned * p;
    add(made, one, Vec3(60.0 * (n % 40), 60.0 * (n / 40 % 40), 60.0 * (n / 1600)));
  }
  return made;
}

// With so many fields an edge; the middle ones of a side lie flat, the outer ones are chamfers.
TriangleMesh box(std::mt19937& random, int fields) {
  const Vec3 half(between(random, 1, 6), between(random, 1, 6), between(random, 1, 6));
  return cube(fields, [&](const Vec3& p) {
    const bool edge = fields > 1 && (p.array().abs() > 0.99).count() > 1;
    return Vec3(half.cwiseProduct(p) * (edge ? 0.93 : 1));
  });
}

// A profile of radii and heights turned about the axis.
TriangleMesh turned(const std::vector<Vec2>& profile, int sides) {
  return grid(static_cast<int>(profile.size()) - 1, sides, true, [&](int i, int k) {
    const Vec2 corner = round_corner(2 * pi * k / sides, profile[at(i)].x());
    return Vec3(corner.x(), corner.y(), profile[at(i)].y());
  });
}

// What lies about in an assembly: boxes with chamfers, bolts, washers, discs, balls.
TriangleMesh part(std::mt19937& random) {
  const double r = between(random, 1.5, 4);
  switch (random() % 5) {
    case 0:
      return box(random, 3);
    case 1:
      return turned({{0.01, 0}, {1.8 * r, 0}, {1.8 * r, r}, {r, r}, {r, between(random, 3, 12) * r}, {0.01, 12 * r}},
                    12);
    case 2:
      return turned({{r, 0}, {2 * r, 0}, {2 * r, 0.4 * r}, {r, 0.4 * r}, {r, 0}}, 24);
    case 3:
      return turned({{0.01, 0}, {3 * r, 0}, {3 * r, r}, {0.01, r}}, 32);
    default:
      return cube(5, [&](const Vec3& p) { return Vec3(2 * r * p.normalized()); });
  }
}

TriangleMesh pipe(std::mt19937& random) {
  const double r = between(random, 1, 2);
  return turned({{0.01, 0}, {r, 0}, {r, 10}, {r, 20}, {0.01, 20}}, 8);
}

// Of plates, with two sides and a rim where they are not open; high in the middle of each wave.
TriangleMesh plates(int count, int triangles, bool open, double wave) {
  TriangleMesh made;
  const int fields = static_cast<int>(std::sqrt(triangles / count / (open ? 2.0 : 4.0)));
  for (int n = 0; n < count; ++n) {
    const auto height = [&](double x, double y) { return wave * std::sin(0.06 * x + 0.04 * y + n); };
    const double field = 600.0 / fields;
    const auto side = [&](double above) {
      return [=](int i, int k) { return Vec3(field * i, field * k, height(field * i, field * k) + above); };
    };
    const Vec3 offset(0, 0, 60.0 * n);
    add(made, grid(fields, fields, false, side(0)), offset);
    if (open) continue;
    add(made, grid(fields, fields, false, side(2)), offset);
    add(made,
        grid(1, 4 * fields, true,
             [&](int row, int k) {
               const int edge = k / fields;
               const int place = k % fields;
               const int i = edge == 0 ? place : edge == 1 ? fields : edge == 2 ? fields - place : 0;
               const int j = edge == 0 ? 0 : edge == 1 ? place : edge == 2 ? fields : fields - place;
               return side(2.0 * row)(i, j);
             }),
        offset);
  }
  return made;
}

TriangleMesh shuffled(TriangleMesh mesh) {
  std::mt19937 random(3);
  for (std::size_t i = mesh.triangles.size(); i > 1; --i)
    std::swap(mesh.triangles[i - 1], mesh.triangles[random() % i]);
  return mesh;
}

TriangleMesh conduit(int triangles, int sides) {
  return coil(triangles / (2 * sides), sides, 0.25,
              [](double angle, double s) { return round_corner(angle, 3 - 0.25 * (1 - std::cos(2 * pi * s / 2))); });
}

// Several, each twisted on its way: 12 across by 2, with round edges.
TriangleMesh ribbons(int triangles) {
  constexpr int kRibbons = 20;
  constexpr int kSides = 20;
  TriangleMesh made;
  for (int n = 0; n < kRibbons; ++n)
    add(made,
        coil(triangles / kRibbons / (2 * kSides), kSides, 0.5,
             [](double angle, double s) {
               const Vec2 corner((std::cos(angle) > 0 ? 5 : -5) + std::cos(angle), std::sin(angle));
               return Vec2(Eigen::Rotation2Dd(s / 80) * corner);
             }),
        Vec3(150 * n, 0, 0));
  return made;
}

using Maker = std::function<TriangleMesh(int)>;
const std::vector<std::pair<std::string, Maker>>& makers() {
  using Options = validation::TreeOptions;
  static const std::vector<std::pair<std::string, Maker>> all{
      {"trees", [](int n) { return trees(n, Options{.branches = 9}); }},
      {"fine-trees", [](int n) { return trees(n, Options{.branches = 9, .subdivide = 3}); }},
      {"soup", [](int n) { return trees(n, Options{.branches = 9, .soup = true, .connectors = true}); }},
      {"noise", [](int n) { return trees(n, Options{.branches = 9, .uneven = 1, .subdivide = 1, .noise = 0.02}); }},
      {"holes", [](int n) { return trees(n, Options{.branches = 9, .holes = 0.01}); }},
      {"welded", [](int n) { return trees(n, Options{.branches = 6, .welded = true}); }},
      {"long-tube", [](int n) { return coil(n / 48, 24, 0.5, [](double a, double) { return round_corner(a, 3); }); }},
      {"conduit", [](int n) { return conduit(n, 16); }},
      {"fine-conduit", [](int n) { return conduit(n, 64); }},
      {"shuffled-conduit", [](int n) { return shuffled(conduit(n, 16)); }},
      {"ribbons", ribbons},
      {"block",
       [](int n) {
         return cube(static_cast<int>(std::sqrt(n / 12.0)),
                     [](const Vec3& p) { return Vec3(Vec3(50, 40, 30).cwiseProduct(p)); });
       }},
      {"ball",
       [](int n) {
         return cube(static_cast<int>(std::sqrt(n / 12.0)), [](const Vec3& p) { return Vec3(50 * p.normalized()); });
       }},
      {"lumps",
       [](int n) {
         return cube(static_cast<int>(std::sqrt(n / 12.0)), [](const Vec3& p) {
           const Vec3 d = p.normalized();
           return Vec3((50 + 6 * std::sin(9 * d.x()) * std::sin(8 * d.y() + 1) * std::sin(7 * d.z() + 2)) * d);
         });
       }},
      {"boxes", [](int n) { return scattered(n, [](std::mt19937& random) { return box(random, 1); }); }},
      {"chamfered-boxes", [](int n) { return scattered(n, [](std::mt19937& random) { return box(random, 3); }); }},
      {"parts", [](int n) { return scattered(n, part); }},
      {"pipes", [](int n) { return scattered(n, pipe); }},
      {"sheets", [](int n) { return plates(5, n, true, 0); }},
      {"wavy-sheets", [](int n) { return plates(5, n, true, 8); }},
      {"panels", [](int n) { return plates(5, n, false, 0); }},
      {"wavy-panels", [](int n) { return plates(5, n, false, 8); }},
      {"small-panels", [](int n) { return plates(200, n, false, 8); }},
  };
  return all;
}

Bench bench_of(const std::string& kind) {
  return {.name = "mesh-tubes-" + kind,
          .per = "triangle",
          .target = 20,  // 5 s for 10⁶ where the yardstick takes 0.25 µs
          .make =
              [kind] {
                const auto mesh = std::make_shared<TriangleMesh>(mesh_of(kind, 1'000'000));
                const auto tree = std::make_shared<flexible::TubeTree>();
                return Work{.reset = [tree] { *tree = {}; },
                            .run = [mesh, tree] { *tree = flexible::find_tubes(mesh->points, mesh->triangles); },
                            .hash =
                                [tree] {
                                  std::vector<double> numbers{static_cast<double>(tree->pieces.size())};
                                  for (const flexible::TreeBranch& branch : tree->branches) {
                                    numbers.push_back(branch.length());
                                    numbers.push_back(branch.mean_radius());
                                  }
                                  return hash_of(numbers);
                                },
                            .units = static_cast<double>(mesh->triangles.size())};
              },
          .slow = true};
}

}  // namespace
}  // namespace mesh_tubes_bench

const std::vector<std::string>& mesh_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, make] : mesh_tubes_bench::makers()) all.push_back(name);
    return all;
  }();
  return names;
}

TriangleMesh mesh_of(const std::string& kind, int triangles) {
  for (const auto& [name, make] : mesh_tubes_bench::makers())
    if (name == kind) return make(triangles);
  return {};
}

std::vector<Bench> mesh_tubes() {
  std::vector<Bench> all;
  for (const std::string& kind : mesh_kinds()) all.push_back(mesh_tubes_bench::bench_of(kind));
  return all;
}

}  // namespace filum::bench
