#include "geometry/tube_mesh.hpp"

#include "base/assert.hpp"
#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::geometry {
namespace {

// A section's outline as a closed line round the centre: its vertices counter-clockwise, and the sides between them.
struct Outline {
  std::vector<Vec2> corner;  // for half-extents of one
  std::vector<Vec2> normal;  // likewise; what it is for others follows (outward_at)
  std::vector<std::array<int, 2>> side;
};

Outline ellipse(int sides) {
  Outline outline;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * k / sides;
    outline.corner.emplace_back(std::cos(angle), std::sin(angle));
    outline.side.push_back({k, (k + 1) % sides});
  }
  outline.normal = outline.corner;
  return outline;
}

// Each corner twice, once for either face.
Outline rectangle() {
  Outline outline;
  for (int k = 0; k < 4; ++k) {
    const Vec2 out = k % 2 == 0 ? Vec2(1 - k, 0) : Vec2(0, 2 - k);
    const Vec2 along(-out.y(), out.x());
    for (const double end : {-1.0, 1.0}) {
      outline.corner.emplace_back(out + end * along);
      outline.normal.push_back(out);
    }
    outline.side.push_back({2 * k, 2 * k + 1});
  }
  return outline;
}

class TubeBuilder {
 public:
  TubeBuilder(const Tube& tube, int sides) : tube_(tube), round_(ellipse(sides)), angular_(rectangle()) {}

  TriangleMesh build(std::vector<int>* station) {
    // a closed tube leaves out the repeated station and joins the last ring to the first
    const int stations = static_cast<int>(tube_.position.size()) - (tube_.closed ? 1 : 0);
    if (stations < (tube_.closed ? 3 : 2)) return {};
    bool alike = true;
    for (int i = 0; i + 1 < stations; ++i)
      alike = alike && !parted(i) && tube_.section[at(i)].same_kind(tube_.section[at(i + 1)]);
    // what lies between two stations has the kind of the second
    int from = 0;
    for (int to = 0; to < stations; ++to) {
      const bool end = to + 1 == stations || parted(to);
      if (!end && (to == from || tube_.section[at(to + 1)].same_kind(tube_.section[at(to)]))) continue;
      if (to > from) add_part(from, to, tube_.closed && alike);
      from = end ? to + 1 : to;
    }
    if (tube_.closed && !alike) add_rings({stations - 1, 0}, tube_.section[0], true);
    if (station) *station = std::move(station_);
    return std::move(mesh_);
  }

 private:
  // Nothing lies between this station and the next.
  [[nodiscard]] bool parted(int station) const {
    return !tube_.piece.empty() && tube_.piece[at(station)] != tube_.piece[at(station + 1)];
  }

  // From one station to another: a first one of another kind has the section of the next.
  void add_part(int from, int to, bool closed) {
    std::vector<int> stations;
    for (int i = from; i <= to; ++i) stations.push_back(i);
    const TubeSection& first = tube_.section[at(from)];
    add_rings(stations, first.same_kind(tube_.section[at(to)]) ? first : tube_.section[at(from + 1)], !closed);
  }

  // Rings at these stations and bands between them, outside and, in a pipe, inside.
  void add_rings(const std::vector<int>& stations, const TubeSection& first, bool capped) {
    const Outline& outline = first.angular ? angular_ : round_;
    const auto section_at = [&](std::size_t i) -> const TubeSection& {
      return i == 0 ? first : tube_.section[at(stations[i])];
    };
    for (const bool inside : {false, true}) {
      if (inside && !(first.bore > 0)) break;
      std::vector<int> begin;
      for (std::size_t i = 0; i < stations.size(); ++i)
        begin.push_back(add_ring(stations[i], section_at(i), outline, inside));
      for (std::size_t i = 0; i + 1 < begin.size(); ++i) add_band(begin[i], begin[i + 1], outline, inside);
      if (!capped) add_band(begin.back(), begin.front(), outline, inside);
    }
    if (!capped) return;
    add_cap(stations.front(), first, outline, -1);
    add_cap(stations.back(), section_at(stations.size() - 1), outline, 1);
  }

  // The number of its first vertex.
  int add_ring(int station, const TubeSection& section, const Outline& outline, bool inside) {
    const int begin = static_cast<int>(mesh_.position.size());
    const double size = inside ? section.bore : 1;
    for (std::size_t k = 0; k < outline.corner.size(); ++k) {
      const Vec3 out = tube_.frame[at(station)] * outward_at(section, outline, k);
      add_vertex(station, place(station, section, size * outline.corner[k]), inside ? Vec3(-out) : out);
    }
    return begin;
  }

  [[nodiscard]] Vec3 place(int station, const TubeSection& section, const Vec2& corner) const {
    const Vec2 local = corner.cwiseProduct(section.half);
    return tube_.position[at(station)] + tube_.frame[at(station)] * Vec3(local.x(), local.y(), 0);
  }

  // The ellipse's normal is along (cos/a, sin/b); times ab it survives a half-extent of zero.
  static Vec3 outward_at(const TubeSection& section, const Outline& outline, std::size_t k) {
    const Vec2& normal = outline.normal[k];
    const Vec2 outward(normal.x() * section.half.y(), normal.y() * section.half.x());
    const Vec2 unit = outward.norm() > 0 ? Vec2(outward.normalized()) : normal;
    return {unit.x(), unit.y(), 0};
  }

  void add_vertex(int station, const Vec3& position, const Vec3& normal) {
    mesh_.position.push_back(position);
    mesh_.normal.push_back(normal);
    station_.push_back(station);
    if (!tube_.scalar.empty()) mesh_.scalar.push_back(tube_.scalar[at(station)]);
  }

  // Two triangles between four vertices, the other way round if asked.
  void add_quad(int a, int b, int c, int d, bool turned) {
    if (turned) std::swap(b, d);
    mesh_.triangle.push_back({a, b, c});
    mesh_.triangle.push_back({a, c, d});
  }

  // Two triangles a side between two rings.
  void add_band(int from, int to, const Outline& outline, bool inside) {
    for (const auto& [a, b] : outline.side) add_quad(from + a, from + b, to + b, to + a, inside);
  }

  // A fan about the centre, or in a pipe a ring face; `sign` is +1 where the outside lies along d3.
  void add_cap(int station, const TubeSection& section, const Outline& outline, int sign) {
    const Vec3 outward = sign * (tube_.frame[at(station)] * Vec3::UnitZ());
    const int begin = static_cast<int>(mesh_.position.size());
    const int count = static_cast<int>(outline.side.size());
    if (!(section.bore > 0)) add_vertex(station, tube_.position[at(station)], outward);
    for (const double size : {1.0, section.bore}) {
      if (!(size > 0)) break;
      for (const auto& side : outline.side)
        add_vertex(station, place(station, section, size * outline.corner[at(side[0])]), outward);
    }
    for (int k = 0; k < count; ++k) {
      const int next = (k + 1) % count;
      if (section.bore > 0) {
        add_quad(begin + k, begin + next, begin + count + next, begin + count + k, sign < 0);
        continue;
      }
      std::array<int, 3> triangle{begin, begin + 1 + k, begin + 1 + next};
      if (sign < 0) std::swap(triangle[1], triangle[2]);
      mesh_.triangle.push_back(triangle);
    }
  }

  const Tube& tube_;
  Outline round_;
  Outline angular_;
  TriangleMesh mesh_;
  std::vector<int> station_;
};

}  // namespace

TriangleMesh tube_mesh(const Tube& tube, int sides, std::vector<int>* station) {
  FILUM_ASSERT(tube.frame.size() == tube.position.size() && tube.section.size() == tube.position.size());
  FILUM_ASSERT(tube.scalar.empty() || tube.scalar.size() == tube.position.size());
  return TubeBuilder(tube, std::max(sides, 3)).build(station);
}

double enclosed_volume(const TriangleMesh& mesh) {
  if (mesh.position.empty()) return 0;
  // tetrahedra against a point of the mesh, so that a far-away mesh loses no digits
  const Vec3 origin = mesh.position.front();
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangle)
    sum += (mesh.position[a] - origin).dot((mesh.position[b] - origin).cross(mesh.position[c] - origin));
  return sum / 6;
}

}  // namespace filum::geometry
