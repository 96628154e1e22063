// What there is: materials, sections, rods, bodies, scenery.
#include "io/scene/scene_parts.hpp"
#include "io/yaml/yaml_scalar.hpp"

#include <fmt/format.h>

namespace filum::io {
namespace {

Material read_material(const Node& node, const std::string& label) {
  const Fields fields(node, keys::material, label);
  Material material;
  material.young = fields.number("young", Dimension::Pressure);
  material.poisson = fields.number("poisson", Dimension::Number);
  material.density = fields.number("density", Dimension::Density);
  return material;
}

struct NamedShape {
  const char* name;
  SectionShape shape;
  const MapSpec* spec;
};
constexpr NamedShape kShapes[] = {{"circle", SectionShape::Circle, &keys::circle},
                                  {"tube", SectionShape::Tube, &keys::tube},
                                  {"rectangle", SectionShape::Rectangle, &keys::rectangle},
                                  {"ellipse", SectionShape::Ellipse, &keys::ellipse},
                                  {"given", SectionShape::Given, &keys::given}};

const NamedShape& read_shape_name(const Node& node, const std::string& label) {
  if (!node.is_mapping())
    refuse(node, fmt::format("{}: expected a mapping {{shape: …}}, found {}", label, node.describe()));
  const Node* shape = node.find("shape");
  if (!shape) refuse(node, fmt::format("missing key 'shape' in {}", label));
  for (const NamedShape& known : kShapes)
    if (shape->is_scalar() && shape->text == known.name) return known;
  refuse(*shape, fmt::format("expected circle, tube, rectangle, ellipse or given, found {}", shape->describe()));
}

Section read_section(const Node& node, const std::string& label) {
  const NamedShape& named = read_shape_name(node, label);
  const Fields fields(node, *named.spec, fmt::format("{} ({})", label, named.name));
  Section section;
  section.shape = named.shape;
  switch (named.shape) {
    case SectionShape::Circle:
      section.radius = fields.number("radius", Dimension::Length);
      break;
    case SectionShape::Tube:
      section.outer_radius = fields.number("outer_radius", Dimension::Length);
      section.inner_radius = fields.number("inner_radius", Dimension::Length);
      fields.number("fill_density", section.fill_density, Dimension::Density);
      break;
    case SectionShape::Rectangle:
      section.width = fields.number("width", Dimension::Length);
      section.height = fields.number("height", Dimension::Length);
      break;
    case SectionShape::Ellipse:
      section.radii = read_vec2(fields.require("radii"), Dimension::Length);
      break;
    case SectionShape::Given:
      section.EA = fields.number("EA", Dimension::Force);
      section.EI = read_vec2(fields.require("EI"), Dimension::BendStiffness);
      section.GJ = fields.number("GJ", Dimension::BendStiffness);
      section.mass_per_length = fields.number("mass_per_length", Dimension::MassPerLength);
      fields.number("radius", section.radius, Dimension::Length);
      break;
  }
  return section;
}

Limits read_limits(const Node& node, const std::string& label) {
  const Fields fields(node, keys::limits, "limits of " + label);
  Limits limits;
  fields.number("min_bend_radius", limits.min_bend_radius, Dimension::Length);
  fields.number("max_tension", limits.max_tension, Dimension::Force);
  fields.number("max_hold_force", limits.max_hold_force, Dimension::Force);
  fields.number("max_transverse_force", limits.max_transverse_force, Dimension::Force);
  fields.number("breaking_tension", limits.breaking_tension, Dimension::Force);
  return limits;
}

std::vector<Station> read_stations(const Node& node, const std::string& label) {
  expect_list(node, "stations");
  std::vector<Station> stations;
  for (const Node& item : node.children) {
    const Fields fields(item, keys::station, fmt::format("station {} of {}", stations.size(), label));
    Station station;
    station.s = read_arc_position(fields.require("s"));
    station.section = read_text(fields.require("section"));
    fields.optional("material", station.material, read_text);
    stations.push_back(std::move(station));
  }
  return stations;
}

// Rayleigh's two factors have two dimensions.
void expect_pair(const Node& node) {
  if (node.is_sequence() && node.size() == 2) return;
  refuse(node, fmt::format("expected two numbers [alpha, beta], found {}", node.describe()));
}

Damping read_damping(const Node& node, const std::string& label) {
  const Fields fields(node, keys::damping, "damping of " + label);
  Damping damping;
  if (const Node* rayleigh = fields.find("rayleigh")) {
    expect_pair(*rayleigh);
    damping.mass = read_number(rayleigh->children[0], Dimension::Rate);
    damping.stiffness = read_number(rayleigh->children[1], Dimension::Time);
  }
  fields.number("bend", damping.bend, Dimension::BendDamping);
  fields.number("twist", damping.twist, Dimension::BendDamping);
  fields.number("stretch", damping.stretch, Dimension::Impulse);
  fields.number("air", damping.air, Dimension::AreaDensity);
  return damping;
}

Rod read_rod(const std::string& name, const Node& node, const std::string& folder) {
  const Fields fields(node, keys::rod, fmt::format("rod {}", shown(name)));
  Rod rod;
  rod.name = name;
  fields.optional("material", rod.material, read_text);
  rod.section = read_text(fields.require("section"));
  fields.number("length", rod.length, Dimension::Length);
  fields.optional("segments", rod.segments, read_integer);
  rod.shape = read_curve(fields.require("shape"), folder, fields.label());
  fields.optional("rest", rod.rest, [&](const Node& n) { return read_rest(n, folder, fields.label()); });
  fields.optional("normal", rod.normal, [](const Node& n) { return read_vec3(n, Dimension::Number); });
  fields.optional("limits", rod.limits, [&](const Node& n) { return read_limits(n, fields.label()); });
  fields.optional("closed", rod.closed, read_flag);
  fields.number("twist", rod.twist, Dimension::Angle);
  fields.optional("stations", rod.stations, [&](const Node& n) { return read_stations(n, fields.label()); });
  fields.optional("extensible", rod.extensible, read_flag);
  fields.optional("velocity", rod.velocity, [](const Node& n) { return read_vec3(n, Dimension::Velocity); });
  fields.optional("spin", rod.spin, [](const Node& n) { return read_vec3(n, Dimension::Spin); });
  fields.optional("damping", rod.damping, [&](const Node& n) { return read_damping(n, fields.label()); });
  return rod;
}

// Three principal values, or one for a body that is the same about all axes.
Vec3 read_inertia(const Node& node) {
  if (node.is_scalar()) return Vec3::Constant(read_number(node, Dimension::Inertia));
  return read_vec3(node, Dimension::Inertia);
}

Body read_body(const std::string& name, const Node& node) {
  const Fields fields(node, keys::body, fmt::format("body {}", shown(name)));
  const auto length3 = [](const Node& n) { return read_vec3(n, Dimension::Length); };
  Body body;
  body.name = name;
  fields.optional("box", body.box, length3);
  fields.number("mass", body.mass, Dimension::Mass);
  fields.optional("inertia", body.inertia, read_inertia);
  fields.optional("position", body.position, length3);
  fields.optional("orientation", body.orientation, read_orientation);
  fields.optional("velocity", body.velocity, [](const Node& n) { return read_vec3(n, Dimension::Velocity); });
  fields.optional("spin", body.spin, [](const Node& n) { return read_vec3(n, Dimension::Spin); });
  fields.optional("motion", body.motion, [](const Node& n) { return read_word(n, kMotions); });
  return body;
}

Scenery read_scenery_item(const std::string& name, const Node& node) {
  const Fields fields(node, keys::scenery, fmt::format("scenery {}", shown(name)));
  Scenery scenery;
  scenery.name = name;
  scenery.mesh = read_text(fields.require("mesh"));
  fields.optional("position", scenery.position, [](const Node& n) { return read_vec3(n, Dimension::Length); });
  fields.optional("orientation", scenery.orientation, read_orientation);
  fields.number("scale", scenery.scale, Dimension::Number);
  fields.optional("body", scenery.body, read_text);
  return scenery;
}

}  // namespace

void read_materials(const Node& node, Scene& scene) {
  expect_mapping(node, "materials by name");
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::string& name = node.key(i).text;
    scene.materials.push_back({name, read_material(node.value(i), fmt::format("material {}", shown(name)))});
  }
}

void read_sections(const Node& node, Scene& scene) {
  expect_mapping(node, "sections by name");
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::string& name = node.key(i).text;
    scene.sections.push_back({name, read_section(node.value(i), fmt::format("section {}", shown(name)))});
  }
}

void read_rods(const Node& node, const std::string& folder, Scene& scene) {
  expect_mapping(node, "rods by name");
  for (std::size_t i = 0; i < node.size(); ++i) scene.rods.push_back(read_rod(node.key(i).text, node.value(i), folder));
}

void read_scenery(const Node& node, Scene& scene) {
  expect_mapping(node, "scenery by name");
  for (std::size_t i = 0; i < node.size(); ++i)
    scene.scenery.push_back(read_scenery_item(node.key(i).text, node.value(i)));
}

void read_bodies(const Node& node, Scene& scene) {
  expect_mapping(node, "bodies by name");
  for (std::size_t i = 0; i < node.size(); ++i) scene.bodies.push_back(read_body(node.key(i).text, node.value(i)));
}

}  // namespace filum::io
