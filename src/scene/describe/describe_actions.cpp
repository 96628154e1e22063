// Bodies, scenery, holds, junctions, loads, drivers, lengths to be found.
#include "scene/describe/make_field.hpp"
#include "scene/describe/tables.hpp"

#include <filum/scene.hpp>

namespace filum::scene {
namespace {

using enum Dimension;
using enum Need;

// ---- bodies and what is drawn with them

constexpr Word kMotions[] = {{"fixed", BodyMotion::Fixed}, {"driven", BodyMotion::Driven}, {"free", BodyMotion::Free}};

constexpr Field kBodyFields[] = {
    field<&Body::box>("box", {.dimension = Length,
                              .range = &kNotNegative,
                              .fallback = "a point",
                              .doc = "full edge lengths",
                              .when = chosen<&Body::shape, BodyShape::Box>()}),
    field<&Body::sphere>("sphere", {.dimension = Length,
                                    .range = &kPositive,
                                    .fallback = "a point",
                                    .doc = "instead of a box: radius",
                                    .when = chosen<&Body::shape, BodyShape::Sphere>()}),
    field<&Body::round>("cylinder", {.dimension = Length,
                                     .range = &kPositive,
                                     .fallback = "a point",
                                     .doc = "likewise: `[radius, length]` along its z axis",
                                     .page = "round",
                                     .when = chosen<&Body::shape, BodyShape::Cylinder>()}),
    field<&Body::round>("capsule", {.dimension = Length,
                                    .range = &kPositive,
                                    .fallback = "a point",
                                    .doc = "likewise, with round ends on top of the length",
                                    .page = "-",
                                    .when = chosen<&Body::shape, BodyShape::Capsule>()}),
    field<&Body::mesh>("mesh",
                       {.need = Shown,
                        .fallback = "a point",
                        .doc = "likewise: the file of a closed mesh, as an obstacle's. Its centre of mass "
                               "comes to lie at `position`, and its axes are to be principal ones; `scenery` shows it",
                        .when = chosen<&Body::shape, BodyShape::Mesh>()},
                       Kind::File),
    field<&Body::scale>("scale", {.range = &kPositive,
                                  .doc = "of a mesh, factor on the file's numbers",
                                  .when = only<&Body::shape, BodyShape::Mesh>("{}: only a mesh has a scale")}),
    field<&Body::mass>("mass",
                       {.dimension = Mass, .range = &kNotNegative, .doc = "a free body needs one, or a density"}),
    field<&Body::density>("density", {.dimension = Density,
                                      .range = &kNotNegative,
                                      .doc = "instead of a mass: mass and inertia are those of the shape"}),
    field<&Body::inertia>("inertia", {.dimension = Inertia,
                                      .range = &kNotNegative,
                                      .even = true,
                                      .fallback = "that of the shape, of even density",
                                      .doc = "about the centre of mass and the body's own axes: three numbers, or one "
                                             "for all three. None is more than the sum of the other two"}),
    field<&Body::position>("position", {.dimension = Length, .need = Shown, .doc = "of the centre of mass"}),
    field<&Body::orientation>("orientation",
                              {.need = Shown, .doc = "see «directions» above; its axes are the principal ones"}),
    field<&Body::velocity>("velocity", {.dimension = Velocity, .doc = "of a free body at the start of a run"}),
    field<&Body::spin>("spin", {.dimension = Spin, .doc = "likewise, world axes"}),
    choice<&Body::motion>(
        "motion", kMotions,
        {.need = Shown, .doc = "`driven`: by a driver; `free`: by gravity, by what holds it and by loads"}),
    field<&Body::solid>("solid", {.doc = "its shape holds rods off, as an [obstacle](#obstacles) does that it carries; "
                                         "a free one is pushed in its turn and, in a run by `kirchhoff`, "
                                         "`cosserat` or `chain`, lies on obstacles and on other solid bodies"}),
    field<&Body::friction>("friction", {.range = &kNotNegative, .doc = "of a solid one: coefficient of friction"}),
    field<&Body::material>("material", {.fallback = "none", .doc = "of its surface, as an obstacle's"})};
constexpr Field kBodyName = field<&Body::name>("name", {});

constexpr Field kSceneryFields[] = {
    field<&Scenery::mesh>("mesh",
                          {.need = Required,
                           .doc = "file `.obj`, `.stl`, `.ply`, `.gltf` or `.glb`, beside the scene's unless its path "
                                  "says otherwise"},
                          Kind::File),
    field<&Scenery::position>("position", {.dimension = Length, .doc = "seen from the body, if there is one"}),
    field<&Scenery::orientation>("orientation", {.doc = "likewise"}),
    field<&Scenery::scale>(
        "scale", {.range = &kPositive, .doc = "factor on the file's numbers: `0.001` for one in millimetres"}),
    field<&Scenery::body>("body", {.fallback = "the world", .doc = "drawn with this body"}),
    field<&Scenery::solid>("solid", {.doc = "it holds rods off, as an [obstacle](#obstacles) of this mesh does"}),
    field<&Scenery::friction>("friction", {.range = &kNotNegative, .doc = "of a solid one: coefficient of friction"}),
    field<&Scenery::material>("material", {.fallback = "none", .doc = "of its surface, as an obstacle's"})};
constexpr Field kSceneryName = field<&Scenery::name>("name", {});

// ---- holds and junctions

constexpr Field kFixFields[] = {
    field<&Fix::position>("position", {.doc = "along these world axes: `true`, `false` or a list such as `[y, z]`"}),
    field<&Fix::orientation>("orientation",
                             {.doc = "likewise about them: all, none, or two, which leaves a hinge about the third"})};

constexpr Field kStrengthFields[] = {
    field<&ClipStrength::pull>(
        "pull",
        {.dimension = Force, .range = &kPositive, .doc = "the load that pulls it open along its `axis`, outwards"}),
    field<&ClipStrength::shear>(
        "shear",
        {.dimension = Force, .range = &kPositive, .doc = "likewise square to the axis and to the rod, either way"}),
    field<&ClipStrength::along>(
        "along", {.dimension = Force, .range = &kPositive, .doc = "likewise along the rod, either way"})};
constexpr Field kCaptureFields[] = {
    field<&ClipCapture::radius>("radius", {.dimension = Length,
                                           .need = Required,
                                           .range = &kPositive,
                                           .doc = "the rod is caught as soon as it comes as near as this; after it "
                                                  "was pulled out, not before it has been twice as far away"}),
    field<&ClipCapture::passes>(
        "passes", {.direction = true, .fallback = "any", .doc = "the direction, either way, of a rod that lies in it"}),
    field<&ClipCapture::cone>(
        "cone", {.dimension = Angle, .range = &kPositive, .doc = "largest angle between the rod and `passes`"}),
    field<&ClipCapture::direction>("direction", {.doc = "it then holds the orientation too, as it finds it"})};
constexpr Field kClipFields[] = {
    mapping<&Clip::strength>("strength", tables::clip_strength,
                             {.fallback = "bears everything", .doc = "what it bears, by directions"}),
    mapping<&Clip::capture>("capture", tables::clip_capture,
                            {.fallback = "catches nothing", .doc = "when an open clip takes hold of its rod"}),
    field<&Clip::insertion_force>(
        "insertion_force",
        {.dimension = Force,
         .range = &kPositive,
         .fallback = "none: it is caught at once",
         .doc = "with `capture`: a rod that has come near rests in the mouth until it is pushed against the `axis` by "
                "this force; then it snaps in. Pulled away before, it is free again"})};

constexpr Field kHoldFields[] = {
    field<&Hold::name>("name", {.need = Shown, .fallback = "`hold 1` for the first of the list, …"}),
    field<&Hold::rod>("rod", {.need = Required, .doc = "the rod's name"}),
    field<&Hold::at>("at", {.need = Required, .doc = "the place"}),
    mapping<&Hold::fix>(
        "fix", tables::fix,
        {.need = Required, .doc = "a list of `position` and `orientation`, each once; or a mapping of the keys below"},
        Kind::Fix),
    field<&Hold::slide>(
        "slide", {.doc = "the rod may slide through; the position must be fixed. With the orientation fixed too it "
                         "is a guide, as long as a segment, that holds the tangent: the rod slides and turns about "
                         "itself in it freely"}),
    field<&Hold::friction>("friction",
                           {.dimension = Force,
                            .range = &kNotNegative,
                            .doc = "of a hold that slides: the force along the rod up to which it does not, "
                                   "and against which it does"}),
    field<&Hold::body>("body",
                       {.fallback = "the world",
                        .doc = "held to this body: the hold keeps the place relative to it that the scene gives "
                               "both"}),
    field<&Hold::position>("position", {.dimension = Length,
                                        .fallback = "where the shape puts it",
                                        .doc = "in world coordinates also with a `body`; the position must be fixed"}),
    field<&Hold::orientation>("orientation", {.fallback = "as the shape has it",
                                              .doc = "likewise in world coordinates; the orientation must be fixed"}),
    field<&Hold::max_pull>("max_pull", {.dimension = Force,
                                        .range = &kNotNegative,
                                        .free = true,
                                        .doc = "largest allowed force on it along the rod, either way"}),
    field<&Hold::max_shear>("max_shear", {.dimension = Force,
                                          .range = &kNotNegative,
                                          .free = true,
                                          .doc = "largest allowed force on it square to the rod"}),
    field<&Hold::axis>(
        "axis", {.direction = true, .doc = "of a clip: the way out of it, in world coordinates; turns with the body"}),
    mapping<&Hold::clip>(
        "clip", tables::clip,
        {.doc = "it is pulled open by its load, and may catch the rod; with `fix: []` it begins open"})};

constexpr Field kRodPointFields[] = {field<&RodPoint::rod>("rod", {.need = Required, .doc = "the rod's name"}),
                                     field<&RodPoint::at>("at", {.need = Required, .doc = "the place"})};
constexpr Field kJunctionFields[] = {field<&Junction::name>("name", {.need = Shown, .fallback = "`junction 1`, …"}),
                                     list<&Junction::rods>("rods", tables::rod_point,
                                                           {.need = Required,
                                                            .least = 2,
                                                            .doc = "two places or more, each with `rod` and `at`",
                                                            .items = "places {rod: …, at: …}"})};

// ---- loads, on a place of a rod or on a body

template <class Load>
bool acts_on_rod(const void* load) {
  return static_cast<const Load*>(load)->body.empty();
}
template <class Load>
constexpr When on_rod(std::string_view otherwise) {
  return {acts_on_rod<Load>, nullptr, otherwise};
}

template <class Load>
constexpr std::array<Field, 5> load_fields(const Field& value) {
  return {
      field<&Load::point, &RodPoint::rod>("rod", {.need = Required,
                                                  .fallback = "this or `body`",
                                                  .doc = "acts on this rod",
                                                  .missing = "'rod' or 'body'",
                                                  .when = on_rod<Load>("{} acts on a rod or on a body, not on both")}),
      field<&Load::point, &RodPoint::at>(
          "at", {.need = Required,
                 .fallback = "with `rod`",
                 .doc = "at this place",
                 .when = on_rod<Load>("{} acts on a body's centre of mass: 'at' is for rods")}),
      field<&Load::body>("body",
                         {.fallback = "this or `rod`, `at`", .doc = "acts on the centre of mass of this free body"}),
      value,
      field<&Load::follow>("follow", {.doc = "`true`: turns with the rod's section or the body, otherwise keeps its "
                                             "direction in space"})};
}
constexpr auto kForceFields =
    load_fields<PointForce>(field<&PointForce::force>("force", {.dimension = Force, .need = Required}));
constexpr auto kTorqueFields =
    load_fields<PointTorque>(field<&PointTorque::torque>("torque", {.dimension = Moment, .need = Required}));
constexpr Field kDistributedFields[] = {
    field<&DistributedForce::rod>("rod", {.need = Required, .doc = "the rod's name"}),
    field<&DistributedForce::from>("from", {.need = Shown, .fallback = "`start`"}),
    field<&DistributedForce::to>("to", {.need = Shown, .doc = "beyond `from`"}),
    field<&DistributedForce::force_per_length>(
        "force_per_length",
        {.dimension = ForcePerLength, .need = Required, .doc = "per length of the unstretched rod"})};

// ---- drivers

constexpr Field kKeyframeFields[] = {
    field<&Keyframe::t>("t", {.dimension = Time, .need = Required, .range = &kNotNegative, .doc = "increasing"}),
    field<&Keyframe::position>("position", {.dimension = Length, .doc = "of a body or hold"}),
    field<&Keyframe::orientation>("orientation", {.doc = "of a body or hold"}),
    field<&Keyframe::turns>(
        "turns", {.dimension = Turns, .doc = "of a hold: about the rod's own tangent, counted on beyond full turns"}),
    field<&Keyframe::scale>("scale", {.doc = "of a force or torque: factor on the listed value; of a joint: on its "
                                             "motor's spin or speed, and on its torque or force"}),
    field<&Keyframe::length>(
        "length", {.dimension = Length,
                   .range = &kPositive,
                   .doc = "of a rod or rope: its unstretched length. A rod is scaled as a whole: a place given "
                          "in metres (`at: 0.3`) moves in proportion, as a share would. The first keyframe of "
                          "a rope that has no `length` of its own names one"}),
    field<&Keyframe::speed>("speed", {.dimension = Velocity,
                                      .doc = "of a winch: above zero pays out, below hauls in. A rod on a winch has no "
                                             "driven length"}),
    field<&Keyframe::tied>("tied",
                           {.doc = "of a rope: `false` unties it from this time on, `true` ties it again, as long "
                                   "as it then lies. In a run only"}),
    mapping<&Keyframe::fix>("fix", tables::fix,
                            {.doc = "of a hold: from this time on it fixes this, in the forms of a hold's `fix`; `[]`: "
                                    "nothing. In a run only"},
                            Kind::Fix)};

template <DriverKind Target>
constexpr Field driven(std::string_view key, std::string_view doc) {
  return field<&Driver::target>(
      key, {.need = Shown, .fallback = "one target", .doc = doc, .when = chosen<&Driver::kind, Target>()});
}
template <DriverKind Target>
constexpr Field driven_load(std::string_view key, std::string_view doc) {
  return field<&Driver::index>(key, {.need = Shown,
                                     .range = &kNotNegative,
                                     .fallback = "one target",
                                     .doc = doc,
                                     .when = chosen<&Driver::kind, Target>()});
}
constexpr Field kDriverFields[] = {
    driven<DriverKind::Body>("body", "a body with `motion: driven`"),
    driven<DriverKind::Hold>("hold", "a hold's name"),
    driven_load<DriverKind::Force>("force", "a force by its place in the list, counted from 0"),
    driven_load<DriverKind::Torque>("torque", "a torque likewise"),
    driven<DriverKind::Rod>("rod", "a rod, for its length"),
    driven<DriverKind::Winch>("winch", "a winch, for its speed"),
    driven<DriverKind::Rope>("rope", "a massless rope, for its length"),
    driven<DriverKind::Joint>("joint", "a joint between bodies, for its motor or its force"),
    list<&Driver::path>("path", tables::keyframe,
                        {.need = Required,
                         .least = 1,
                         .doc = "one keyframe or more, with increasing times",
                         .page = "keys",
                         .items = "keyframes {t: …}"})};

// ---- routing

constexpr Word kRoutingModes[] = {{"self-finding", RoutingMode::SelfFinding}, {"pulled", RoutingMode::Pulled}};
constexpr When kPulled = only<&Routing::mode, RoutingMode::Pulled>(
    "a self-finding rod finds the lengths of all its parts: 'from' and 'to' are for mode pulled");

constexpr Field kRoutingFields[] = {
    field<&Routing::rod>("rod", {.need = Required, .doc = "the rod's name"}),
    choice<&Routing::mode>(
        "mode", kRoutingModes,
        {.need = Required,
         .doc =
             "`self-finding`: every part between neighbouring holds or junctions takes the length at which bending and "
             "twist are in balance with `pull`; `pulled`: between `from` and `to` the rod gets longer, never shorter, "
             "until its mean tension there is no more than `pull`"}),
    field<&Routing::pull>("pull",
                          {.dimension = Force,
                           .range = nullptr,
                           .fallback = "self-finding: required; pulled: 1e-4 of the stretch stiffness EA",
                           .doc = "zero or more (pulled: above zero). From straight, with a large one, to bent, with a "
                                  "small one"}),
    field<&Routing::from>("from",
                          {.need = Shown, .fallback = "`start`", .doc = "mode `pulled` alone", .when = kPulled}),
    field<&Routing::to>("to", {.need = Shown, .doc = "mode `pulled` alone: beyond `from`", .when = kPulled}),
    field<&Routing::longest>(
        "longest", {.dimension = Length,
                    .range = &kPositive,
                    .fallback = "ten times the drawn shape",
                    .doc = "the rod gets no longer than this; of several self-finding parts each has its share "
                           "of it"})};

// ---- wires of a harness

constexpr Field kWirePartFields[] = {field<&WirePart::rod>("rod", {.need = Required, .doc = "the rod's name"})};
constexpr Field kWireFields[] = {field<&Wire::name>("name", {.need = Shown, .fallback = "`wire 1`, …"}),
                                 list<&Wire::along>("along", tables::wire_part,
                                                    {.need = Required,
                                                     .least = 1,
                                                     .doc = "the rods that it runs along, from end to end, each whole",
                                                     .items = "rods {rod: …}"})};

}  // namespace

namespace tables {
constinit const Table wire_part{.id = "wire_part", .what = "", .fields = kWirePartFields, .type = &kType<WirePart>};
constinit const Table wire{
    .id = "wire", .what = "wire", .fields = kWireFields, .type = &kType<Wire>, .name = &kWireFields[0]};
constinit const Table body{
    .id = "body", .what = "body", .fields = kBodyFields, .type = &kType<Body>, .name = &kBodyName};
constinit const Table scenery{
    .id = "scenery", .what = "scenery", .fields = kSceneryFields, .type = &kType<Scenery>, .name = &kSceneryName};
constinit const Table fix{.id = "fix", .what = "fix", .fields = kFixFields, .type = &kType<Fix>};
constinit const Table clip_strength{
    .id = "clip_strength", .what = "", .fields = kStrengthFields, .type = &kType<ClipStrength>};
constinit const Table clip_capture{
    .id = "clip_capture", .what = "", .fields = kCaptureFields, .type = &kType<ClipCapture>};
constinit const Table clip{.id = "clip", .what = "clip", .fields = kClipFields, .type = &kType<Clip>};
constinit const Table hold{
    .id = "hold", .what = "hold", .fields = kHoldFields, .type = &kType<Hold>, .name = &kHoldFields[0]};
constinit const Table rod_point{.id = "rod_point", .what = "", .fields = kRodPointFields, .type = &kType<RodPoint>};
constinit const Table junction{.id = "junction",
                               .what = "junction",
                               .fields = kJunctionFields,
                               .type = &kType<Junction>,
                               .name = &kJunctionFields[0]};
constinit const Table force{.id = "force", .what = "force", .fields = kForceFields, .type = &kType<PointForce>};
constinit const Table torque{.id = "torque", .what = "torque", .fields = kTorqueFields, .type = &kType<PointTorque>};
constinit const Table distributed{
    .id = "distributed", .what = "distributed force", .fields = kDistributedFields, .type = &kType<DistributedForce>};
constinit const Table keyframe{
    .id = "keyframe", .what = "keyframe", .fields = kKeyframeFields, .type = &kType<Keyframe>};
constinit const Table driver{
    .id = "driver", .what = "driver", .fields = kDriverFields, .type = &kType<Driver>, .one_of = true};
constinit const Table routing{.id = "routing",
                              .what = "routing",
                              .fields = kRoutingFields,
                              .doc = "A rod that finds its own length in statics",
                              .type = &kType<Routing>};
}  // namespace tables

}  // namespace filum::scene
