// What CAD and animation programs read, read back by hand: curves of STEP and VDA-FS, polylines of DXF, triangles of STL,
// joints of an animated glTF, samples of USD.
#include <filum/export.hpp>
#include <filum/result_file.hpp>
#include <filum/scene.hpp>

#include "io/binary.hpp"
#include "io/export/centre_curve.hpp"
#include "io/export/export_formats.hpp"
#include "io/export/export_skin.hpp"
#include "io/export/vdafs.hpp"
#include "io/result/result_names.hpp"
#include "unit/io/report_fixture.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>

namespace filum::test_export_cad {

namespace {

StoredResult stored(const fixture::Case& test) {
  StoredResult result;
  result.title = test.scene.title;
  result.names = io::names_of(test.scene, test.outcome);
  result.outcome = test.outcome;
  return result;
}

// A quarter of a circle of radius 0.2 m with exact directions, its arc length as parameter.
RodPose quarter(int segments) {
  RodPose rod;
  for (int i = 0; i <= segments; ++i) {
    const double angle = std::numbers::pi / 2 * i / segments;
    rod.s.push_back(0.2 * angle);
    rod.position.emplace_back(0.2 * std::cos(angle), 0.2 * std::sin(angle), 0);
    rod.frame.push_back(Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())) *
                        Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY()));
    rod.curvature.emplace_back(5, 0);
    rod.outline.emplace_back(0.004, 0.004);
    rod.twist.push_back(0);
    rod.axial_force.push_back(0);
    rod.moment.emplace_back(Vec3::Zero());
  }
  rod.length = rod.s.back();
  return rod;
}

StoredResult arc(int segments = 40) {
  fixture::Case test;
  test.scene.title = "Arc 'é'";
  fixture::add_rod(test, "bow", quarter(segments));
  return stored(test);
}

// The numbers between brackets behind a word.
std::vector<double> numbers_after(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  REQUIRE(at != std::string::npos);
  std::vector<double> values;
  const char* from = text.c_str() + at + word.size();
  for (const char* end = std::strpbrk(from, ")]"); from < end;) {
    char* next = nullptr;
    values.push_back(std::strtod(from, &next));
    from = next + 1;
  }
  return values;
}

}  // namespace

TEST_CASE("a centre line becomes a B-spline within its tolerance, with few pieces and the rod's ends and directions") {
  const RodPose rod = quarter(200);
  const geometry::BSpline curve = io::centre_curve(rod);
  CHECK(curve.degree == 3);
  CHECK(curve.knots.size() == curve.points.size() + 4);
  // twelve cubics: as many as lengths to 5e-7 take
  CHECK(curve.points.size() < 30);
  for (std::size_t i = 0; i < rod.s.size(); ++i)
    CHECK((evaluate(curve, rod.s[i]).position - rod.position[i]).norm() <= 1.0001 * io::kCurveTolerance);
  CHECK((evaluate(curve, 0).position - rod.position.front()).norm() < 1e-15);
  CHECK((evaluate(curve, rod.s.back()).derivative.normalized() - rod.frame.back() * Vec3::UnitZ()).norm() < 1e-12);
  CHECK(arc_length(curve) == doctest::Approx(0.2 * std::numbers::pi / 2).epsilon(1e-6));
  // a tighter one needs more pieces and is nearer
  const geometry::BSpline fine = io::centre_curve(rod, true, 1e-8);
  CHECK(fine.points.size() > curve.points.size());
  CHECK(arc_length(fine) == doctest::Approx(0.2 * std::numbers::pi / 2).epsilon(1e-7));
}

TEST_CASE("step: a curve with its knots and control points, in millimetres") {
  const StoredResult result = arc();
  const std::string text = io::step_text(result);
  CHECK(text.starts_with("ISO-10303-21;\nHEADER;"));
  CHECK(text.find("AUTOMOTIVE_DESIGN") != std::string::npos);
  CHECK(text.find("'Arc ''\\X2\\00E9\\X0\\'''") != std::string::npos);
  // every reference is defined, once and before its use
  std::set<int> defined;
  const std::regex line(R"(^#(\d+)=(.*);$)");
  std::istringstream lines(text);
  for (std::string each; std::getline(lines, each);) {
    std::smatch match;
    if (!std::regex_match(each, match, line)) continue;
    const std::string body = match[2];
    const std::regex ref(R"(#(\d+))");
    for (std::sregex_iterator it(body.begin(), body.end(), ref); it != std::sregex_iterator(); ++it)
      CHECK(defined.contains(std::stoi((*it)[1])));
    CHECK(defined.insert(std::stoi(match[1])).second);
  }
  // multiplicities add up to points + degree + 1
  const geometry::BSpline curve = io::centre_curve(result.outcome.states[0].pose.rods[0]);
  const std::string entity = text.substr(text.find("B_SPLINE_CURVE_WITH_KNOTS('bow',3,("));
  const std::vector<double> multiplicities = numbers_after(entity, ".F.,.F.,(");
  CHECK(std::accumulate(multiplicities.begin(), multiplicities.end(), 0.0) == curve.knots.size());
  CHECK(multiplicities.front() == 4);
  // the first control point is where the rod begins
  CHECK(text.find("CARTESIAN_POINT('',(200.,0.,0.))") != std::string::npos);
}

TEST_CASE(
    "bends: a rod that is straight, bent and straight again is found as such, as a table and as lines and circles") {
  // 0.3 m straight, 90° about a radius of 0.1 m, 0.2 m straight, 60° about 0.05 m in another plane, 0.25 m straight
  RodPose rod;
  Vec3 p(0.1, 0.2, 0.3);
  Mat3 frame = Mat3::Identity();  // columns: normal, binormal, tangent
  double s = 0;
  const auto note = [&] {
    rod.s.push_back(s);
    rod.position.push_back(p);
    rod.frame.emplace_back(frame);
    rod.curvature.emplace_back(0, 0);
    rod.outline.emplace_back(0.004, 0.004);
    rod.twist.push_back(0);
    rod.axial_force.push_back(0);
    rod.moment.emplace_back(Vec3::Zero());
  };
  const auto straight = [&](double length) {
    for (int i = 0; i < 30; ++i, note()) {
      p += length / 30 * frame.col(2);
      s += length / 30;
    }
  };
  const auto bend = [&](double radius, double angle) {
    const Vec3 centre = p + radius * frame.col(0);
    const Vec3 axis = frame.col(2).cross(frame.col(0));
    for (int i = 0; i < 30; ++i, note()) {
      const Mat3 turn = Eigen::AngleAxisd(angle / 30, axis).toRotationMatrix();
      p = centre + turn * (p - centre);
      frame = turn * frame;
      s += radius * angle / 30;
    }
  };
  note();
  straight(0.3);
  bend(0.1, std::numbers::pi / 2);
  straight(0.2);
  frame = frame * Eigen::AngleAxisd(0.7, Vec3::UnitZ()).toRotationMatrix();
  bend(0.05, std::numbers::pi / 3);
  straight(0.25);
  rod.length = s;
  fixture::Case test;
  test.scene.title = "Tube";
  fixture::add_rod(test, "pipe", rod);
  const std::vector<io::FileText> files = io::bend_files(stored(test), 1e-4);
  REQUIRE(files.size() == 2);
  std::vector<std::vector<double>> rows;
  std::istringstream lines(files[0].bytes);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream cells(line);
    std::string name;
    std::string what;
    cells >> name >> what;
    rows.emplace_back();
    for (double value = 0; cells >> value;) rows.back().push_back(value);
  }
  REQUIRE(rows.size() == 4);
  // x, y, z, straight, rotation, angle, radius, arc, off
  const auto near = [](double found, double wanted, double by) { CHECK(std::abs(found - wanted) < by); };
  near(rows[1][3], 300, 0.5);
  near(rows[1][5], 90, 0.01);
  near(rows[1][6], 100, 0.5);
  near(rows[2][3], 200, 1);
  near(std::abs(rows[2][4]), 0.7 * 180 / std::numbers::pi, 0.1);
  near(rows[2][5], 60, 0.01);
  near(rows[2][6], 50, 0.5);
  near(rows[3][3], 250, 0.5);
  CHECK(rows[0][8] < 0.1);
  // feeds and arcs are the tube's length
  near(rows[1][3] + rows[1][7] + rows[2][3] + rows[2][7] + rows[3][3], 1e3 * s, 0.1);
  const auto count = [&](const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = files[1].bytes.find(word); at != std::string::npos; at = files[1].bytes.find(word, at + 1))
      ++found;
    return found;
  };
  CHECK(count("=CIRCLE(") == 2);
  CHECK(count("=LINE(") == 3);
  CHECK(count("=TRIMMED_CURVE('pipe'") == 5);
}

TEST_CASE("bends: a curve that bends all along is kept within its tolerance by as many as that takes") {
  // a helix
  RodPose rod = quarter(200);
  for (std::size_t i = 0; i < rod.s.size(); ++i) {
    const double t = 4 * std::numbers::pi * static_cast<double>(i) / 200;
    rod.position[i] = Vec3(0.1 * std::cos(t), 0.1 * std::sin(t), 0.02 * t);
    const Vec3 tangent = Vec3(-0.1 * std::sin(t), 0.1 * std::cos(t), 0.02).normalized();
    rod.frame[i] = Quat::FromTwoVectors(Vec3::UnitZ(), tangent);
    rod.s[i] = std::hypot(0.1, 0.02) * t;
  }
  fixture::Case test;
  fixture::add_rod(test, "coil", rod);
  std::size_t before = 0;
  for (const double tolerance : {3e-3, 3e-4}) {
    const std::string table = io::bend_files(stored(test), tolerance)[0].bytes;
    const auto bends = static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n'));
    const double off = std::stod(table.substr(table.rfind(',') + 1));
    CHECK(off <= 1e3 * tolerance);
    CHECK(bends > before);
    before = bends;
  }
}

TEST_CASE("vda-fs: what is written is read back to a nanometre") {
  const StoredResult result = arc();
  const RodPose& rod = result.outcome.states[0].pose.rods[0];
  const std::string text = io::vdafs_text(result);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() == 80);
  const auto curves = io::parse_vdafs(text, "a.vda");
  REQUIRE_MESSAGE(curves.ok(), (curves.ok() ? "" : curves.error().text()));
  REQUIRE(curves->size() == 1);
  const geometry::BSpline curve = io::centre_curve(rod);
  const io::VdaCurve& read = (*curves)[0];
  REQUIRE(read.parameters.size() == read.pieces.size() + 1);
  for (std::size_t i = 0; i < read.pieces.size(); ++i)
    for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const double s = read.parameters[i] + t * (read.parameters[i + 1] - read.parameters[i]);
      CHECK((read.pieces[i].at(t) - evaluate(curve, s).position).norm() < 1e-9);
    }
  // cut short
  const auto cut = io::parse_vdafs(text.substr(0, text.size() / 2 / 81 * 81), "a.vda");
  REQUIRE_FALSE(cut.ok());
  CHECK(cut.error().line > 10);
}

TEST_CASE("dxf: a polyline in space for each rod") {
  const std::string text = io::dxf_text(arc(10));
  CHECK(text.starts_with("999\n"));
  CHECK(text.ends_with("0\nENDSEC\n0\nEOF\n"));
  std::size_t vertices = 0;
  for (std::size_t at = text.find("VERTEX"); at != std::string::npos; at = text.find("VERTEX", at + 1)) ++vertices;
  CHECK(vertices == 11);
  CHECK(text.find("10\n200\n20\n0\n30\n0\n") != std::string::npos);
}

TEST_CASE("stl: a closed skin of the right volume, in millimetres") {
  const std::string bytes = io::stl_bytes(arc(60));
  io::ByteReader in(std::string_view(bytes).substr(80));
  const auto count = in.take<std::uint32_t>();
  CHECK(bytes.size() == 84 + 50 * count);
  double volume = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::array<Vec3, 4> v;
    for (Vec3& each : v)
      for (int k = 0; k < 3; ++k) each[k] = in.take<float>();
    (void)in.take<std::uint16_t>();
    volume += v[1].dot(v[2].cross(v[3])) / 6;
  }
  CHECK(in.ok());
  // a 16-gon of radius 4 mm along 314 mm
  CHECK(volume == doctest::Approx(8 * 16 * std::sin(std::numbers::pi / 8) * 314.16).epsilon(1e-3));
}

TEST_CASE("skins have the shape that the scene gives a section, and the size that the result says") {
  fixture::Case test;
  fixture::add_rod(test, "bar", fixture::trace([&](double u) { return Vec3(0.5 * u, 0, 0); }, 10, 0.01));
  RodPose& pose = test.outcome.states[0].pose.rods[0];
  Section flat;
  flat.shape = SectionShape::Rectangle;
  flat.width = 0.02;
  flat.height = 0.008;
  Section pipe;
  pipe.shape = SectionShape::Tube;
  pipe.outer_radius = 0.01;
  pipe.inner_radius = 0.006;
  test.scene.sections = {{"flat", flat}, {"pipe", pipe}};
  Rod& rod = test.scene.rods[0];
  rod.section = "flat";
  rod.length = 0.5;
  rod.stations = {{{0, 0.3}, "pipe", ""}};
  StoredResult result = stored(test);
  result.scene = std::make_shared<const Scene>(test.scene);
  for (std::size_t i = 0; i < pose.s.size(); ++i)
    pose.outline[i] = pose.s[i] < 0.29 ? Vec2(0.01, 0.004) : Vec2(0.01, 0.01);
  // as frames have it
  pose.outline[2] = pose.outline[2].cast<float>().cast<double>();
  result.outcome = test.outcome;
  std::vector<geometry::TubeSection> found = io::sections_along(result, 0, pose);
  REQUIRE(found.size() == pose.s.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].half == pose.outline[i]);
    CHECK(found[i].angular == (i < 6));
    CHECK(found[i].bore == doctest::Approx(i < 6 ? 0 : 0.6));
  }
  // half as a bar, the rest as a pipe
  const double polygon = 8 * std::sin(std::numbers::pi / 8) * 1e-4;
  CHECK(geometry::enclosed_volume(io::rod_skin(result, 0, pose)) ==
        doctest::Approx(0.25 * 0.02 * 0.008 + 0.25 * polygon * (1 - 0.36)).epsilon(1e-6));
  // rod that has been paid out carries its section with it
  for (Vec2& half : pose.outline) half = Vec2(0.01, 0.01);
  for (const geometry::TubeSection& section : io::sections_along(result, 0, pose)) CHECK(section.bore > 0);
  // a size that the scene does not know, and no scene: ovals
  for (Vec2& half : pose.outline) half = Vec2(0.01, 0.0041);
  for (const geometry::TubeSection& section : io::sections_along(result, 0, pose)) CHECK(!section.angular);
  result.scene.reset();
  for (Vec2& half : pose.outline) half = Vec2(0.01, 0.004);
  for (const geometry::TubeSection& section : io::sections_along(result, 0, pose)) CHECK(!section.angular);
  // two ends where it has parted
  pose.s[5] = pose.s[4];
  CHECK(io::pieces_along(pose) == std::vector<int>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1});
}

namespace {

// A run whose rod is of one section and then of another.
StoredResult run_of(SectionShape first, SectionShape second) {
  fixture::Case test = fixture::run(4);
  Section section;
  section.width = section.height = 0.02;
  section.outer_radius = section.radius = 0.01;
  section.inner_radius = 0.007;
  test.scene.sections.clear();
  for (const auto& [name, shape] : {std::pair{"first", first}, std::pair{"second", second}}) {
    section.shape = shape;
    test.scene.sections.push_back({name, section});
  }
  Rod& rod = test.scene.rods[0];
  rod.section = "first";
  rod.stations = {{{0.4, 0}, "second", ""}};
  for (Snapshot& state : test.outcome.states)
    for (Vec2& half : state.pose.rods[0].outline) half = Vec2(0.01, 0.01);
  StoredResult result = stored(test);
  result.scene = std::make_shared<const Scene>(test.scene);
  return result;
}

}  // namespace

TEST_CASE("animated gltf: at every instant the joints carry the vertices to where the obj has them") {
  StoredResult result;
  SUBCASE("round") {
    result = stored(fixture::run(4));
  }
  SUBCASE("a rectangle, then a pipe") {
    result = run_of(SectionShape::Rectangle, SectionShape::Tube);
  }
  SUBCASE("a pipe") {
    result = run_of(SectionShape::Tube, SectionShape::Tube);
  }
  const auto bytes = io::animation_bytes(result);
  REQUIRE(bytes.ok());
  // chunks
  const auto json_size = *reinterpret_cast<const std::uint32_t*>(bytes->data() + 12);
  const auto json = nlohmann::json::parse(bytes->substr(20, json_size));
  const std::string binary = bytes->substr(20 + json_size + 8);
  const auto floats = [&](std::size_t accessor, std::size_t width) {
    const auto& about = json["accessors"][accessor];
    const auto& view = json["bufferViews"][about["bufferView"].get<std::size_t>()];
    std::vector<float> values(about["count"].get<std::size_t>() * width);
    std::memcpy(values.data(), binary.data() + view["byteOffset"].get<std::size_t>(), values.size() * sizeof(float));
    return values;
  };
  const auto& attributes = json["meshes"][0]["primitives"][0]["attributes"];
  const std::vector<float> local = floats(attributes["POSITION"], 3);
  const auto& joint_view =
      json["bufferViews"]
          [json["accessors"][attributes["JOINTS_0"].get<std::size_t>()]["bufferView"].get<std::size_t>()];
  const auto& joints = json["skins"][0]["joints"];
  const auto& animation = json["animations"][0];
  for (std::size_t k = 0; k < result.outcome.states.size(); ++k) {
    // of each joint its place and turn at this key
    std::map<int, Vec3> place;
    std::map<int, Quat> turn;
    for (const auto& channel : animation["channels"]) {
      const auto& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
      const int node = channel["target"]["node"];
      if (channel["target"]["path"] == "translation") {
        const std::vector<float> v = floats(sampler["output"], 3);
        place[node] = Vec3(v[3 * k], v[3 * k + 1], v[3 * k + 2]);
      } else {
        const std::vector<float> v = floats(sampler["output"], 4);
        turn[node] = Quat(v[4 * k + 3], v[4 * k], v[4 * k + 1], v[4 * k + 2]);
      }
    }
    const RodPose& rod = result.outcome.states[k].pose.rods[0];
    const geometry::TriangleMesh skin = io::rod_skin(result, 0, rod);
    REQUIRE(3 * skin.position.size() == local.size());
    double farthest = 0;
    for (std::size_t v = 0; v < skin.position.size(); ++v) {
      std::uint16_t joint = 0;
      std::memcpy(&joint, binary.data() + joint_view["byteOffset"].get<std::size_t>() + 8 * v, sizeof joint);
      const int node = joints[joint];
      const Vec3 world = place[node] + turn[node] * Vec3(local[3 * v], local[3 * v + 1], local[3 * v + 2]);
      farthest = std::max(farthest, (world - skin.position[v]).norm());
    }
    CHECK(farthest < 1e-5 * 2 * rod.outline[0].x());
  }
}

TEST_CASE("usd: samples of every instant, as many points as it says") {
  StoredResult result = stored(fixture::run(3));
  // too small for single precision, which readers do not take
  result.outcome.states[0].pose.rods[0].position[1].y() = -2.3e-44;
  const auto text = io::usd_text(result);
  REQUIRE(text.ok());
  CHECK(text->find("e-44") == std::string::npos);
  CHECK(text->starts_with("#usda 1.0\n("));
  CHECK(text->find("upAxis = \"Z\"") != std::string::npos);
  const std::size_t points = result.outcome.states[0].pose.rods[0].s.size();
  CHECK(text->find("curveVertexCounts = [" + std::to_string(points) + "]") != std::string::npos);
  const std::size_t samples = text->find("points.timeSamples = {");
  const std::string block = text->substr(samples, text->find("}", samples) - samples);
  CHECK(static_cast<std::size_t>(std::count(block.begin(), block.end(), '[')) == result.outcome.states.size());
  CHECK(static_cast<std::size_t>(std::count(block.begin(), block.end(), '(')) == points * result.outcome.states.size());
}

TEST_CASE("a rod whose points change in number cannot be animated, and that is said") {
  StoredResult result = stored(fixture::run(3));
  result.outcome.states[1].pose.rods[0].position.resize(3);
  const auto refused = io::animation_bytes(result);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("number of points") != std::string::npos);
}

}  // namespace filum::test_export_cad
