#include "formulations/chain/reeving/wheel_path.hpp"

#include "base/index.hpp"
#include "formulations/chain/reeving/rope_path.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::chain {

WheelPlace place_of(const ModelData& model, const ChainState& state, int wheel) {
  const Wheel& w = model.wheels[at(wheel)];
  const Vec3 mark = math::any_perpendicular(w.axis);
  if (w.body < 0) return {w.point, w.axis, mark};
  const PartState& part = state.parts[state.elements.size() + at(w.body)];
  return {part.position + part.orientation * w.point, part.orientation * w.axis, part.orientation * mark};
}

double wrap_angle(const Vec3& before, const Vec3& after, const Vec3& axis) {
  const double angle = math::signed_angle(before - axis.dot(before) * axis, after - axis.dot(after) * axis, axis);
  return angle < -0.5 * math::kPi ? angle + 2 * math::kPi : angle;
}

namespace {

// The way of a rod as the scene has it: from end to end over its wheels, in their order along it.
struct Way {
  std::vector<int> wheels;
  std::vector<Pulley> places;  // the ends, too
  RopePath path;
};

Way way_of(const ModelData& model, int rod) {
  const RodData& data = model.rods[at(rod)];
  Way way;
  std::vector<int>& wheels = way.wheels;
  for (int w = 0; w < static_cast<int>(model.wheels.size()); ++w)
    if (model.wheels[at(w)].rod == rod) wheels.push_back(w);
  std::sort(wheels.begin(), wheels.end(), [&](int a, int b) { return model.wheels[at(a)].s < model.wheels[at(b)].s; });
  way.places.push_back({data.boundaries.front().position, Vec3::Zero(), 0});
  for (const int w : wheels) {
    const Wheel& wheel = model.wheels[at(w)];
    Pulley pulley{wheel.point, wheel.axis, wheel.radius};
    if (wheel.body >= 0) {
      const Body& body = model.scene->bodies[at(wheel.body)];
      pulley.centre = body.position + body.orientation * wheel.point;
      pulley.axis = body.orientation * wheel.axis;
    }
    way.places.push_back(pulley);
  }
  way.places.push_back({data.boundaries.back().position, Vec3::Zero(), 0});
  find_path(way.places, way.path);
  return way;
}

}  // namespace

double length_over_wheels(const ModelData& model, int rod) {
  return way_of(model, rod).path.length;
}

void lay_over_wheels(const ModelData& model, int rod, std::vector<Element>& elements, std::vector<PartState>& parts) {
  const RodData& data = model.rods[at(rod)];
  const auto [wheels, places, path] = way_of(model, rod);
  // material in proportion to the way, elements in proportion to the straight parts
  const double scale = data.length / path.length;
  double s = 0;
  Vec3 normal = data.frame.front().col(0);
  for (std::size_t j = 0; j < path.part.size(); ++j) {
    const double length = scale * path.part[j];
    const int count = std::max(1, static_cast<int>(std::lround(length / data.element)));
    const Vec3 way = path.arrives[j + 1] - path.leaves[j];
    const Mat3 frame = math::frame_from(way, normal);
    for (int i = 0; i < count; ++i) {
      Element element{rod, s + length * i / count, s + length * (i + 1) / count, -1};
      if (i + 1 == count && j + 1 < path.part.size()) element.wheel = wheels[j];
      elements.push_back(element);
      PartState part;
      part.position = path.leaves[j] + way * ((i + 0.5) / count);
      part.orientation = Quat(frame).normalized();
      parts.push_back(part);
    }
    s += length;
    if (j + 1 < path.part.size()) {
      s += scale * places[j + 1].radius * path.angle[j + 1];
      normal = math::exp_so3(path.angle[j + 1] * places[j + 1].axis) * frame.col(0);
    }
  }
  // neighbours share their boundary to the last bit
  for (std::size_t e = 1; e < elements.size(); ++e)
    if (elements[e].rod == rod && elements[e - 1].rod == rod && elements[e - 1].wheel < 0)
      elements[e].begin = elements[e - 1].end;
}

}  // namespace filum::chain
