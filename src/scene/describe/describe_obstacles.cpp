// Obstacles and their shapes; which things hold each other off.
#include "scene/describe/make_field.hpp"
#include "scene/describe/tables.hpp"

#include <filum/scene.hpp>

namespace filum::scene {
namespace {

using enum Dimension;
using enum Need;

// ---- shapes, whose numbers are members of the obstacle

constexpr Facts kRadiusFacts{.dimension = Length, .need = Required, .range = &kPositive, .doc = "> 0"};

constexpr Field kPlaneFields[] = {
    field<&Obstacle::point>("point", {.dimension = Length, .need = Required, .doc = "any of its points"}),
    field<&Obstacle::normal>("normal",
                             {.need = Required, .direction = true, .doc = "points to the side where things may be"})};
constexpr Field kSphereFields[] = {
    field<&Obstacle::point>("centre", {.dimension = Length, .need = Required, .page = "point"}),
    field<&Obstacle::radius>("radius", kRadiusFacts)};
constexpr Field kRoundFields[] = {
    field<&Obstacle::from>("from", {.dimension = Length, .need = Required, .doc = "one end of the axis"}),
    field<&Obstacle::to>("to", {.dimension = Length, .need = Required, .doc = "the other"}),
    field<&Obstacle::radius>("radius", kRadiusFacts)};
constexpr Field kBoxFields[] = {
    field<&Obstacle::size>(
        "size", {.dimension = Length, .need = Required, .range = &kPositive, .doc = "full edge lengths, > 0"}),
    field<&Obstacle::position>("position", {.dimension = Length, .need = Shown, .doc = "of its middle"}),
    field<&Obstacle::orientation>("orientation", {.doc = "of its edges"})};
template <ObstacleShape Shape>
constexpr Field shape(std::string_view key, const Table& table, std::string_view doc) {
  return within(key, Kind::Mapping, &table,
                {.need = Shown, .fallback = "one of these", .doc = doc, .when = chosen<&Obstacle::shape, Shape>()});
}

constexpr Field kObstacleFields[] = {
    field<&Obstacle::name>("name", {.need = Shown, .fallback = "`obstacle 1`, …"}),
    shape<ObstacleShape::Plane>("plane", tables::plane, "the ground, a wall: all that is behind it is solid"),
    shape<ObstacleShape::Sphere>("sphere", tables::sphere, "a ball"),
    shape<ObstacleShape::Box>("box", tables::box, "a block"),
    shape<ObstacleShape::Capsule>("capsule", tables::capsule, "a cylinder with round ends"),
    shape<ObstacleShape::Cylinder>("cylinder", tables::cylinder, "with flat ends: a post, a roller"),
    field<&Obstacle::mesh>(
        "mesh",
        {.need = Shown,
         .fallback = "one of these",
         .doc = "triangles: a file `.obj`, `.stl`, `.ply`, `.gltf`, `.glb` or `.iv`, beside the scene's "
                "unless its path says otherwise. A closed mesh is solid, whichever way its "
                "triangles turn; an open one is a thin shell with two outsides",
         .when = chosen<&Obstacle::shape, ObstacleShape::Mesh>()},
        Kind::File),
    field<&Obstacle::scale>("scale",
                            {.range = &kPositive,
                             .doc = "of a mesh, factor on the file's numbers: `0.001` for one in millimetres",
                             .when = only<&Obstacle::shape, ObstacleShape::Mesh>("{}: only a mesh has a scale")}),
    field<&Obstacle::position>("position",
                               {.dimension = Length,
                                .doc = "of a mesh",
                                .when = only<&Obstacle::shape, ObstacleShape::Mesh>("{}: the shape says where it is")}),
    field<&Obstacle::orientation>(
        "orientation",
        {.doc = "of a mesh", .when = only<&Obstacle::shape, ObstacleShape::Mesh>("{}: the shape says how it lies")}),
    field<&Obstacle::friction>("friction",
                               {.range = &kNotNegative,
                                .doc = "coefficient of friction, where no pair of materials says another"}),
    field<&Obstacle::material>("material",
                               {.fallback = "none", .doc = "of its surface: what a pair of `contact` goes by"}),
    field<&Obstacle::body>(
        "body", {.fallback = "the world", .doc = "moves with this body; its numbers are then seen from the body"})};

constexpr Field kFrictionPairFields[] = {
    field<&FrictionPair::material>(
        "material", {.need = Required, .doc = "a material's name, or another that an obstacle, a body or scenery has"}),
    field<&FrictionPair::against>("against", {.need = Required, .doc = "likewise; it may be the same"}),
    field<&FrictionPair::friction>("friction",
                                   {.need = Required, .range = &kNotNegative, .doc = "their coefficient of friction"})};

constexpr Field kContactFields[] = {
    field<&Contact::obstacles>("obstacles",
                               {.doc = "obstacles hold rods (and bodies, where the formulation has it) off. `false`: "
                                       "they are only watched, as clearance and as «passes through»"}),
    field<&Contact::rods>(
        "rods", {.doc = "rods hold each other and themselves off (`kirchhoff` and `cosserat`, with the "
                        "default stepper, `chain`). `false`: they are only watched, likewise"}),
    field<&Contact::friction>("friction", {.range = &kNotNegative, .doc = "coefficient of friction of rods on rods"}),
    list<&Contact::pairs>("pairs", tables::friction_pair,
                          {.doc = "list: coefficients of friction of two materials on each other, in either order. They "
                                  "count before those of obstacles, bodies, scenery and rods",
                           .items = "pairs of materials"})};

}  // namespace

namespace tables {
constinit const Table plane{.id = "plane", .what = "plane", .fields = kPlaneFields, .type = &kType<Obstacle>};
constinit const Table sphere{.id = "sphere", .what = "sphere", .fields = kSphereFields, .type = &kType<Obstacle>};
constinit const Table box{.id = "box", .what = "box", .fields = kBoxFields, .type = &kType<Obstacle>};
constinit const Table capsule{.id = "capsule", .what = "capsule", .fields = kRoundFields, .type = &kType<Obstacle>};
constinit const Table cylinder{.id = "cylinder", .what = "cylinder", .fields = kRoundFields, .type = &kType<Obstacle>};
constinit const Table obstacle{.id = "obstacle",
                               .what = "obstacle",
                               .fields = kObstacleFields,
                               .type = &kType<Obstacle>,
                               .name = &kObstacleFields[0],
                               .one_of = true};
constinit const Table friction_pair{
    .id = "friction_pair", .what = "pair of materials", .fields = kFrictionPairFields, .type = &kType<FrictionPair>};
constinit const Table contact{.id = "contact", .what = "contact", .fields = kContactFields, .type = &kType<Contact>};
}  // namespace tables

}  // namespace filum::scene
