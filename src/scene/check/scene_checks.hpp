// The validator's parts. Each may rely on what the parts before it have checked.
#pragma once

#include "scene/check/fault_list.hpp"
#include "scene/lookup.hpp"

#include <filum/scene.hpp>

#include <unordered_map>

namespace filum::scene {

struct Checks {
  explicit Checks(const Scene& checked) : scene(checked), names(checked) {}

  const Scene& scene;
  Names names;
  std::unordered_map<const Rod*, double> lengths;  // of the rods found right
  Report report;

  void doubles();    // names that stand twice, names that are none
  void materials();  // and gravity
  void sections();
  void rods();
  void bodies();
  void scenery();
  void holds();
  void junctions();
  void loads();
  void joints();
  void reeving();
  void obstacles();
  void drivers();
  void routing();
  void wires();
  void simulation();

  // A place on a named rod: both must exist. Returns its arc length, or a negative number if they do not.
  double place(const Where& where, const RodPoint& point);
  double place(const Where& where, std::string_view key, const Rod& rod, const ArcPosition& at);

 private:
  void curve(const Where& where, const Curve& curve, bool closed);
  void control(const Where& where, const Curve& curve);
  void bundle_wire(const Where& where, const BundleWire& wire);
  void yielding(const Where& where, const Section& section);
  void rod(const Where& where, const Rod& rod);
  void lay(const Where& where, const Rod& rod, const std::string& section_name, const Stiffness& made);
  void rod_section(const Where& where, const Rod& rod, const std::string& section, const std::string& material);
  void stations(const Where& where, const Rod& rod);
  void inertia(const Where& where, const Vec3& inertia);
  void body_shape(const Where& where, const Body& body);
  void hold(const Where& where, const Hold& hold);
  void free_hold(const Where& where, const Hold& hold);
  void clip(const Where& where, const Hold& hold, const Body* body);
  void fixed_axes(const Where& where, const Hold& hold, const FixedAxes& orientation);
  void doubly_held();
  void jointly_held(const Where& where, const Junction& junction);
  void load_target(const Where& where, const RodPoint& point, const std::string& body, const char* what);
  void joint(const Where& where, const BodyJoint& joint);
  void reeving_names();
  const Body* carrier(const Where& where, const std::string& body);
  void winch(const Where& where, const Winch& winch);
  void gear(const Where& where, const Winch& winch);
  void winch_alone(const Where& where, const Winch& winch, double length);
  void sheave(const Where& where, const Sheave& sheave);
  void rope_point(const Where& where, const RopePoint& point, bool tied);
  void rope(const Where& where, const Rope& rope);
  void obstacle(const Where& where, const Obstacle& obstacle);
  void friction_pairs(const Where& around);
  void driver(const Where& where, const Driver& driver);
  void rod_driver(const Where& where, const std::string& target);
  void winch_driver(const Where& where, const std::string& target);
  void rope_driver(const Where& where, const Driver& driver);
  void keyframe(const Where& where, const Driver& driver, const Keyframe& key);
  void hold_keyframe(const Where& where, const Driver& driver, const Keyframe& key);
  void free_hold_keyframe(const Where& where, const Hold& hold, const Keyframe& key);
  void indexed_driver(const Where& where, std::string_view key, int index, std::size_t count);
  void route(const Where& where, std::size_t index);
  void overlaps(const Where& where, std::size_t index);
  void stepping(const Where& where, const Simulation& simulation);
};

}  // namespace filum::scene
