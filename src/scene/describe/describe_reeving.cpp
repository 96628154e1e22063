// Winches, sheaves, massless ropes.
#include "scene/describe/make_field.hpp"
#include "scene/describe/tables.hpp"

#include <filum/scene.hpp>

namespace filum::scene {
namespace {

using enum Dimension;
using enum Need;

constexpr Word kRopeEnds[] = {{"start", RopeEnd::Start}, {"end", RopeEnd::End}};
constexpr Word kEnds[] = {{"start", 0}, {"end", 1}};

constexpr Field kWinchFields[] = {
    field<&Winch::name>("winch", {.need = Required, .doc = "its name", .page = "name"}),
    field<&Winch::rod>("rod", {.need = Required, .doc = "the rod that it pays out and hauls in"}),
    choice<&Winch::at>(
        "at", kEnds,
        {.need = Required,
         .doc = "`start` or `end`. Nothing else holds or joins that end, and nothing else sets the rod's "
                "length"}),
    field<&Winch::body>("body", {.fallback = "the world", .doc = "what the drum sits on"}),
    field<&Winch::point>(
        "point",
        {.dimension = Length, .fallback = "where the shape puts that end", .doc = "where the rod leaves the drum"}),
    field<&Winch::drum_radius>(
        "drum_radius", {.dimension = Length, .range = &kNotNegative, .doc = "for the drum's torque; 0: not known"}),
    field<&Winch::speed>("speed",
                         {.dimension = Velocity,
                          .free = true,
                          .doc = "above zero pays out, below hauls in; may be driven. A drum winds no more than a "
                                 "thousand elements a step"}),
    field<&Winch::max_force>("max_force", {.dimension = Force,
                                           .range = &kPositive,
                                           .free = true,
                                           .doc = "beyond it the brake slips, at about this force"}),
    field<&Winch::shortest>("shortest", {.dimension = Length,
                                         .range = &kPositive,
                                         .free = true,
                                         .doc = "of the free length: there it stops. No more than the rod's `length`"}),
    field<&Winch::longest>(
        "longest",
        {.dimension = Length, .range = &kPositive, .free = true, .doc = "likewise; no less than the rod's `length`"}),
    field<&Winch::geared_to>("geared_to", {.fallback = "none",
                                           .doc = "a winch whose drum turns this one: it pays out `ratio` times as "
                                                  "much, and has no speed, force or driver of its own. Where one of "
                                                  "the two comes to its stop both stop"}),
    field<&Winch::ratio>("ratio",
                         {.doc = "with `geared_to`: not zero; below zero the one hauls in what the other pays out"})};

constexpr Field kSheaveFields[] = {
    field<&Sheave::name>("sheave", {.need = Required, .doc = "its name", .page = "name"}),
    field<&Sheave::rod>("rod", {.need = Required, .doc = "the rod that runs over it"}),
    field<&Sheave::at>(
        "at", {.need = Required,
               .doc = "about where along the rod the wheel is: the order of several. The rod is laid over its "
                      "wheels from one drawn end to the other, straight between, whatever is drawn there, and "
                      "without a `length` of its own it is as long as that way; an orientation held at such an end "
                      "is to be given"}),
    field<&Sheave::body>("body", {.fallback = "the world", .doc = "what the wheel sits on"}),
    field<&Sheave::point>("point", {.dimension = Length, .need = Required, .doc = "its centre"}),
    field<&Sheave::axis>("axis", {.need = Required, .direction = true, .doc = "not zero"}),
    field<&Sheave::radius>(
        "radius",
        {.dimension = Length, .need = Required, .range = &kPositive, .doc = "of the rod's centre line round it, > 0"}),
    field<&Sheave::friction>("friction",
                             {.range = &kNotNegative,
                              .doc = "of rod on wheel: the tensions at the two sides differ by a factor of up to "
                                     "exp(friction · angle of wrap). Without `inertia` the wheel stands still"}),
    field<&Sheave::inertia>(
        "inertia",
        {.dimension = Inertia,
         .range = &kNotNegative,
         .doc = "of a wheel that turns about its axis: with its rod, or with `friction` as far as that drags it"})};

// The file has another word for the body of a wheel.
bool is_eye(const void* point) {
  return static_cast<const RopePoint*>(point)->radius == 0;
}
bool is_wheel(const void* point) {
  return !is_eye(point);
}
constexpr Field kRopePointFields[] = {
    field<&RopePoint::body>("body",
                            {.fallback = "the world", .doc = "the body of an eye", .when = {.applies = is_eye}}),
    field<&RopePoint::body>("sheave", {.fallback = "the world",
                                       .doc = "the body of a wheel, instead of `body`",
                                       .page = "-",
                                       .when = {.applies = is_wheel}}),
    field<&RopePoint::point>("point",
                             {.dimension = Length, .need = Required, .doc = "of the eye, or the wheel's centre"}),
    field<&RopePoint::radius>("radius", {.dimension = Length,
                                         .range = &kNotNegative,
                                         .fallback = "0: an eye",
                                         .doc = "of a wheel: required with a `sheave`"}),
    field<&RopePoint::axis>("axis",
                            {.direction = true,
                             .fallback = "whichever way it bends",
                             .doc = "in which sense the rope goes round the wheel, by the right hand (over it from "
                                    "−x to +x: [0, 1, 0]; under it: [0, -1, 0])"}),
    field<&RopePoint::friction>("friction", {.range = &kNotNegative, .doc = "as a sheave's, also of an eye"})};

constexpr Field kRopeFields[] = {
    field<&Rope::name>("rope", {.need = Required, .doc = "its name", .page = "name"}),
    field<&Rope::stiffness>(
        "stiffness",
        {.dimension = ForcePerLength, .range = &kNotNegative, .doc = "of the whole rope; 0: it does not stretch"}),
    field<&Rope::length>("length", {.dimension = Length,
                                    .range = &kPositive,
                                    .fallback = "as it lies at the start",
                                    .doc = "unstretched; may be driven"}),
    list<&Rope::through>(
        "through", tables::rope_point,
        {.need = Required,
         .least = 2,
         .doc = "two points or more, from end to end; it is tied to the first and the last, which have "
                "neither radius nor friction",
         .items = "points {body: …, point: …}"}),
    field<&Rope::breaking_tension>("breaking_tension",
                                   {.dimension = Force, .range = &kPositive, .free = true, .doc = "there it breaks"}),
    choice<&Rope::wound>("wound", kRopeEnds,
                         {.doc = "at which end a driven `length` takes rope in and gives it out: `start` or `end`. It "
                                 "matters where friction keeps the tensions apart"}),
    field<&Rope::tied>("tied", {.doc = "`false`: it begins untied and pulls at nothing until a driver ties it"})};

}  // namespace

namespace tables {
constinit const Table winch{.id = "winch",
                            .what = "winch",
                            .fields = kWinchFields,
                            .doc = "A drum that pays a rod out and hauls it in",
                            .type = &kType<Winch>,
                            .name = &kWinchFields[0]};
constinit const Table sheave{.id = "sheave",
                             .what = "sheave",
                             .fields = kSheaveFields,
                             .doc = "A wheel over which a rod runs",
                             .type = &kType<Sheave>,
                             .name = &kSheaveFields[0]};
constinit const Table rope_point{.id = "rope_point",
                                 .what = "point",
                                 .fields = kRopePointFields,
                                 .doc = "An eye, or with a radius a wheel",
                                 .type = &kType<RopePoint>};
constinit const Table rope{.id = "rope",
                           .what = "rope",
                           .fields = kRopeFields,
                           .doc = "A massless rope, straight between the points that it runs through",
                           .type = &kType<Rope>,
                           .name = &kRopeFields[0]};
}  // namespace tables

}  // namespace filum::scene
