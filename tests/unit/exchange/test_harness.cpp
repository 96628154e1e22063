// Harness data: what is written as KBL and VEC is read back; what is wrong is told with its line.
#include "harness_samples.hpp"

#include "exchange/harness/harness_scene.hpp"
#include "scene/lookup.hpp"

#include <filum/scene_file.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::test_harness {

using namespace filum::exchange;
using test::Spelling;
using test::VecCurve;

namespace {

Harness parsed(const std::string& text) {
  Result<Harness> harness = parse_harness(text, "h.xml");
  REQUIRE_MESSAGE(harness.ok(), (harness.ok() ? "" : harness.error().text()));
  return std::move(*harness);
}

Error refused(const std::string& text) {
  const Result<Harness> harness = parse_harness(text, "h.xml");
  REQUIRE_FALSE(harness.ok());
  return harness.error();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// The truth, whichever way it was written.
void compare(const test::SampleHarness& truth, const Harness& read, bool clamped, bool decided) {
  REQUIRE(read.nodes.size() == truth.nodes.size());
  REQUIRE(read.segments.size() == truth.segments.size());
  for (std::size_t i = 0; i < truth.nodes.size(); ++i)
    CHECK((1e3 * read.nodes[i].position - truth.nodes[i]).norm() < 1e-6);
  for (std::size_t i = 0; i < truth.segments.size(); ++i) {
    const test::SampleSegment& segment = truth.segments[i];
    const HarnessSegment& found = read.segments[i];
    CHECK(found.start == segment.start);
    CHECK(found.end == segment.end);
    CHECK(*found.virtual_length == doctest::Approx(1e-3 * segment.length).epsilon(1e-12));
    // the curve itself
    std::vector<std::string> notes;
    const CentreLine line = centre_line(read, found, CurveReading::ByFile, 0.01, notes);
    CHECK(notes.empty());
    CHECK(line.undecided == decided);
    if (decided) CHECK(line.clamped == clamped);
    CHECK(std::abs(1e3 * line.drawn / segment.length - 1) < 1e-6);
    double farthest = 0;
    for (const Vec3& point : line.points) {
      double nearest = 1e300;
      Vec3 from = segment.bezier[0];
      for (int k = 1; k <= 2000; ++k) {
        const Vec3 to = test::bezier_at(segment.bezier, k / 2000.0);
        const double along = std::clamp((1e3 * point - from).dot(to - from) / (to - from).squaredNorm(), 0.0, 1.0);
        nearest = std::min(nearest, (1e3 * point - from - along * (to - from)).norm());
        from = to;
      }
      farthest = std::max(farthest, nearest);
    }
    // the oracle's chords are so far off their arcs
    CHECK(farthest < 1e-3);
    // places
    CHECK(found.fixings.size() == (segment.fixing > 0 ? 1 : 0));
    if (segment.fixing > 0)
      CHECK(std::abs(found.fixings[0].at.at(1e-3 * segment.length) / (1e-3 * segment.length) - segment.fixing) < 1e-6);
  }
}

}  // namespace

TEST_CASE("harnesses written as clamped and unclamped KBL and as VEC are read back") {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const test::SampleHarness truth = test::random_harness(seed, 25);
    compare(truth, parsed(kbl_text(truth, Spelling::Clamped)), true, true);
    compare(truth, parsed(kbl_text(truth, Spelling::Unclamped)), false, true);
    compare(truth, parsed(vec_text(truth)), true, false);
    compare(truth, parsed(vec_text(truth, VecCurve::OldClamped)), true, true);
    compare(truth, parsed(vec_text(truth, VecCurve::OldUnclamped)), false, true);
    compare(truth, parsed(vec_text(truth, VecCurve::BackInTwo)), true, false);
  }
}

TEST_CASE("weights of VEC's curves count: a quarter of a circle as a rational cubic") {
  const double w = std::sqrt(0.5);
  const double r = 100;
  const auto along = [&](double share) { return 2 * w * share / (1 + 2 * w); };
  test::SampleHarness truth;
  truth.nodes = {{r, 0, 0}, {0, r, 0}};
  // a conic of weight w, its degree raised by one
  truth.segments.push_back({0,
                            1,
                            {Vec3(r, 0, 0), Vec3(r, along(r), 0), Vec3(along(r), r, 0), Vec3(0, r, 0)},
                            r * std::numbers::pi / 2,
                            0,
                            {1, (1 + 2 * w) / 3, (1 + 2 * w) / 3, 1}});
  const auto drawn = [&] {
    std::vector<std::string> notes;
    const Harness harness = parsed(vec_text(truth));
    const double length = centre_line(harness, harness.segments[0], CurveReading::ByFile, 1e-3, notes).drawn;
    CHECK(notes.empty() == (truth.segments[0].weights[1] < 1));
    return length;
  };
  CHECK(drawn() == doctest::Approx(1e-3 * truth.segments[0].length).epsilon(1e-6));
  // without them it is another curve, and the file contradicts itself
  truth.segments[0].weights = {1, 1, 1, 1};
  CHECK(drawn() > 1.002e-3 * truth.segments[0].length);
}

TEST_CASE("a harness becomes a scene: a rod a branch, junctions, holds at nodes and fixings, wires") {
  const test::SampleHarness truth = test::random_harness(7, 12);
  const Harness harness = parsed(kbl_text(truth, Spelling::Unclamped));
  const Import made = import_harness(harness, {}, "sample");
  const auto scene = parse_scene(made.text, "sample");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? made.text : scene.error().text() + "\n" + made.text));
  CHECK(*scene == made.scene);
  // every segment has a wire of its own, so that none goes through
  CHECK(scene->rods.size() == truth.segments.size());
  std::vector<int> valence(truth.nodes.size(), 0);
  for (const test::SampleSegment& segment : truth.segments) {
    ++valence[static_cast<std::size_t>(segment.start)];
    ++valence[static_cast<std::size_t>(segment.end)];
  }
  const auto ends = std::count(valence.begin(), valence.end(), 1);
  const auto fixings = std::count_if(truth.segments.begin(), truth.segments.end(),
                                     [](const test::SampleSegment& segment) { return segment.fixing > 0; });
  CHECK(scene->junctions.size() == truth.nodes.size() - static_cast<std::size_t>(ends));
  CHECK(scene->holds.size() == static_cast<std::size_t>(ends + fixings));
  CHECK(scene->wires.size() == truth.segments.size());
  for (std::size_t i = 0; i < truth.segments.size(); ++i)
    CHECK(*scene->rods[i].length == doctest::Approx(1e-3 * truth.segments[i].length).epsilon(1e-9));
  CHECK(made.text.find("# assumed: straight at rest") != std::string::npos);
  CHECK(made.text.find("# assumed: bond") != std::string::npos);
  // it stands where it was drawn, but for its weight
  const auto outcome = solve(*scene);
  REQUIRE(outcome.ok());
  CHECK(outcome->solve.converged);
}

TEST_CASE("a node inside one bundle goes through, and so does a reversed segment") {
  test::SampleHarness chain;
  chain.nodes = {{0, 0, 0}, {100, 0, 0}, {200, 0, 0}};
  const auto straight = [&](int a, int b) {
    const Vec3 from = chain.nodes[static_cast<std::size_t>(a)];
    const Vec3 way = chain.nodes[static_cast<std::size_t>(b)] - from;
    chain.segments.push_back({a, b, {from, from + way / 3, from + 2 * way / 3, from + way}, way.norm(), 0.25});
  };
  straight(0, 1);
  straight(2, 1);
  // the same wire in both
  std::string text = kbl_text(chain, Spelling::Clamped);
  text = replaced(text, "<Segments>s0</Segments>", "<Segments>s0 s1</Segments>");
  text = replaced(text, "<Segments>s1</Segments>", "<Segments></Segments>");
  const Import made = import_harness(parsed(text), {}, "chain");
  REQUIRE(made.scene.rods.size() == 1);
  CHECK(made.scene.rods[0].name == "S0+S1");
  CHECK(*made.scene.rods[0].length == doctest::Approx(0.2));
  CHECK(made.scene.junctions.empty());
  CHECK(made.scene.wires.size() == 1);
  // the second fixing is told from the far node
  REQUIRE(made.scene.holds.size() == 4);
  CHECK(made.scene.holds[0].at.offset == doctest::Approx(0.025));
  CHECK(made.scene.holds[1].at.offset == doctest::Approx(0.175));
}

TEST_CASE("sixteen segments meet in one junction, and a loop closes") {
  test::SampleHarness star;
  const auto add = [](test::SampleHarness& harness, int a, int b) {
    const Vec3 from = harness.nodes[static_cast<std::size_t>(a)];
    const Vec3 way = harness.nodes[static_cast<std::size_t>(b)] - from;
    harness.segments.push_back({a, b, {from, from + way / 3, from + 2 * way / 3, from + way}, way.norm(), 0});
  };
  star.nodes = {{0, 0, 0}};
  for (int i = 1; i <= 16; ++i) {
    star.nodes.emplace_back(250 * std::cos(0.39 * i), 250 * std::sin(0.39 * i), 20 * (i % 5));
    add(star, 0, i);
  }
  // a triangle with a tail at each corner
  test::SampleHarness loop;
  loop.nodes = {{0, 0, 0}, {300, 0, 0}, {150, 250, 0}, {-150, -80, 10}, {450, -80, -10}, {150, 430, 0}};
  for (int i = 0; i < 3; ++i) {
    add(loop, i, (i + 1) % 3);
    add(loop, i, i + 3);
  }
  for (const test::SampleHarness& truth : {star, loop}) {
    const Import made = import_harness(parsed(kbl_text(truth, Spelling::Clamped)), {}, "sample");
    const auto scene = parse_scene(made.text, "sample");
    REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
    CHECK(scene->rods.size() == truth.segments.size());
    CHECK(scene->junctions.size() == (truth.nodes.size() == 17 ? 1 : 3));
    for (const Junction& junction : scene->junctions)
      CHECK(junction.rods.size() == (truth.nodes.size() == 17 ? 16 : 3));
    const auto outcome = solve(*scene);
    REQUIRE(outcome.ok());
    CHECK(outcome->solve.converged);
  }
}

TEST_CASE("contradictions are told with both numbers, and nodes and length win") {
  const test::SampleHarness truth = test::random_harness(4, 3);
  std::string text = kbl_text(truth, Spelling::Clamped);
  const std::string said = "<Value_component>" + test::digits(truth.segments[1].length);
  text = replaced(text, said, "<Value_component>" + test::digits(1.2 * truth.segments[1].length));
  const Import made = import_harness(parsed(text), {}, "x");
  const auto note = std::find_if(made.notes.begin(), made.notes.end(), [](const std::string& each) {
    return each.find("'S1'") != std::string::npos && each.find("long") != std::string::npos;
  });
  CHECK(note != made.notes.end());
  CHECK(*made.scene.rods[1].length == doctest::Approx(1.2e-3 * truth.segments[1].length));
}

TEST_CASE("curves of one segment that do not meet are told") {
  test::SampleHarness truth;
  truth.nodes = {{0, 0, 0}, {300, 0, 0}};
  truth.segments.push_back({0, 1, {Vec3(0, 0, 0), Vec3(100, 0, 0), Vec3(200, 0, 0), Vec3(300, 0, 0)}, 300, 0});
  const std::string good = kbl_text(truth, Spelling::Clamped);
  // in two pieces: the second begins where the first ends, or 4 mm beside it
  const auto split = [&](double off) {
    std::string text = replaced(good, "<Control_points>p2 p3 p4 p5 </Control_points></Center_curve>",
                                "<Control_points>p2 q0</Control_points></Center_curve><Center_curve id=\"c_1\">"
                                "<Degree>1</Degree><Control_points>q1 p5</Control_points></Center_curve>");
    text = replaced(text, "<Degree>3", "<Degree>1");
    for (const auto& [id, y] : {std::pair("q0", 0.0), std::pair("q1", off)})
      text =
          replaced(text, "<Cartesian_point id=\"p0\">",
                   "<Cartesian_point id=\"" + std::string(id) + "\">" + test::numbers("Coordinates", Vec3(150, y, 0)) +
                       "</Cartesian_point>\n<Cartesian_point id=\"p0\">");
    return import_harness(parsed(text), {}, "x").notes;
  };
  CHECK(split(0).empty());
  const std::vector<std::string> notes = split(4);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("'S0': its 2 curves are 4 mm apart") != std::string::npos);
}

TEST_CASE("a sharp bend behind a connector is drawn as long as its curve") {
  test::SampleHarness truth;
  truth.nodes = {{0, 0, 0}, {1000, 0, 40}};
  truth.segments.push_back({0, 1, {Vec3(0, 0, 0), Vec3(1000, 0, -20), Vec3(1000, 0, 0), Vec3(1000, 0, 40)}, 0, 0});
  truth.segments[0].length = test::bezier_length(truth.segments[0].bezier);
  Import made = import_harness(parsed(kbl_text(truth, Spelling::Unclamped)), {}, "x");
  REQUIRE(made.scene.rods.size() == 1);
  Rod drawn = made.scene.rods[0];
  CHECK(drawn.shape.points.size() < 200);
  drawn.length.reset();
  CHECK(std::abs(1e3 * scene::rod_length(drawn) / truth.segments[0].length - 1) < 1e-4);
}

TEST_CASE("wires weigh what the file says, in units by name; an unknown one is refused") {
  const std::string good = kbl_text(test::random_harness(3, 2), Spelling::Clamped);
  const auto with_mass = [&](const std::string& unit) {
    std::string text = replaced(good, "<General_wire id=\"wire\">",
                                "<General_wire id=\"wire\"><Mass_information id=\"m\"><Unit_component>mu"
                                "</Unit_component><Value_component>26</Value_component></Mass_information>");
    return replaced(text, "<Unit id=\"mm\">", "<Unit id=\"mu\">" + unit + "</Unit>\n<Unit id=\"mm\">");
  };
  for (const char* name : {"GramPerMetre", "gram/meter", "g/m", "kg/km"})
    CHECK(parsed(with_mass("<Unit_name>" + std::string(name) + "</Unit_name>")).wires[0].mass.value_or(0) ==
          doctest::Approx(0.026));
  CHECK(*parsed(good).wires[0].diameter == 0.0029);
  CHECK_FALSE(parsed(with_mass("<Si_unit_name>gram</Si_unit_name>")).wires[0].mass.has_value());
  const Error unknown = refused(with_mass("<Unit_name>stone/furlong</Unit_name>"));
  CHECK(unknown.message.find("stone/furlong") != std::string::npos);
  CHECK(unknown.line > 1);
}

TEST_CASE("wires of VEC weigh what the document of their part says, if it says it per length") {
  const auto harness_with = [](const std::string& unit) {
    const std::string part =
        "<DocumentVersion id=\"part\">\n<Specification xsi:type=\"vec:GeneralTechnicalPartSpecification\" id=\"gt\">"
        "<MassInformation id=\"mi\"><Value id=\"mv\"><UnitComponent>" +
        unit +
        "</UnitComponent><ValueComponent>4.6</ValueComponent></Value></MassInformation></Specification>\n"
        "<Specification xsi:type=\"vec:WireElementSpecification\" id=\"we\"><OutsideDiameter id=\"od\">"
        "<UnitComponent>mm</UnitComponent><ValueComponent>1.3</ValueComponent></OutsideDiameter></Specification>\n"
        "</DocumentVersion>\n";
    const std::string routing =
        "<DocumentVersion id=\"doc\">\n<Specification xsi:type=\"vec:RoutingSpecification\" id=\"ro\"><Routing "
        "id=\"r1\">"
        "<RoutedElement>ref</RoutedElement><Path id=\"pa\"><Segment>s0</Segment></Path></Routing></Specification>\n"
        "<WireElementReference id=\"ref\"><Identification>W1</Identification><ReferencedWireElement>el"
        "</ReferencedWireElement></WireElementReference>\n<WireElement id=\"el\"><WireElementSpecification>we"
        "</WireElementSpecification></WireElement>\n";
    const std::string units =
        "<Unit xsi:type=\"vec:SIUnit\" id=\"gram\"><SiUnitName>Gram</SiUnitName></Unit>\n"
        "<Unit xsi:type=\"vec:SIUnit\" id=\"per\"><SiUnitName>Metre</SiUnitName><Exponent>-1</Exponent></Unit>\n"
        "<Unit xsi:type=\"vec:CompositeUnit\" id=\"gpm\"><Factors>gram per</Factors></Unit>\n<Unit ";
    std::string text = vec_text(test::random_harness(5, 2));
    text = replaced(text, "<DocumentVersion id=\"doc\">\n", part + routing);
    return parsed(replaced(text, "<Unit ", units));
  };
  const Harness per_length = harness_with("gpm");
  REQUIRE(per_length.wires.size() == 1);
  CHECK(*per_length.wires[0].diameter == doctest::Approx(0.0013));
  CHECK(per_length.wires[0].mass.value_or(0) == doctest::Approx(0.0046));
  CHECK_FALSE(harness_with("gram").wires[0].mass.has_value());
}

TEST_CASE("a wire that goes out and back along a segment lies in it twice, and is cut as long") {
  Harness harness;
  for (const double x : {0.0, 0.2, 0.5}) {
    HarnessNode& node = harness.nodes.emplace_back();
    node.id = "N" + std::to_string(harness.nodes.size());
    node.position = Vec3(x, 0, 0);
  }
  for (const int k : {0, 1}) {
    HarnessSegment& segment = harness.segments.emplace_back();
    segment.id = "S" + std::to_string(k + 1);
    segment.start = k;
    segment.end = k + 1;
  }
  HarnessWire& wire = harness.wires.emplace_back();
  wire.id = "W";
  wire.diameter = 2e-3;
  wire.route = {0, 1, 1};
  const Import made = import_harness(harness, {}, "loom");
  const auto scene = parse_scene(made.text, "loom.yaml");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text() + made.text));
  REQUIRE(scene->rods.size() == 2);
  REQUIRE(scene->wires.size() == 1);
  REQUIRE(scene->wires[0].along.size() == 3);
  CHECK(scene->wires[0].along[1].rod == scene->wires[0].along[2].rod);
  const auto strands = [&](const std::string& rod) {
    for (const Rod& each : scene->rods)
      for (const SectionEntry& entry : scene->sections)
        if (each.name == rod && entry.name == each.section) return entry.section.bundle[0].count;
    return 0;
  };
  CHECK(strands("S1") == 1);
  CHECK(strands("S2") == 2);
}

TEST_CASE("of the ways of one wire, a variant each, one counts in a bundle") {
  const auto text = [](const std::string& second) {
    std::string made =
        "<v:VecContent xmlns:v='v' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><VecVersion>2.1.0</VecVersion>"
        "<DocumentVersion id='D'><Specification xsi:type='v:TopologySpecification' id='T'>";
    for (const char* n : {"A", "B", "C"}) made += "<TopologyNode id='" + std::string(n) + "'/>";
    made +=
        "<TopologySegment id='S1'><StartNode>A</StartNode><EndNode>B</EndNode></TopologySegment>"
        "<TopologySegment id='S2'><StartNode>B</StartNode><EndNode>C</EndNode></TopologySegment></Specification>"
        "<Specification xsi:type='v:BuildingBlockSpecification3D' id='G'><BaseUnit>mm</BaseUnit>";
    double x = 0;
    for (const std::string n : {"A", "B", "C"}) {
      made +=
          "<CartesianPoint id='p" + n + "'><X>" + std::to_string(x += 100) + "</X><Y>0</Y><Z>0</Z></CartesianPoint>";
      made += "<GeometryNode id='g" + n + "'><ReferenceNode>" + n + "</ReferenceNode><CartesianPoint>p" + n +
              "</CartesianPoint></GeometryNode>";
    }
    made +=
        "</Specification><Specification xsi:type='v:RoutingSpecification' id='R'>"
        "<Routing id='R1'><RoutedElement>W1</RoutedElement><Path id='P1'><Segment>S1 S2</Segment></Path></Routing>"
        "<Routing id='R2'><RoutedElement>" +
        second +
        "</RoutedElement><Path id='P2'><Segment>S1</Segment></Path></Routing></Specification>"
        "<Specification xsi:type='v:CompositionSpecification' id='C1'><Component id='c'><Role id='r'>"
        "<WireElementReference id='W1'/><WireElementReference id='W2'/></Role></Component></Specification>"
        "</DocumentVersion><Unit xsi:type='v:SIUnit' id='mm'><SiUnitName>Metre</SiUnitName><SiPrefix>Milli</SiPrefix>"
        "</Unit></v:VecContent>";
    return made;
  };
  const auto counted = [](const Harness& harness) {
    int most = 0;
    for (const SectionEntry& entry : import_harness(harness, {}, "loom").scene.sections)
      for (const BundleWire& wire : entry.section.bundle) most = std::max(most, static_cast<int>(wire.count));
    return most;
  };
  CHECK(counted(parsed(text("W2"))) == 2);
  CHECK(counted(parsed(text("W1"))) == 1);
}

TEST_CASE("fixings hold as the user's table says") {
  const auto kinds = parse_fixing_kinds("# mine\nedge clip = guide\nother = free\n", "kinds");
  REQUIRE(kinds.ok());
  ImportOptions options;
  options.fixings = *kinds;
  test::SampleHarness truth = test::random_harness(3, 4);
  for (test::SampleSegment& segment : truth.segments) segment.fixing = 0.5;
  const Import made = import_harness(parsed(kbl_text(truth, Spelling::Clamped)), options, "x");
  CHECK(made.scene.holds[0].slide);
  CHECK(made.text.find("how it holds") == std::string::npos);
  const auto wrong = parse_fixing_kinds("a = clamp\nb = glue\n", "kinds");
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().line == 2);
}

TEST_CASE("fixings beyond their segment are told, and where one is put that has no place is assumed") {
  test::SampleHarness truth = test::random_harness(3, 2);
  for (test::SampleSegment& segment : truth.segments) segment.fixing = 0.5;
  const std::string good = kbl_text(truth, Spelling::Clamped);
  const auto told = [](const Import& made) {
    return std::any_of(made.notes.begin(), made.notes.end(),
                       [](const std::string& note) { return note.find("fixing 'F0' is at") != std::string::npos; });
  };
  const Import plain = import_harness(parsed(good), {}, "x");
  CHECK_FALSE(told(plain));
  CHECK(plain.text.find("in the middle of its segment") == std::string::npos);
  for (const char* beyond : {"<Location>1.7", "<Location>-1"})
    CHECK(told(import_harness(parsed(replaced(good, "<Location>0.5", beyond)), {}, "x")));
  const Import nowhere = import_harness(parsed(replaced(good, "<Location>0.5</Location>", "")), {}, "x");
  CHECK(nowhere.text.find("in the middle of its segment") != std::string::npos);
  CHECK(nowhere.scene.holds.size() == plain.scene.holds.size());
}

TEST_CASE("files that are wrong are refused with one message and a line") {
  const std::string good = kbl_text(test::random_harness(5, 3), Spelling::Clamped);
  CHECK(refused(good.substr(0, good.size() / 2)).line > 1);
  CHECK(refused("<a/>").message.find("expected a KBL_container") != std::string::npos);
  CHECK(refused("").message.find("XML") != std::string::npos);
  const Error dangling = refused(replaced(good, "<End_node>n1", "<End_node>nowhere"));
  CHECK(dangling.message.find("'nowhere'") != std::string::npos);
  CHECK(dangling.line > 10);
  CHECK(refused(replaced(good, "<Unit_name>millimetre</Unit_name><Si_unit_name>metre",
                         "<Unit_name>cubit</Unit_name><Si_unit_name>"))
            .message.find("cubit") != std::string::npos);
  CHECK(refused(replaced(good, "id=\"n1\"", "id=\"n0\"")).message.find("twice") != std::string::npos);
  const Error negative = refused(replaced(good, "<Value_component>", "<Value_component>-"));
  CHECK(negative.message.find("negative") != std::string::npos);
  CHECK(negative.line > 1);
  // a segment of no length, and one that nobody makes
  test::SampleHarness flat = test::random_harness(5, 3);
  flat.nodes[static_cast<std::size_t>(flat.segments[2].end)] =
      flat.nodes[static_cast<std::size_t>(flat.segments[2].start)];
  flat.segments[2].bezier.fill(flat.nodes[static_cast<std::size_t>(flat.segments[2].start)]);
  const Error point = refused(kbl_text(flat, Spelling::Clamped));
  CHECK(point.message.find("segment 'S2' has no length") != std::string::npos);
  CHECK(point.line > 1);
  flat = test::random_harness(5, 3);
  flat.segments[1].length = 1e12;
  CHECK(refused(kbl_text(flat, Spelling::Clamped)).message.find("segment 'S1' is longer than") != std::string::npos);
  // entities that expand each other are never read
  const Error bomb =
      refused("<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<KBL_container>&b;</KBL_container>");
  CHECK(bomb.message.find("DTD") != std::string::npos);
  // a unit that is made of itself
  std::string vec = vec_text(test::random_harness(5, 3));
  vec = replaced(vec, "<Unit xsi:type=\"vec:SIUnit\" id=\"mm\">",
                 "<Unit xsi:type=\"vec:CompositeUnit\" id=\"mm\"><Factors>mm</Factors>");
  CHECK(refused(vec).message.find("itself") != std::string::npos);
  vec = replaced(vec_text(test::random_harness(5, 3)), "<SiPrefix>Milli", "<SiPrefix>Tiny");
  CHECK(refused(vec).message.find("unknown prefix 'Tiny'") != std::string::npos);
  // more control points than anybody draws
  std::string refs;
  for (int i = 0; i < 20'000; ++i) refs += "p0 ";
  CHECK(refused(replaced(good, "<Control_points>", "<Control_points>" + refs)).message.find("at most") !=
        std::string::npos);
}

TEST_CASE("a length of zero was never filled in: the next one counts") {
  const std::string text = R"(<KBL_container id="k">
<Cartesian_point id="p0"><Coordinates>0</Coordinates><Coordinates>0</Coordinates><Coordinates>0</Coordinates></Cartesian_point>
<Cartesian_point id="p1"><Coordinates>300</Coordinates><Coordinates>0</Coordinates><Coordinates>0</Coordinates></Cartesian_point>
<Node id="n0"><Id>N0</Id><Cartesian_point>p0</Cartesian_point></Node>
<Node id="n1"><Id>N1</Id><Cartesian_point>p1</Cartesian_point></Node>
<Segment id="s0"><Id>S0</Id><Physical_length id="l"><Unit_component>mm</Unit_component><Value_component>0</Value_component></Physical_length>
<End_node>n1</End_node><Start_node>n0</Start_node></Segment>
<Unit id="mm"><Unit_name>mm</Unit_name></Unit>
</KBL_container>)";
  const Import made = import_harness(parsed(text), {}, "x");
  REQUIRE(made.scene.rods.size() == 1);
  CHECK(scene::rod_length(made.scene.rods[0]) == doctest::Approx(0.3).epsilon(1e-9));
}

TEST_CASE("wires tell the diameter, an area does where there are none, and both are told when they differ") {
  const std::string text = kbl_text(test::random_harness(6, 2), Spelling::Clamped);
  const std::string area =
      "<Cross_section_area_information id=\"ca\"><Value_determination>reserved</Value_determination><Area id=\"ar\">"
      "<Unit_component>mm2</Unit_component><Value_component>100</Value_component></Area>"
      "</Cross_section_area_information><Center_curve id=\"c_0\">";
  const Import both = import_harness(parsed(replaced(text, "<Center_curve id=\"c_0\">", area)), {}, "x");
  CHECK(std::any_of(both.notes.begin(), both.notes.end(), [](const std::string& note) {
    return note.find("2.9 mm, its area 11.3 mm") != std::string::npos;
  }));
  CHECK(bundle_diameter(both.scene.sections[0].section.bundle) == doctest::Approx(2.9e-3));
  std::string bare = replaced(text, "<Center_curve id=\"c_0\">", area);
  bare = replaced(bare, "<Segments>s0</Segments>", "<Segments></Segments>");
  const Import alone = import_harness(parsed(bare), {}, "x");
  CHECK(bundle_diameter(alone.scene.sections[0].section.bundle) == doctest::Approx(11.28e-3).epsilon(0.03));
}

}  // namespace filum::test_harness
