// Materials, sections, rods and their shapes.
#include "scene/describe/make_field.hpp"
#include "scene/describe/tables.hpp"

#include <filum/scene.hpp>

namespace filum::scene {
namespace {

using enum Dimension;
using enum Need;

// ---- materials

constexpr Field kMaterialFields[] = {
    field<&MaterialEntry::material, &Material::young>(
        "young", {.dimension = Pressure, .need = Required, .range = &kStiff, .doc = "Young's modulus, > 0"}),
    field<&MaterialEntry::material, &Material::poisson>(
        "poisson", {.need = Required, .range = nullptr, .doc = "Poisson's ratio, greater than -1 and at most 0.5"}),
    field<&MaterialEntry::material, &Material::density>(
        "density", {.dimension = Density, .need = Required, .range = &kNotNegative, .doc = "zero or more"}),
    field<&MaterialEntry::material, &Material::yield>(
        "yield", {.dimension = Pressure,
                  .range = &kStiff,
                  .fallback = "never",
                  .doc = "yield stress, in tension and compression: beyond it a bend stays"}),
    field<&MaterialEntry::material, &Material::hardening>(
        "hardening", {.dimension = Pressure,
                      .range = &kHardening,
                      .doc = "plastic modulus: what the stress rises by per plastic strain beyond `yield`"}),
    field<&MaterialEntry::material, &Material::isotropic>(
        "isotropic", {.range = &kShare,
                      .doc = "share of the hardening that widens the elastic range; the rest moves it (kinematic)"})};
constexpr Field kMaterialName = field<&MaterialEntry::name>("name", {});

// ---- sections: which keys there are depends on the shape

constexpr Word kShapes[] = {{"circle", SectionShape::Circle},       {"tube", SectionShape::Tube},
                            {"rectangle", SectionShape::Rectangle}, {"ellipse", SectionShape::Ellipse},
                            {"given", SectionShape::Given},         {"bundle", SectionShape::Bundle}};

// A number or a pair of a section; its shape comes first in each.
template <auto Part>
constexpr Field of_section(std::string_view key, Dimension dimension, const Range& range, std::string_view doc,
                           Need need = Required) {
  return field<&SectionEntry::section, Part>(key, {.dimension = dimension, .need = need, .range = &range, .doc = doc});
}
template <SectionShape Shape>
constexpr Field shape_of() {
  return choice<&SectionEntry::section, &Section::shape>(
      "shape", std::span(kShapes).subspan(static_cast<std::size_t>(Shape), 1), {.need = Required});
}

constexpr Field kSectionFields[] = {
    choice<&SectionEntry::section, &Section::shape>("shape", kShapes, {.need = Required})};
constexpr Field kCircleFields[] = {shape_of<SectionShape::Circle>(),
                                   of_section<&Section::radius>("radius", Length, kPositive, "> 0")};
constexpr Field kTubeFields[] = {
    shape_of<SectionShape::Tube>(), of_section<&Section::outer_radius>("outer_radius", Length, kPositive, "> 0"),
    of_section<&Section::inner_radius>("inner_radius", Length, kNotNegative, "zero or more, less than `outer_radius`"),
    of_section<&Section::fill_density>("fill_density", Density, kNotNegative,
                                       "density of what fills the bore; 0: empty. Adds weight, not stiffness",
                                       Optional)};
constexpr Field kRectangleFields[] = {shape_of<SectionShape::Rectangle>(),
                                      of_section<&Section::width>("width", Length, kPositive, "along d1, > 0"),
                                      of_section<&Section::height>("height", Length, kPositive, "along d2, > 0")};
constexpr Field kEllipseFields[] = {
    shape_of<SectionShape::Ellipse>(),
    of_section<&Section::radii>("radii", Length, kPositive, "semi-axes along d1 and d2, > 0")};
constexpr Field kSlipCurvature = of_section<&Section::slip_curvature>(
    "slip_curvature", Curvature, kPositive,
    "about which its wires begin to slide on each other: bends then come back only in part", Optional);
constexpr Field kGivenFields[] = {
    shape_of<SectionShape::Given>(),
    of_section<&Section::EA>("EA", Force, kStiff, "stretching stiffness, > 0"),
    of_section<&Section::EI>("EI", BendStiffness, kStiff, "bending stiffnesses about d1 and d2: `[EI1, EI2]`, > 0"),
    of_section<&Section::GJ>("GJ", BendStiffness, kStiff, "twisting stiffness, > 0"),
    of_section<&Section::mass_per_length>("mass_per_length", MassPerLength, kNotNegative, "> 0"),
    of_section<&Section::radius>("radius", Length, kNotNegative, "outline for pictures", Optional),
    field<&SectionEntry::section, &Section::inertia>(
        "inertia", {.dimension = RotaryInertia,
                    .range = &kNotNegative,
                    .fallback = "of a disc of `radius`",
                    .doc = "rotary inertia per length about d1, d2 and d3: `[i1, i2, i3]`, zero or more"}),
    of_section<&Section::yield_moment>("yield_moment", Moment, kPositive,
                                       "beyond which bends stay, about d1 and d2: `[M1, M2]`", Optional),
    of_section<&Section::yield_torque>("yield_torque", Moment, kPositive, "likewise, of twist", Optional),
    of_section<&Section::yield_force>("yield_force", Force, kPositive, "likewise, of stretch", Optional),
    of_section<&Section::hardening>("hardening", Number, kLessThanOne,
                                    "share of each stiffness that is left beyond yield, less than 1", Optional),
    of_section<&Section::isotropic>(
        "isotropic", Number, kShare,
        "share of the hardening that widens the elastic range; the rest moves it (kinematic)", Optional),
    kSlipCurvature,
    of_section<&Section::slipping>("slipping", Number, kLessThanOne,
                                   "with `slip_curvature`: share of EI that is left when all slides, less than 1",
                                   Optional)};
constexpr Field kBundleWireFields[] = {
    field<&BundleWire::wire>("wire",
                             {.fallback = "none", .doc = "a common wire's name, see below: what is not given is its"}),
    field<&BundleWire::count>("count", {.need = Shown, .range = &kWires, .doc = "how many of them, 1 to 100 000"}),
    field<&BundleWire::diameter>(
        "diameter",
        {.dimension = Length, .range = &kPositive, .fallback = "that of `wire`", .doc = "over the insulation"}),
    field<&BundleWire::mass>("mass", {.dimension = MassPerLength,
                                      .range = &kPositive,
                                      .fallback = "that of `wire`, or of copper and PVC",
                                      .doc = "per length"}),
    field<&BundleWire::conductor>("conductor", {.dimension = Area,
                                                .range = &kPositive,
                                                .fallback = "that of `wire`, or what the mass leaves",
                                                .doc = "area of the copper"}),
    field<&BundleWire::strand>("strand", {.dimension = Length,
                                          .range = &kPositive,
                                          .fallback = "that of `wire`, or 0.21 mm",
                                          .doc = "diameter of one of its strands"})};
constexpr Field kBundleFields[] = {
    shape_of<SectionShape::Bundle>(),
    list<&SectionEntry::section, &Section::bundle>("bundle", tables::bundle_wire,
                                                   {.need = Required,
                                                    .least = 1,
                                                    .doc = "the wires, each kind once",
                                                    .items = "wires {diameter: …, count: …, mass: …}"}),
    of_section<&Section::tape>("tape", Length, kNotNegative, "thickness of what is wrapped round them", Optional),
    of_section<&Section::bond>("bond", Number, kShare,
                               "0: the wires slip on each other; 1: they stick together; between, stiffnesses are "
                               "interpolated by their logarithms",
                               Optional),
    kSlipCurvature};
constexpr Field kSectionName = field<&SectionEntry::name>("name", {});
constexpr const Table* kSectionVariants[] = {&tables::circle,  &tables::tube,  &tables::rectangle,
                                             &tables::ellipse, &tables::given, &tables::bundle};

// ---- curves

constexpr Word kCurveWords[] = {{"line", CurveKind::Line},     {"points", CurveKind::Points},
                                {"spline", CurveKind::Spline}, {"arc", CurveKind::Arc},
                                {"helix", CurveKind::Helix},   {"control", CurveKind::Control}};
constexpr Word kRestWords[] = {{"straight", RestKind::Straight},
                               {"as-shaped", RestKind::AsShaped},
                               {"uniform", RestKind::Uniform},
                               {"curve", RestKind::Curve}};

constexpr Field kLine = also("line", Kind::Points, {.dimension = Length, .doc = "two points `[[x, y, z], [x, y, z]]`"});
constexpr Field kPoints = also(
    "points", Kind::Points,
    {.dimension = Length,
     .doc = "two or more points, joined by straight edges. As many points as vertices (`segments` + 1) are taken as "
            "they stand, otherwise the polyline is resampled evenly"});
constexpr Field kSpline =
    also("spline", Kind::Points, {.dimension = Length, .doc = "two or more points that a smooth curve passes through"});
constexpr Field kArc =
    also("arc", Kind::Arc,
         {.doc = "three points `[p0, p1, p2]` on the arc in their order (not on a line), or a mapping of "
                 "the keys of an arc"},
         &tables::arc);
constexpr Field kHelix = also("helix", Kind::Mapping, {.doc = "a mapping of the keys of a helix"}, &tables::helix);
constexpr Field kControl =
    also("control", Kind::Mapping, {.doc = "control points of a spline: a mapping of the keys of a control"},
         &tables::control);
constexpr Field kFile =
    also("file", Kind::File,
         {.doc = "a text file with one point `x y z` or `x, y, z` a line, `#` begins a comment; its "
                 "path is relative to the scene"});

constexpr Field kCurveFields[] = {kLine, kPoints, kSpline, kArc, kHelix, kControl, kFile};
constexpr Field kRestFields[] = {
    field<&RestShape::curvature>("curvature",
                                 {.dimension = Curvature, .doc = "the same everywhere: about d1 and d2, `[k1, k2]`"}),
    field<&RestShape::twist_rate>("twist_rate", {.dimension = TwistRate, .doc = "likewise, of the twist"}),
    kLine,
    kPoints,
    kSpline,
    kArc,
    kHelix,
    kControl,
    kFile};

constexpr Field kCentre =
    field<&Curve::centre>("centre", {.dimension = Length, .need = Required, .doc = "a point of the axis"});
constexpr Field kAxis = field<&Curve::axis>(
    "axis", {.need = Shown, .direction = true, .doc = "the curve turns about it counter-clockwise"});
constexpr Field kStart =
    field<&Curve::start>("start", {.dimension = Length, .need = Required, .doc = "where the curve begins"});
constexpr Field kArcFields[] = {
    kCentre, kAxis, kStart,
    field<&Curve::angle>("angle", {.dimension = Angle, .need = Required, .doc = "turned in all"})};
constexpr Field kHelixFields[] = {
    kCentre,
    kAxis,
    kStart,
    also("turns", Kind::Number, {.dimension = Turns, .fallback = "this or `angle`", .doc = "full turns in all"}),
    field<&Curve::angle>("angle",
                         {.dimension = Angle, .need = Shown, .fallback = "this or `turns`", .doc = "turned in all"}),
    field<&Curve::pitch>(
        "pitch",
        {.dimension = Length, .need = Required, .doc = "advance along the axis per turn; negative: left-handed"})};

constexpr Field kControlFields[] = {
    also("points", Kind::Control,
         {.dimension = Length,
          .need = Required,
          .doc =
              "four or more control points `[x, y, z]`, or `[x, y, z, roll]`: by so much (an angle) the cross-section "
              "is turned from frames that are carried along without twist. Roll is part of the shape: a rod that "
              "rests `as-shaped` rests rolled, in others it is twist"}),
    choice<&Curve::basis>("basis", kCurveBases,
                          {.doc = "`b-spline`: cubic; `catmull-rom`: goes through its points but the first and the "
                                  "last, evenly; `nurbs`: a B-spline with weights"}),
    also("weights", Kind::Numbers, {.fallback = "all 1", .doc = "of `nurbs`: one for each point, greater than zero"}),
    also("knots", Kind::Numbers,
         {.fallback = "even, fourfold at both ends",
          .doc = "of `b-spline` and `nurbs`: four more than there are points, not falling"})};

constexpr Field kOrientationFields[] = {
    also("tangent", Kind::Vector3, {.need = Required, .doc = "d3"}),
    also("normal", Kind::Vector3, {.need = Required, .doc = "made square to the tangent it is d1"})};

// ---- rods

constexpr Word kBendLines[] = {{"centre-line", BendLine::Centre}, {"inside", BendLine::Inside}};
constexpr Field kBendLimitFields[] = {
    field<&BendLimit::at_rest>("static",
                               {.dimension = Length,
                                .need = Required,
                                .range = &kPositive,
                                .doc = "of a rod at rest: a length, or a multiple of its outer diameter such "
                                       "as `6 d` (of a flat one: of its width in the direction of the bend)"}),
    field<&BendLimit::moving>("dynamic",
                              {.dimension = Length,
                               .range = &kPositive,
                               .fallback = "as `static`",
                               .doc = "likewise of a rod that moves: in a run, and along a path of drivers"}),
    choice<&BendLimit::measured>(
        "measured", kBendLines,
        {.doc = "to which line of the bent rod; the radius `inside` is smaller by half the diameter"})};

constexpr Field kBreakingStrainFields[] = {
    field<&BreakingStrain::tension>("tension", {.range = &kPositive, .doc = "where stretch and bending pull most"}),
    field<&BreakingStrain::compression>("compression", {.range = &kPositive, .doc = "where they press most"}),
    field<&BreakingStrain::shear>("shear",
                                  {.range = &kPositive, .doc = "of twist, either way: twist rate times radius"})};

constexpr Field kLimitsFields[] = {
    mapping<&Limits::min_bend_radius>(
        "min_bend_radius", tables::bend_limit,
        {.fallback = "none",
         .doc = "smallest allowed bend radius: a length, a multiple of the outer diameter such as `10 d`, or a mapping "
                "of the keys below"}),
    field<&Limits::max_tension>("max_tension",
                                {.dimension = Force, .range = &kNotNegative, .doc = "largest allowed tension"}),
    field<&Limits::max_hold_force>(
        "max_hold_force",
        {.dimension = Force, .range = &kNotNegative, .doc = "largest allowed force on any hold of the rod"}),
    field<&Limits::max_transverse_force>(
        "max_transverse_force",
        {.dimension = Force,
         .range = &kNotNegative,
         .doc = "largest allowed part of that force square to the rod: what presses on it from the side"}),
    field<&Limits::breaking_tension>(
        "breaking_tension", {.dimension = Force, .range = &kPositive, .doc = "there the rod breaks, in a run"}),
    mapping<&Limits::breaking_strain>(
        "breaking_strain", tables::breaking_strain,
        {.fallback = "never",
         .doc = "total strain, plastic included, of the outermost fibre at which the rod breaks, in a run"}),
    field<&Limits::max_length>(
        "max_length", {.dimension = Length,
                       .range = &kPositive,
                       .doc = "largest allowed unstretched length, of a rod that finds its own or is paid out"}),
    field<&Limits::min_clearance>(
        "min_clearance",
        {.dimension = Length,
         .range = &kPositive,
         .doc = "smallest allowed distance of the rod's surface from everything else: other rods, itself, bodies, "
                "obstacles, scenery"}),
    field<&Limits::max_contact_force>(
        "max_contact_force",
        {.dimension = Force,
         .range = &kNotNegative,
         .doc = "largest allowed normal force between the rod and something that it touches along one stretch"}),
    field<&Limits::max_contact_pressure>(
        "max_contact_pressure",
        {.dimension = Pressure,
         .range = &kNotNegative,
         .doc =
             "largest allowed pressure of what it touches: normal force on a stretch as long as the rod is wide, over "
             "the square of its width"}),
    field<&Limits::max_chafing>(
        "max_chafing", {.dimension = Moment,
                        .range = &kNotNegative,
                        .doc = "largest allowed normal force times way slipped since the start, on such a stretch"})};

constexpr Field kDampingFields[] = {
    within("rayleigh", Kind::Rayleigh, nullptr,
           {.range = &kNotNegative,
            .doc = "`[α, β]`: a force α·m·v against the velocity, and β times the stiffness against the rate of every "
                   "strain"}),
    field<&Damping::bend>("bend",
                          {.dimension = BendDamping, .range = &kNotNegative, .doc = "moment per rate of curvature"}),
    field<&Damping::twist>("twist",
                           {.dimension = BendDamping, .range = &kNotNegative, .doc = "torque per rate of twist"}),
    field<&Damping::stretch>("stretch",
                             {.dimension = Impulse, .range = &kNotNegative, .doc = "tension per rate of strain"}),
    field<&Damping::air>("air", {.dimension = AreaDensity,
                                 .range = &kNotNegative,
                                 .doc = "force per length against the velocity, per square of the speed: ½·ρ·c·d for "
                                        "air of density ρ, drag coefficient c and a rod of diameter d"})};

constexpr Field kLayFields[] = {field<&Lay::torque_factor>(
    "torque_factor", {.range = &kTorqueFactor,
                      .doc = "torque of the rope held from turning, over tension times diameter: some 0.08 of a common "
                             "wire rope, 0.01 to 0.03 of a rotation-resistant one; negative: left-hand lay"})};

constexpr Field kStationFields[] = {
    field<&Station::s>("s", {.need = Required, .doc = "from here on; stations stand in the order of `s`"}),
    field<&Station::section>("section", {.need = Required, .doc = "a section's name"}),
    field<&Station::material>("material", {.fallback = "the rod's own", .doc = "a material's name"})};

constexpr Field kRodFields[] = {
    field<&Rod::material>("material",
                          {.fallback = "required unless all its sections are `given`", .doc = "a material's name"}),
    field<&Rod::section>("section", {.need = Required, .doc = "a section's name"}),
    field<&Rod::length>(
        "length",
        {.dimension = Length, .range = &kPositive, .fallback = "length of `shape`", .doc = "unstretched length"}),
    field<&Rod::segments>("segments", {.need = Shown,
                                       .range = &kSegments,
                                       .doc = "1 to 1 000 000; the formulation `kirchhoff` takes at most 20 000"}),
    field<&Rod::shape>("shape", {.need = Required, .doc = "where the rod lies at the start, see below"}),
    field<&Rod::rest>("rest", {.doc = "the shape it would take if nothing acted on it, see below"}),
    field<&Rod::normal>(
        "normal",
        {.direction = true, .fallback = "any", .doc = "d1 at the start, made square to the tangent; not along it"}),
    mapping<&Rod::limits>("limits", tables::limits,
                          {.free = true, .fallback = "none", .doc = "what `filum check` holds it to"}),
    field<&Rod::closed>("closed", {.doc = "a ring: its end is its start"}),
    field<&Rod::twist>("twist", {.dimension = Angle, .doc = "initial material twist in all, evenly spread"}),
    list<&Rod::stations>("stations", tables::station, {.doc = "where the section changes along the rod"}),
    field<&Rod::extensible>(
        "extensible", {.doc = "`false`: the strain that a stepper of inextensible rods neglects is not judged. The "
                              "stepper `implicit` lets every rod stretch as its section does"}),
    field<&Rod::velocity>("velocity", {.dimension = Velocity, .doc = "at the start of a run, all along the rod"}),
    field<&Rod::spin>(
        "spin", {.dimension = Spin, .doc = "likewise, on top: as a rigid body about its centre of mass, world axes"}),
    mapping<&Rod::damping>("damping", tables::damping,
                           {.fallback = "none", .doc = "what takes energy out of it in a run, see below"}),
    mapping<&Rod::lay>("lay", tables::lay, {.fallback = "none", .doc = "a rope that a pull makes turn, see below"})};
constexpr Field kRodName = field<&Rod::name>("name", {});

}  // namespace

const std::span<const Word> kCurveKinds{kCurveWords};
const std::span<const Word> kRestKinds{kRestWords};

namespace tables {
constinit const Table material{.id = "material",
                               .what = "material",
                               .fields = kMaterialFields,
                               .type = &kType<MaterialEntry>,
                               .name = &kMaterialName};
constinit const Table circle{
    .id = "circle", .what = "circle section", .fields = kCircleFields, .type = &kType<SectionEntry>};
constinit const Table tube{.id = "tube", .what = "tube section", .fields = kTubeFields, .type = &kType<SectionEntry>};
constinit const Table rectangle{
    .id = "rectangle", .what = "rectangle section", .fields = kRectangleFields, .type = &kType<SectionEntry>};
constinit const Table ellipse{
    .id = "ellipse", .what = "ellipse section", .fields = kEllipseFields, .type = &kType<SectionEntry>};
constinit const Table given{
    .id = "given", .what = "given section", .fields = kGivenFields, .type = &kType<SectionEntry>};
constinit const Table bundle_wire{
    .id = "bundle_wire", .what = "wire", .fields = kBundleWireFields, .type = &kType<BundleWire>};
constinit const Table bundle{
    .id = "bundle", .what = "bundle section", .fields = kBundleFields, .type = &kType<SectionEntry>};
constinit const Table section{.id = "section",
                              .what = "section",
                              .fields = kSectionFields,
                              .type = &kType<SectionEntry>,
                              .name = &kSectionName,
                              .variants = kSectionVariants};
constinit const Table curve{.id = "curve", .what = "shape", .fields = kCurveFields, .type = &kType<Curve>};
constinit const Table arc{.id = "arc", .what = "arc", .fields = kArcFields, .type = &kType<Curve>};
constinit const Table helix{.id = "helix", .what = "helix", .fields = kHelixFields, .type = &kType<Curve>};
constinit const Table control{.id = "control", .what = "control", .fields = kControlFields, .type = &kType<Curve>};
constinit const Table rest{.id = "rest", .what = "rest", .fields = kRestFields, .type = &kType<RestShape>};
constinit const Table orientation{.id = "orientation", .what = "orientation", .fields = kOrientationFields};
constinit const Table bend_limit{.id = "bend_limit",
                                 .what = "min_bend_radius",
                                 .fields = kBendLimitFields,
                                 .type = &kType<BendLimit>,
                                 .word = &kBendLimitFields[0]};
constinit const Table breaking_strain{
    .id = "breaking_strain", .what = "", .fields = kBreakingStrainFields, .type = &kType<BreakingStrain>};
constinit const Table limits{.id = "limits", .what = "limits", .fields = kLimitsFields, .type = &kType<Limits>};
constinit const Table damping{.id = "damping", .what = "damping", .fields = kDampingFields, .type = &kType<Damping>};
constinit const Table lay{.id = "lay", .what = "lay", .fields = kLayFields, .type = &kType<Lay>};
constinit const Table station{.id = "station", .what = "station", .fields = kStationFields, .type = &kType<Station>};
constinit const Table rod{
    .id = "rod", .what = "rod", .fields = kRodFields, .type = &kType<Rod>, .name = &kRodName, .lines = true};
}  // namespace tables

}  // namespace filum::scene
