// The top level, how a scene is simulated and what is recorded; the list of all records.
#include "scene/describe/make_field.hpp"
#include "scene/describe/tables.hpp"

#include <filum/scene.hpp>

namespace filum::scene {
namespace {

using enum Dimension;
using enum Need;

// ---- simulation

constexpr Word kModes[] = {{"statics", Mode::Statics}, {"dynamics", Mode::Dynamics}};
constexpr Word kSteppers[] = {
    {"implicit", Stepper::Implicit}, {"projection", Stepper::Projection}, {"variational", Stepper::Variational}};
constexpr Word kIntegrators[] = {{"energy-momentum", Integrator::EnergyMomentum},
                                 {"implicit-euler", Integrator::ImplicitEuler},
                                 {"bdf2", Integrator::Bdf2},
                                 {"generalised-alpha", Integrator::GeneralisedAlpha},
                                 {"runge-kutta", Integrator::RungeKutta}};
constexpr Word kStarts[] = {
    {"relaxed", StartKind::Relaxed}, {"as-shaped", StartKind::AsShaped}, {"equilibrium", StartKind::Equilibrium}};

constexpr Field kIntegratorFields[] = {
    choice<&Simulation::integrator>("name", kIntegrators, {.need = Required, .doc = "one of the words above"}),
    field<&Simulation::spectral_radius>(
        "spectral_radius",
        {.need = Shown,
         .range = &kShare,
         .doc = "of `generalised-alpha`: the share of the fastest oscillations that a step leaves, 0 to 1",
         .when = only<&Simulation::integrator, Integrator::GeneralisedAlpha>(
             "only the integrator generalised-alpha has a spectral_radius")})};

constexpr Field kStartWord = choice<&Simulation::start>("start", kStarts, {});
constexpr Field kStartFields[] = {
    field<&Simulation::start_result>("result",
                                     {.need = Required,
                                      .doc = "the folder of an earlier run's result, relative to the scene file",
                                      .page = "start_result",
                                      .when = chosen<&Simulation::start, StartKind::Result>()},
                                     Kind::File),
    planned("t")};

constexpr Field kChainFields[] = {
    field<&ChainOptions::sweeps>(
        "sweeps",
        {.range = &kNotNegative,
         .doc =
             "0: one direct solve over all rods, ropes and bodies; else so many block Gauss-Seidel sweeps over groups, "
             "each rod and all that couples them ([theory](theory/hoisting.md#direct-or-by-sweeps)); steps that they "
             "leave unsolved by more than 1e-3 are counted as short of convergence"}),
    field<&ChainOptions::damping>("damping",
                                  {.dimension = Time,
                                   .range = &kNotNegative,
                                   .doc = "of the joints: stress from the strain and `damping` times its rate"}),
    field<&ChainOptions::detail>(
        "detail",
        {.range = &kUpToHalf,
         .doc =
             "level of detail: how far the shape may differ from that of all the rod's `segments`, as a share of its "
             "length, at most 0.5 (1e-3 is a good value): elements become one where the rod is straight and two where "
             "it bends, never shorter than `segments` says. 0: they stay as they are"})};

constexpr Field kSplineFields[] = {
    choice<&SplineOptions::basis>(
        "basis", kCurveBases,
        {.doc =
             "`b-spline`: of fourth order; `catmull-rom`: through its control points, of second order; `nurbs`: with "
             "the weights of the rod's `control` shape, all one if it has none"}),
    field<&SplineOptions::detail>(
        "detail",
        {.range = &kUpToHalf,
         .doc =
             "adaptive knots: how far they may leave the curve, as a share of the rod's length, at most 0.5 "
             "(1e-5 is a good value): segments become two where the curvature asks for it and one where it does not, "
             "`segments` is what they begin with. 0: they stay as they are"})};

constexpr Field kSimulationFields[] = {
    field<&Simulation::formulation>(
        "formulation",
        {.need = Shown,
         .doc = "`kirchhoff`: statics and dynamics; `cosserat`: the same rods, statics at interactive rate and motion, "
                "[how "
                "it works](theory/cosserat.md); `chain`: rigid segments for cranes and hoists, a fixed step and huge "
                "loads, [how it works](theory/hoisting.md); `spline`: cubic splines of few control points, of fourth "
                "order, [how it works](theory/spline.md)"},
        Kind::Formulation),
    choice<&Simulation::mode>(
        "mode", kModes, {.need = Shown, .free = true, .doc = "what the workbench starts in; the command's verb wins"}),
    choice<&Simulation::stepper>(
        "stepper", kSteppers,
        {.doc = "how a run goes on: `implicit`, Newton's method to convergence, rods that stretch; `projection`, an "
                "explicit step projected onto inextensible rods; `variational`, discrete Euler-Lagrange equations with "
                "inextensible rods"}),
    within("integrator", Kind::Mapping, &tables::integrator,
           {.fallback = "`energy-momentum`",
            .doc = "of the stepper `implicit`: also `implicit-euler`, `bdf2`, `generalised-alpha`, in "
                   "the formulation `spline` `runge-kutta`; or a mapping of the keys below"}),
    field<&Simulation::rotary_inertia>(
        "rotary_inertia",
        {.doc = "`true`: cross-sections have rotary inertia about all three of their axes, with its gyroscopic "
                "moments, with `energy-momentum` and `implicit-euler` and in natural modes; without it "
                "`energy-momentum` has that about the tangent"}),
    field<&Simulation::step>("step", {.dimension = Time,
                                      .need = Shown,
                                      .range = &kPositive,
                                      .free = true,
                                      .fallback = "`1/60`",
                                      .doc = "length of a step; the longest one if `tolerance` is given"}),
    field<&Simulation::tolerance>("tolerance",
                                  {.range = &kPositive,
                                   .free = true,
                                   .doc = "steps adapt: the error allowed in one, as a share of the longest rod"}),
    field<&Simulation::iterations>(
        "iterations", {.range = &kNotNegative,
                       .free = true,
                       .doc = "above 0: bounded cost, at most so many Newton iterations a step, converged or "
                              "not. No step is halved: what one lacks is left to the next, and reported"}),
    field<&Simulation::end>(
        "end", {.dimension = Time, .need = Shown, .range = &kNotNegative, .free = true, .doc = "where a run ends"}),
    within(
        "start", Kind::Mapping, &tables::start,
        {.free = true,
         .fallback = "`relaxed`",
         .doc =
             "what a run begins from: `relaxed`, the shapes, and rods drawn longer or shorter than they are by more "
             "than 1 % at their own length first, which is told; `as-shaped`, stretched where they are drawn so; "
             "`equilibrium`, or `{result: "
             "FOLDER}`: the last state of an earlier run. Another instant `t` of it is not supported, because the "
             "recorded frames do not keep all that a state remembers (spins of edges, twist without inertia, the past "
             "of an integrator): end the first run there (`--set simulation.end=…`)"}),
    mapping<&Simulation::chain>("chain", tables::chain,
                                {.fallback = "see below", .doc = "options of the formulation `chain`"}),
    mapping<&Simulation::spline>("spline", tables::spline,
                                 {.fallback = "see below", .doc = "options of the formulation `spline`"})};

// ---- record

constexpr Field kProbeFields[] = {
    field<&Probe::name>("name", {.need = Shown, .fallback = "`probe 1`, …"}),
    field<&Probe::point, &RodPoint::rod>("rod", {.need = Required, .doc = "the rod's name"}),
    field<&Probe::point, &RodPoint::at>("at", {.need = Required, .doc = "the place"})};
constexpr Field kRecordFields[] = {
    field<&filum::Record::every>(
        "every",
        {.dimension = Time, .need = Shown, .range = &kNotNegative, .doc = "time between records; 0: every step"}),
    list<&filum::Record::probes>("probes", tables::probe, {.doc = "places whose history is kept"})};

// ---- the whole

constexpr Field kSceneFields[] = {
    also("filum", Kind::Version, {.need = Required, .doc = "version of the format: `1`"}),
    field<&Scene::title>("title", {.free = true, .fallback = "empty", .doc = "a line for people"}, Kind::Line),
    field<&Scene::gravity>("gravity", {.dimension = Acceleration, .need = Shown}),
    named<&Scene::materials>("materials", tables::material, {.doc = "by name"}),
    named<&Scene::sections>("sections", tables::section, {.doc = "by name"}),
    named<&Scene::rods>("rods", tables::rod, {.doc = "by name"}),
    named<&Scene::bodies>("bodies", tables::body, {.doc = "by name: rigid bodies"}),
    named<&Scene::scenery>(
        "scenery", tables::scenery,
        {.free = true, .doc = "by name: meshes to look at, which hold nothing off; what passes through them is told"}),
    list<&Scene::holds>("holds", tables::hold, {.doc = "list"}),
    list<&Scene::junctions>("junctions", tables::junction, {.doc = "list"}),
    list<&Scene::joints>("joints", tables::joint,
                         {.doc = "list: how bodies move against each other, for the formulation `chain`"}),
    list<&Scene::forces>("forces", tables::force, {.doc = "list"}),
    list<&Scene::torques>("torques", tables::torque, {.doc = "list"}),
    list<&Scene::distributed>("distributed", tables::distributed,
                              {.doc = "list: forces along rods", .items = "distributed forces"}),
    list<&Scene::obstacles>("obstacles", tables::obstacle,
                            {.doc = "list: what things come to lie on, or must keep clear of"}),
    mapping<&Scene::contact>("contact", tables::contact,
                             {.fallback = "with obstacles", .doc = "which things hold each other off"}),
    // one list of three kinds, told apart by the key that names an item
    list<&Scene::winches>("reeving", tables::winch,
                          {.doc = "list: winches, sheaves and massless ropes, for the formulation `chain`",
                           .page = "winches",
                           .items = "winches, sheaves and ropes"}),
    list<&Scene::sheaves>("reeving", tables::sheave, {.page = "sheaves"}),
    list<&Scene::ropes>("reeving", tables::rope, {.page = "ropes"}),
    list<&Scene::drivers>("drivers", tables::driver, {.free = true, .doc = "list"}),
    list<&Scene::routing>("routing", tables::routing,
                          {.free = true,
                           .doc = "list: rods that find their own length in statics",
                           .items = "rods that find their lengths"}),
    list<&Scene::wires>("wires", tables::wire,
                        {.free = true, .doc = "list: wires of a harness, whose lengths the harness report tells"}),
    mapping<&Scene::simulation>("simulation", tables::simulation,
                                {.need = Shown, .fallback = "statics", .doc = "how to solve it"}),
    mapping<&Scene::record>("record", tables::record,
                            {.free = true, .fallback = "every step", .doc = "what to record of a run"})};

constexpr const Table* kAll[] = {
    &tables::material,     &tables::circle,      &tables::tube,          &tables::rectangle,   &tables::ellipse,
    &tables::given,        &tables::bundle_wire, &tables::bundle,        &tables::bend_limit,  &tables::arc,
    &tables::helix,        &tables::control,     &tables::curve,         &tables::rest,        &tables::breaking_strain,
    &tables::limits,       &tables::damping,     &tables::lay,           &tables::station,     &tables::rod,
    &tables::orientation,  &tables::body,        &tables::scenery,       &tables::fix,         &tables::clip_strength,
    &tables::clip_capture, &tables::clip,        &tables::hold,          &tables::rod_point,   &tables::junction,
    &tables::joint,        &tables::force,       &tables::torque,        &tables::distributed, &tables::keyframe,
    &tables::driver,       &tables::routing,     &tables::winch,         &tables::sheave,      &tables::rope_point,
    &tables::rope,         &tables::plane,       &tables::sphere,        &tables::box,         &tables::capsule,
    &tables::cylinder,     &tables::obstacle,    &tables::friction_pair, &tables::contact,     &tables::chain,
    &tables::spline,       &tables::integrator,  &tables::wire_part,     &tables::wire,        &tables::start,
    &tables::simulation,   &tables::probe,       &tables::record,        &tables::scene};

}  // namespace

namespace tables {
constinit const Table integrator{.id = "integrator",
                                 .what = "integrator",
                                 .fields = kIntegratorFields,
                                 .type = &kType<Simulation>,
                                 .word = &kIntegratorFields[0]};
constinit const Table start{
    .id = "start", .what = "start", .fields = kStartFields, .type = &kType<Simulation>, .word = &kStartWord};
constinit const Table chain{.id = "chain",
                            .what = "chain",
                            .fields = kChainFields,
                            .doc = "Options of the formulation chain",
                            .type = &kType<ChainOptions>};
constinit const Table spline{.id = "spline",
                             .what = "spline",
                             .fields = kSplineFields,
                             .doc = "Options of the formulation spline",
                             .type = &kType<SplineOptions>};
constinit const Table simulation{
    .id = "simulation", .what = "simulation", .fields = kSimulationFields, .type = &kType<Simulation>};
constinit const Table probe{
    .id = "probe", .what = "probe", .fields = kProbeFields, .type = &kType<Probe>, .name = &kProbeFields[0]};
constinit const Table record{.id = "record", .what = "record", .fields = kRecordFields, .type = &kType<filum::Record>};
constinit const Table scene{.id = "scene", .what = "scene", .fields = kSceneFields, .type = &kType<Scene>};
}  // namespace tables

std::span<const Table* const> all_tables() {
  return kAll;
}

}  // namespace filum::scene
