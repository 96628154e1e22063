#include "sim/clearance.hpp"

#include "base/index.hpp"
#include "geometry/box_pairs.hpp"
#include "scene/layout.hpp"
#include "scene/obstacle_shape.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {
namespace {

using geometry::Box;
using geometry::Segment;

// Along one rod, and from a junction on, so many radii belong together: a rod that is bent to a circle of its own
// radius meets itself after π of them.
constexpr double kNeighbours = 3.5;

// Of the radius: what is no deeper may be round-off, a mesh of straight segments, bodies at rest.
constexpr double kTouch = 0.1;

// A rod as it lies.
struct Strand {
  const RodPose* pose = nullptr;
  std::vector<Box> boxes;  // of its segments, sections included
  geometry::BoxTree tree;  // of them, once something else is near
  Box bounds;
  double thickest = 0;

  [[nodiscard]] int size() const { return static_cast<int>(boxes.size()); }
  [[nodiscard]] Segment segment(int k) const { return {pose->position[at(k)], pose->position[at(k + 1)]}; }
  [[nodiscard]] double s(int k, double share) const {
    return pose->s[at(k)] + share * (pose->s[at(k + 1)] - pose->s[at(k)]);
  }
  // Where a rod has parted its two ends stand one after the other at the same arc length: nothing lies between.
  [[nodiscard]] bool is_gap(int k) const { return pose->s[at(k)] == pose->s[at(k + 1)]; }
  [[nodiscard]] int segment_at(double place) const {
    int k = 0;
    while (k + 1 < size() && s(k, 1) < place) ++k;
    return k;
  }
  // Whether it runs on from one end towards the other, nowhere steeper across that way than kOnwards tells: what is more
  // than kNeighbours apart along it, as neighbours are not, is then more than two thicknesses apart.
  [[nodiscard]] bool runs_on() const {
    constexpr double kOnwards = 0.6;
    static_assert(kOnwards * kNeighbours > 2);
    const Vec3 way = (pose->position.back() - pose->position.front()).stableNormalized();
    for (int k = 0; k < size(); ++k)
      if (!(way.dot(segment(k).to - segment(k).from) >= kOnwards * (s(k, 1) - s(k, 0)))) return false;
    return !pose->closed;
  }
  // How far the section reaches in a direction.
  [[nodiscard]] double reach(int k, double share, const Vec3& direction) const {
    const std::size_t node = at(share < 0.5 ? k : k + 1);
    const Vec3 local = pose->frame[node].conjugate() * direction;
    return std::hypot(pose->outline[node].x() * local.x(), pose->outline[node].y() * local.y());
  }
};

// A point of the curve through the nodes, the cubic with slopes of parabolas through three of them: what rods touch by.
Vec3 curve_point(const Strand& strand, int k, double u) {
  const RodPose& pose = *strand.pose;
  const auto slope = [&](int node) -> Vec3 {
    const int size = strand.size();
    int before = node > 0 ? node - 1 : pose.closed ? size - 1 : -1;
    int after = node < size ? node : pose.closed ? 0 : -1;
    if (before >= 0 && strand.is_gap(before)) before = -1;
    if (after >= 0 && strand.is_gap(after)) after = -1;
    const auto rise = [&](int edge) -> Vec3 {
      return (pose.position[at(edge + 1)] - pose.position[at(edge)]) / (pose.s[at(edge + 1)] - pose.s[at(edge)]);
    };
    if (before < 0) return rise(after);
    if (after < 0) return rise(before);
    const double left = pose.s[at(before + 1)] - pose.s[at(before)];
    const double right = pose.s[at(after + 1)] - pose.s[at(after)];
    return (right * rise(before) + left * rise(after)) / (left + right);
  };
  const Vec3 chord = pose.position[at(k + 1)] - pose.position[at(k)];
  const double length = pose.s[at(k + 1)] - pose.s[at(k)];
  const Vec3 first = length * slope(k) - chord;
  const Vec3 second = length * slope(k + 1) - chord;
  return pose.position[at(k)] + u * chord + u * (1 - u) * ((1 - u) * first - u * second);
}

// The same as closest_between of two segments, of the curves.
geometry::SegmentPair closest_curves(const Strand& one, int i, const Strand& other, int j) {
  constexpr int kPieces = 8;
  geometry::SegmentPair best;
  best.distance = geometry::kFarAway;
  for (int p = 0; p < kPieces; ++p)
    for (int q = 0; q < kPieces; ++q) {
      const auto piece = [&](const Strand& strand, int k, double from) {
        return Segment{curve_point(strand, k, from / kPieces), curve_point(strand, k, (from + 1) / kPieces)};
      };
      const geometry::SegmentPair near = geometry::closest_between(piece(one, i, p), piece(other, j, q));
      if (near.distance < best.distance)
        best = {(p + near.first) / kPieces, (q + near.second) / kPieces, near.distance};
    }
  return best;
}

Strand strand_of(const RodPose& pose) {
  Strand strand;
  strand.pose = &pose;
  // a pose that does not say how thick its rods are has nothing that could touch
  if (pose.outline.size() != pose.position.size() || pose.frame.size() != pose.position.size()) return strand;
  for (const Vec2& outline : pose.outline) strand.thickest = std::max(strand.thickest, outline.maxCoeff());
  for (std::size_t k = 0; k + 1 < pose.position.size(); ++k) {
    Box box;
    box.add(pose.position[k]);
    box.add(pose.position[k + 1]);
    strand.boxes.push_back(box.grown(std::max(pose.outline[k].maxCoeff(), pose.outline[k + 1].maxCoeff())));
    strand.bounds.add(strand.boxes.back());
  }
  return strand;
}

// Where two rods are joined, along each.
struct Joint {
  double first = 0;
  double second = 0;
};

// A solid in the world as it is now.
struct Thing {
  geometry::Shape shape;  // seen from `pose`
  BodyPose pose;
  Box bounds;  // in the world
  ObjectRef name;
  std::string body;  // that it is or that carries it; empty: the world
  ContactSide side;  // as contacts call it
};

Box placed(const Box& box, const BodyPose& pose) {
  if (!box.low.allFinite() || !box.high.allFinite()) return box;
  Box out;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = (corner >> axis) & 1 ? box.high[axis] : box.low[axis];
    out.add(pose.position + pose.orientation * p);
  }
  return out;
}

class ClearanceSearch {
 public:
  ClearanceSearch(const Scene& scene, const Pose& pose, std::span<const double> reach) : scene_(scene), pose_(pose) {
    for (const RodPose& rod : pose.rods) strands_.push_back(strand_of(rod));
    best_.resize(strands_.size());
    reach_.assign(reach.begin(), reach.end());
  }

  std::vector<Clearance> run() {
    for (int a = 0; a < static_cast<int>(strands_.size()); ++a) {
      rods(a, a);
      for (int b = a + 1; b < static_cast<int>(strands_.size()); ++b) rods(a, b);
    }
    for (const Thing& thing : things())
      for (int a = 0; a < static_cast<int>(strands_.size()); ++a)
        if (!carries(thing, scene_.rods[at(a)].name)) against(a, thing);
    return std::move(best_);
  }

 private:
  // Beyond this nothing of a rod is looked for.
  [[nodiscard]] double still(int a) const { return std::max(0.0, std::min(best_[at(a)].value, reach_[at(a)])); }

  void offer(int a, const Clearance& clearance) {
    if (clearance.value <= reach_[at(a)] && clearance.value < best_[at(a)].value) best_[at(a)] = clearance;
  }

  [[nodiscard]] std::vector<Joint> joints(int a, int b) const {
    std::vector<Joint> found;
    for (const Junction& junction : scene_.junctions)
      for (const RodPoint& one : junction.rods)
        for (const RodPoint& other : junction.rods) {
          if (&one == &other || one.rod != scene_.rods[at(a)].name || other.rod != scene_.rods[at(b)].name) continue;
          const auto place = [&](int rod, const ArcPosition& where) {
            return where.at(strands_[at(rod)].pose->s.back());
          };
          found.push_back({place(a, one.at), place(b, other.at)});
        }
    return found;
  }

  // Pairs of one rod, or of two.
  void rods(int a, int b) {
    const Strand& one = strands_[at(a)];
    Strand& other = strands_[at(b)];
    if (one.size() == 0 || other.size() == 0) return;
    double reach = std::max(still(a), still(b));
    if (one.bounds.square_distance(other.bounds) > reach * reach) return;
    const std::vector<Joint> joined = joints(a, b);
    // most rods do not meet themselves, and nobody asks how far they are from that
    if (a == b && reach == 0) {
      if (one.runs_on()) return;
      meeting_.set(one.boxes);
      meeting_.each([&](int i, int j) {
        if (!belong_together(a, i, b, j, joined)) pair(a, i, b, j, true);
      });
      return;
    }
    if (other.tree.empty()) other.tree.build(other.boxes);
    for (int i = 0; i < one.size(); ++i) {
      const Box& box = one.boxes[at(i)];
      if (one.is_gap(i)) continue;
      other.tree.search(box, reach, [&](int j) {
        if ((a == b && j <= i) || other.is_gap(j)) return;
        if (belong_together(a, i, b, j, joined)) return;
        pair(a, i, b, j, a == b || !joined.empty());
        reach = std::max(still(a), still(b));
      });
    }
  }

  // Neighbours along a rod or about a junction.
  [[nodiscard]] bool belong_together(int a, int i, int b, int j, const std::vector<Joint>& joined) const {
    const Strand& one = strands_[at(a)];
    const Strand& other = strands_[at(b)];
    const double near = kNeighbours * std::max(one.thickest, other.thickest);
    if (a == b) {
      const double total = one.pose->s.back() - one.pose->s.front();
      const double between = one.s(j, 0) - one.s(i, 1);
      if (j - i < 2 || between < near) return true;
      return one.pose->closed && (j - i > one.size() - 2 || total - (one.s(j, 1) - one.s(i, 0)) < near);
    }
    const auto distance = [](const Strand& strand, int k, double s) {
      return std::max({0.0, strand.s(k, 0) - s, s - strand.s(k, 1)});
    };
    return std::any_of(joined.begin(), joined.end(), [&](const Joint& joint) {
      return distance(one, i, joint.first) < near && distance(other, j, joint.second) < near;
    });
  }

  [[nodiscard]] double distance(const Strand& one, int i, const Strand& other, int j) const {
    const auto within = [](const Strand& strand, int k) {
      return strand.pose->closed ? (k + strand.size()) % strand.size() : k;
    };
    const int p = within(one, i);
    const int q = within(other, j);
    if (p < 0 || q < 0 || p >= one.size() || q >= other.size()) return geometry::kFarAway;
    if (one.is_gap(p) || other.is_gap(q)) return geometry::kFarAway;
    return geometry::closest_between(one.segment(p), other.segment(q)).distance;
  }

  void pair(int a, int i, int b, int j, bool continuous) {
    const Strand& one = strands_[at(a)];
    const Strand& other = strands_[at(b)];
    geometry::SegmentPair near = geometry::closest_between(one.segment(i), other.segment(j));
    const Vec3 apart = one.segment(i).at(near.first) - other.segment(j).at(near.second);
    // lines that cross are apart along what is square to both
    Vec3 normal = apart.stableNormalized();
    if (near.distance < 1e-9 * (one.thickest + other.thickest)) {
      const Segment first = one.segment(i);
      const Segment second = other.segment(j);
      normal = (first.to - first.from).cross(second.to - second.from).stableNormalized();
    }
    const double radius = one.reach(i, near.first, normal);
    const double other_radius = other.reach(j, near.second, normal);
    if (near.distance - radius - other_radius > std::max(still(a), still(b))) return;
    // of one continuous thing, or of things that touch, only what comes near by itself counts: a place from which the way
    // is downhill belongs to the neighbours that were left out, or leads to where they touch
    if (continuous || holds_off(a, b)) {
      const double least = std::min({distance(one, i - 1, other, j), distance(one, i + 1, other, j),
                                     distance(one, i, other, j - 1), distance(one, i, other, j + 1)});
      if (least < near.distance * (1 - 1e-9)) return;
    }
    // straight lines between nodes that overlap may be those of curves that do not
    if (near.distance < radius + other_radius) near = closest_curves(one, i, other, j);
    const double gap = near.distance - radius - other_radius;
    const double s = one.s(i, near.first);
    const double other_s = other.s(j, near.second);
    if (std::abs(gap) <= kTouch * std::min(radius, other_radius) && touch(a, s, b, other_s)) return;
    offer(a, {gap, s, radius, {ObjectKind::Rod, scene_.rods[at(b)].name}, other_s});
    if (a != b) offer(b, {gap, other_s, other_radius, {ObjectKind::Rod, scene_.rods[at(a)].name}, s});
  }

  [[nodiscard]] bool holds_off(int a, int b) const {
    return std::any_of(pose_.contacts.begin(), pose_.contacts.end(), [&](const ContactPose& contact) {
      return (contact.a.rod == a && contact.b.rod == b) || (contact.a.rod == b && contact.b.rod == a);
    });
  }

  // Where two strands hold each other off they touch: that is no lack of clearance.
  [[nodiscard]] bool touch(int a, double s, int b, double other_s) const {
    const auto near = [&](const ContactSide& side, int rod, double at_s) {
      const Strand& strand = strands_[at(rod)];
      const int k = strand.segment_at(at_s);
      return side.rod == rod && std::abs(side.s - at_s) <= 1.5 * (strand.s(k, 1) - strand.s(k, 0)) + strand.thickest;
    };
    return std::any_of(pose_.contacts.begin(), pose_.contacts.end(), [&](const ContactPose& contact) {
      return (near(contact.a, a, s) && near(contact.b, b, other_s)) ||
             (near(contact.a, b, other_s) && near(contact.b, a, s));
    });
  }

  [[nodiscard]] std::vector<Thing> things() const {
    std::vector<Thing> list;
    const auto add = [&](geometry::Shape shape, const std::string& body, ObjectRef name, const ContactSide& side) {
      const int carrier = index_of(scene_.bodies, body);
      const BodyPose pose = carrier >= 0 ? pose_.bodies[at(carrier)] : BodyPose{};
      const Box bounds = placed(geometry::bounds_of(shape), pose);
      list.push_back({std::move(shape), pose, bounds, std::move(name), body, side});
    };
    for (int b = 0; b < static_cast<int>(scene_.bodies.size()); ++b)
      if (const std::optional<geometry::Shape> shape = scene::shape_of(scene_.bodies[at(b)]))
        add(*shape, scene_.bodies[at(b)].name, {ObjectKind::Body, scene_.bodies[at(b)].name}, {.body = b});
    for (int k = 0; k < static_cast<int>(scene_.obstacles.size()); ++k) {
      const Obstacle& obstacle = scene_.obstacles[at(k)];
      add(scene::shape_of(obstacle), obstacle.body, {ObjectKind::Obstacle, obstacle.name}, {.obstacle = k});
    }
    int solid = static_cast<int>(scene_.obstacles.size());
    for (const Scenery& item : scene_.scenery)
      if (item.surface)
        add(geometry::PlacedMesh{item.surface, item.position, item.orientation}, item.body,
            {ObjectKind::Scenery, item.name}, item.solid ? ContactSide{.obstacle = solid++} : ContactSide{});
    return list;
  }

  // A drum or a wheel on it has the rod.
  [[nodiscard]] bool carries(const Thing& thing, const std::string& rod) const {
    if (thing.body.empty()) return false;
    const auto on_it = [&](const auto& part) { return part.body == thing.body && part.rod == rod; };
    return std::any_of(scene_.winches.begin(), scene_.winches.end(), on_it) ||
           std::any_of(scene_.sheaves.begin(), scene_.sheaves.end(), on_it);
  }

  void against(int a, const Thing& thing) {
    const Strand& strand = strands_[at(a)];
    if (strand.size() == 0) return;
    if (strand.bounds.square_distance(thing.bounds) > still(a) * still(a)) return;
    // the gap of every segment that is near enough
    gaps_.assign(at(strand.size()), {});
    const Quat back = thing.pose.orientation.conjugate();
    for (int k = 0; k < strand.size(); ++k) {
      const double reach = still(a);
      if (strand.is_gap(k) || strand.boxes[at(k)].square_distance(thing.bounds) > reach * reach) continue;
      const Segment segment = strand.segment(k);
      const Segment local{back * (segment.from - thing.pose.position), back * (segment.to - thing.pose.position)};
      const geometry::SegmentDistance near = geometry::distance_from(thing.shape, local, reach + strand.thickest);
      Clearance& gap = gaps_[at(k)];
      gap.radius = strand.reach(k, near.share, thing.pose.orientation * near.normal);
      gap.value = near.value - gap.radius;
      gap.s = strand.s(k, near.share);
      gap.other = thing.name;
    }
    leave_out_holds(a);
    leave_out_contacts(a, thing.side);
    for (const Clearance& gap : gaps_) offer(a, gap);
  }

  // From a hold that is on or in the solid the rod leaves it: as far as its gap rises, the two belong together.
  void leave_out_holds(int a) {
    const Strand& strand = strands_[at(a)];
    std::vector<bool> out(gaps_.size(), false);
    for (std::size_t h = 0; h < scene_.holds.size(); ++h) {
      if (scene_.holds[h].rod != scene_.rods[at(a)].name) continue;
      const int k = strand.segment_at(pose_.holds[h].s);
      if (!(gaps_[at(k)].value < 0.01 * strand.thickest)) continue;
      out[at(k)] = true;
      for (const int step : {-1, 1})
        for (int j = k + step; j >= 0 && j < strand.size(); j += step) {
          if (gaps_[at(j)].value < gaps_[at(j - step)].value) break;
          out[at(j)] = true;
        }
    }
    for (std::size_t k = 0; k < out.size(); ++k)
      if (out[k]) gaps_[k] = Clearance{};
  }

  // Where a solid holds the rod off the two touch: that is no lack of clearance, nor is what leads to it, as far as the
  // gap rises. What is in deeper than touching explains stays.
  void leave_out_contacts(int a, const ContactSide& solid) {
    const Strand& strand = strands_[at(a)];
    std::vector<bool> out(gaps_.size(), false);
    const auto touches = [&](int k) { return std::abs(gaps_[at(k)].value) <= kTouch * gaps_[at(k)].radius; };
    for (const ContactPose& contact : pose_.contacts) {
      if (contact.a.rod != a || contact.b.rod >= 0) continue;
      if (contact.b.obstacle != solid.obstacle || contact.b.body != solid.body) continue;
      const int k = strand.segment_at(contact.a.s);
      if (!touches(k)) continue;
      out[at(k)] = true;
      for (const int step : {-1, 1})
        for (int j = k + step; j >= 0 && j < strand.size(); j += step) {
          if (gaps_[at(j)].value < gaps_[at(j - step)].value && !touches(j)) break;
          out[at(j)] = true;
        }
    }
    for (std::size_t k = 0; k < out.size(); ++k)
      if (out[k]) gaps_[k] = Clearance{};
  }

  const Scene& scene_;
  const Pose& pose_;
  std::vector<Strand> strands_;
  std::vector<double> reach_;
  std::vector<Clearance> best_;
  std::vector<Clearance> gaps_;
  geometry::BoxPairs meeting_;
};

}  // namespace

bool passes_through(const Clearance& clearance) {
  return clearance.value < -kTouch * clearance.radius;
}

std::vector<Clearance> clearances(const Scene& scene, const Pose& pose, std::span<const double> reach) {
  return ClearanceSearch(scene, pose, reach).run();
}

}  // namespace filum::sim
