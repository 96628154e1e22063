#include "validation/random_equilibria.hpp"

#include "math/rotation.hpp"
#include "validation/numbers.hpp"
#include "validation/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace filum::validation {

namespace random_equilibria {

// Rubber of a hose or a band, and steel.
void add_stuff(Scene& scene, Numbers& some) {
  Material rubber;
  rubber.young = some.scaled(2e6, 2e8);
  rubber.poisson = 0.45;
  rubber.density = 1200;
  Material steel;
  steel.young = 2e11;
  steel.poisson = 0.3;
  steel.density = 7800;
  scene.materials = {{"rubber", rubber}, {"steel", steel}};
  Section hose;
  hose.shape = SectionShape::Tube;
  hose.outer_radius = some.between(0.004, 0.008);
  hose.inner_radius = 0.002;
  Section wire;
  wire.shape = SectionShape::Circle;
  wire.radius = some.between(0.0005, 0.0015);
  Section band;
  band.shape = SectionShape::Rectangle;
  band.width = some.between(0.008, 0.016);
  band.height = some.between(0.0015, 0.004);
  scene.sections = {{"hose", hose}, {"wire", wire}, {"band", band}};
}

Vec3 direction(Numbers& some) {
  Vec3 way = some.vector(1);
  while (way.norm() < 0.2) way = some.vector(1);
  return way.normalized();
}

Quat some_rotation(Numbers& some, double largest) {
  return Quat(Eigen::AngleAxisd(some.between(0, largest), direction(some)));
}

// The orientation that a straight rod of the scene is drawn in.
Quat drawn_orientation(const Rod& rod) {
  const Vec3 along = rod.shape.points.back() - rod.shape.points.front();
  return bishop_frames({&along, 1}, *rod.normal).front();
}

// A straight one from `from`, with some slack, of one of the three sections.
Rod some_rod(Numbers& some, const std::string& name, const Vec3& from, double length) {
  Rod rod;
  rod.name = name;
  const int section = some.below(3);
  rod.section = section == 0 ? "hose" : section == 1 ? "wire" : "band";
  rod.material = section == 1 ? "steel" : "rubber";
  rod.segments = std::array{20, 30, 50}[static_cast<std::size_t>(some.below(3))];
  rod.length = length;
  rod.shape = line(from, from + length * some.between(0.6, 0.98) * direction(some));
  rod.normal = direction(some);
  if (some.odds(0.3)) {
    rod.rest.kind = RestKind::Uniform;
    rod.rest.curvature = Vec2(some.between(-3, 3), some.between(-3, 3)) / length;
    rod.rest.twist_rate = some.between(-3, 3) / length;
  }
  return rod;
}

Stiffness stiffness_of(const Scene& scene, const Rod& rod) {
  const auto named = [](const auto& list, const std::string& name) {
    return std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.name == name; });
  };
  return stiffness(named(scene.sections, rod.section)->section, named(scene.materials, rod.material)->material);
}

// Some of its own weight, in any direction: at a place, and spread along a part.
void add_loads(Scene& scene, Numbers& some, const Rod& rod) {
  const double weight = kGravity * stiffness_of(scene, rod).mass_per_length * *rod.length;
  if (some.odds(0.4)) {
    PointForce& force = scene.forces.emplace_back();
    force.point = {rod.name, {some.between(0.1, 1), 0}};
    force.force = some.scaled(0.1, 2) * weight * direction(some);
  }
  if (some.odds(0.3)) {
    DistributedForce& load = scene.distributed.emplace_back();
    load.rod = rod.name;
    load.from = {some.between(0, 0.4), 0};
    load.to = {some.between(0.5, 1), 0};
    load.force_per_length = some.scaled(0.1, 2) * weight / *rod.length * direction(some);
  }
}

// Clamped as drawn, or turned from there.
Hold some_clamp(Numbers& some, const Rod& rod, ArcPosition at) {
  Hold hold = clamp(at, rod.name);
  if (some.odds(0.6)) hold.orientation = some_rotation(some, 2) * drawn_orientation(rod);
  return hold;
}

// Clamped, pinned, guided along an axis, or free.
void hold_end(Scene& scene, Numbers& some, const Rod& rod, double free_share) {
  if (some.odds(free_share)) return;
  const int way = some.below(4);
  Hold hold = way == 0 ? pin(kEnd, rod.name) : some_clamp(some, rod, kEnd);
  if (way == 1) {
    hold.fix.position[static_cast<std::size_t>(some.below(3))] = false;
    hold.orientation.reset();
  }
  scene.holds.push_back(hold);
}

void make_span(Scene& scene, Numbers& some) {
  const Rod rod = some_rod(some, "rod", Vec3::Zero(), some.scaled(0.2, 1.5));
  scene.rods = {rod};
  scene.holds.push_back(some_clamp(some, rod, kStart));
  hold_end(scene, some, rod, 0.2);
  add_loads(scene, some, rod);
}

// A trunk with two or three branches, some of which go on in another rod.
void make_tree(Scene& scene, Numbers& some) {
  const Rod trunk = some_rod(some, "trunk", Vec3::Zero(), some.between(0.2, 0.9));
  scene.rods = {trunk};
  scene.holds.push_back(clamp(kStart, "trunk"));
  Junction fork;
  fork.name = "fork";
  fork.rods = {{"trunk", kEnd}};
  const int branches = 2 + some.below(2);
  for (int k = 0; k < branches; ++k) {
    Rod branch = some_rod(some, "branch" + std::to_string(k), trunk.shape.points.back(), some.between(0.15, 0.7));
    fork.rods.push_back({branch.name, kStart});
    scene.rods.push_back(branch);
    if (some.odds(0.3)) {
      const Rod twig = some_rod(some, branch.name + "x", branch.shape.points.back(), some.between(0.1, 0.4));
      Junction& joint = scene.junctions.emplace_back();
      joint.name = "at " + branch.name;
      joint.rods = {{branch.name, kEnd}, {twig.name, kStart}};
      scene.rods.push_back(twig);
      branch = twig;
    }
    hold_end(scene, some, branch, 0.4);
    add_loads(scene, some, branch);
  }
  scene.junctions.push_back(fork);
}

void make_ring(Scene& scene, Numbers& some) {
  const double radius = some.between(0.05, 0.3);
  Rod rod = some_rod(some, "rod", Vec3::Zero(), 2 * math::kPi * radius);
  rod.closed = true;
  rod.length.reset();
  rod.normal.reset();
  rod.segments = 60;
  rod.twist = 2 * math::kPi * some.between(-1.5, 1.5);
  rod.rest = {};
  if (some.odds(0.3)) rod.rest.kind = RestKind::AsShaped;
  rod.shape = {};
  rod.shape.kind = CurveKind::Arc;
  rod.shape.axis = direction(some);
  rod.shape.start = radius * rod.shape.axis.cross(Vec3(0.3, -0.5, 1)).normalized();
  rod.shape.angle = 2 * math::kPi;
  scene.rods = {rod};
  scene.holds.push_back(clamp(kStart, "rod"));
  if (some.odds(0.3)) scene.holds.push_back(pin({some.between(0.3, 0.7), 0}, "rod"));
}

// A body at the end of a rod, perhaps on a second one too.
void make_body(Scene& scene, Numbers& some) {
  Rod rod = some_rod(some, "rod", Vec3::Zero(), some.scaled(0.2, 1.2));
  scene.rods = {rod};
  scene.holds.push_back(some_clamp(some, rod, kStart));
  Body& body = scene.bodies.emplace_back();
  body.name = "load";
  body.motion = BodyMotion::Free;
  body.mass = some.scaled(0.01, 0.5);
  body.box = Vec3(0.05, 0.04, 0.03);
  body.position = rod.shape.points.back() + some.vector(0.03);
  Hold grip = some.odds(0.6) ? clamp(kEnd, "rod") : pin(kEnd, "rod");
  grip.body = "load";
  scene.holds.push_back(grip);
  add_loads(scene, some, rod);
  if (!some.odds(0.4)) return;
  Rod second = some_rod(some, "second", body.position + some.vector(0.03), some.scaled(0.2, 1.2));
  scene.rods.push_back(second);
  Hold other = clamp(kStart, "second");
  other.body = "load";
  scene.holds.push_back(other);
  hold_end(scene, some, second, 0);
}

void make_slider(Scene& scene, Numbers& some) {
  make_span(scene, some);
  const Rod& rod = scene.rods.front();
  const int count = 1 + some.below(2);
  for (int k = 0; k < count; ++k) {
    const double place = count == 1 ? some.between(0.3, 0.7) : some.between(0.2, 0.4) + 0.4 * k;
    Hold hold = pin({place, 0}, "rod");
    hold.slide = true;
    const Vec3 along = rod.shape.points.back() - rod.shape.points.front();
    hold.position = rod.shape.points.front() + place * along + some.vector(0.1 * *rod.length);
    scene.holds.push_back(hold);
  }
}

// A force that turns with the end of a cantilever.
void make_follower(Scene& scene, Numbers& some) {
  const Rod rod = some_rod(some, "rod", Vec3::Zero(), some.scaled(0.2, 1.2));
  scene.rods = {rod};
  scene.holds.push_back(clamp(kStart, "rod"));
  const double bending = stiffness_of(scene, rod).EI.minCoeff() / (*rod.length * *rod.length);
  PointForce& force = scene.forces.emplace_back();
  force.point = {"rod", kEnd};
  force.follow = true;
  force.force = some.scaled(1, 450) * bending * direction(some);
}

void make_strip(Scene& scene, Numbers& some) {
  make_span(scene, some);
  Rod& rod = scene.rods.front();
  Section strip;
  strip.shape = SectionShape::Rectangle;
  strip.width = *rod.length * some.scaled(0.005, 0.05);
  strip.height = strip.width / some.scaled(2, 60);
  scene.sections.push_back({"strip", strip});
  rod.section = "strip";
  rod.material = some.odds(0.5) ? "steel" : "rubber";
}

// Wants to be wound up and is heavy.
void make_curl(Scene& scene, Numbers& some) {
  Rod rod = some_rod(some, "rod", Vec3::Zero(), some.scaled(0.2, 2));
  const double length = *rod.length;
  rod.section = "curl";
  rod.material.clear();
  const double weight = 1;  // N
  const double bending = weight * length * length / some.scaled(3, 3000);
  const double second = some.scaled(1, 10);
  scene.sections.push_back({"curl", given_section(1e4 * bending / (length * length), Vec2(bending, second * bending),
                                                  0.7 * bending, weight / (kGravity * length))});
  rod.segments = 50 + some.below(3) * 25;
  rod.rest.kind = RestKind::Uniform;
  rod.rest.curvature = Vec2(2 * math::kPi * some.between(0.5, 4) / length, 0);
  rod.rest.twist_rate = some.odds(0.5) ? 0 : some.between(-3, 3) / length;
  scene.rods = {rod};
  scene.holds.push_back(clamp(kStart, "rod"));
  hold_end(scene, some, rod, 0.7);
}

// Between two clamps turned against each other, drawn with bows of a twentieth of its length.
void make_twisted(Scene& scene, Numbers& some) {
  Rod rod = some_rod(some, "rod", Vec3::Zero(), some.scaled(1, 5));
  const double length = *rod.length;
  rod.rest = {};
  rod.segments = 500 + 250 * some.below(3);
  const Vec3 way = direction(some);
  rod.shape = {};
  rod.shape.kind = CurveKind::Spline;
  for (int k = 0; k <= 6; ++k) {
    const bool inside = k > 0 && k < 6;
    rod.shape.points.push_back(length *
                               (some.between(0.94, 0.96) * k / 6 * way + (inside ? some.vector(0.05) : Vec3::Zero())));
  }
  rod.twist = 2 * math::kPi * some.between(-3, 3);
  scene.rods = {rod};
  scene.holds.push_back(clamp(kStart, "rod"));
  scene.holds.push_back(clamp(kEnd, "rod"));
  if (some.odds(0.5)) scene.gravity.setZero();
}

}  // namespace random_equilibria

Scene resting_scene(RestingKind kind, std::uint64_t seed) {
  using namespace random_equilibria;
  Numbers some(seed);
  Scene scene;
  add_stuff(scene, some);
  switch (kind) {
    case RestingKind::Span:
      make_span(scene, some);
      break;
    case RestingKind::Tree:
      make_tree(scene, some);
      break;
    case RestingKind::Ring:
      make_ring(scene, some);
      break;
    case RestingKind::Body:
      make_body(scene, some);
      break;
    case RestingKind::Slider:
      make_slider(scene, some);
      break;
    case RestingKind::Follower:
      make_follower(scene, some);
      break;
    case RestingKind::Strip:
      make_strip(scene, some);
      break;
    case RestingKind::Curl:
      make_curl(scene, some);
      break;
    case RestingKind::Twisted:
      make_twisted(scene, some);
      break;
  }
  return scene;
}

}  // namespace filum::validation
