// Exports, each read back by hand: CSV numbers, VTK counts, OBJ volume, the structure of the binary glTF.
#include <filum/export.hpp>
#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/scene.hpp>

#include "io/result/result_names.hpp"
#include "unit/io/report_fixture.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace filum::test_export {

namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("filum-test-export-" + std::to_string(std::rand()));
  Folder() { fs::create_directories(path); }
  ~Folder() {
    std::error_code code;
    fs::remove_all(path, code);
  }
  [[nodiscard]] std::string operator/(const char* name) const { return (path / name).string(); }
};

std::string slurp(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

std::vector<double> numbers(const std::string& line, char separator) {
  std::vector<double> all;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, separator);) all.push_back(std::strtod(cell.c_str(), nullptr));
  return all;
}

StoredResult stored(const fixture::Case& test) {
  StoredResult result;
  result.title = test.scene.title;
  result.names = io::names_of(test.scene, test.outcome);
  result.outcome = test.outcome;
  return result;
}

// The run as it lies in a folder: the outcome with its first and last state, the frames beside it.
StoredResult stored_run(const fixture::Case& test, const std::string& folder) {
  Result<FrameWriter> writer = FrameWriter::open(test.scene, folder);
  REQUIRE(writer.ok());
  for (const Snapshot& state : test.outcome.states) REQUIRE(writer->add(state).ok());
  REQUIRE(writer->close().ok());
  Outcome outcome = test.outcome;
  outcome.states = {test.outcome.states.front(), test.outcome.states.back()};
  REQUIRE(write_result(test.scene, "x", outcome, folder).ok());
  const Result<StoredResult> result = read_result(folder);
  REQUIRE(result.ok());
  CHECK(result->frames == folder + "/frames.bin");
  return *result;
}

TEST_CASE("massless ropes go along as lines and skins of their own") {
  Folder folder;
  StoredResult result = stored(fixture::run(2));
  const size_t points = result.outcome.states.back().pose.rods[0].s.size();
  for (Snapshot& state : result.outcome.states)
    state.pose.ropes = {{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, -2)}, {30, 20}, 3, false}};
  result.names.ropes = {"hoist rope"};
  const auto vtk = export_result(result, "vtk", folder / "vtk");
  REQUIRE(vtk.ok());
  const std::string text = slurp((*vtk)[0]);
  CHECK(text.find("NumberOfPoints=\"" + std::to_string(points + 3) + "\"") != std::string::npos);
  CHECK(text.find("NumberOfLines=\"2\"") != std::string::npos);
  CHECK(text.find("Name=\"rope\" format=\"ascii\">\n-1\n0\n</DataArray>") != std::string::npos);
  CHECK(text.find("\n1 0 -2\n") != std::string::npos);
  // a mesh that reaches the rope's last point, and a node of the rope's name
  const auto obj = export_result(result, "obj", folder / "obj");
  REQUIRE(obj.ok());
  const std::string mesh = slurp((*obj)[0]);
  const size_t rope = mesh.find("o hoist_rope\n");
  REQUIRE(rope != std::string::npos);
  double lowest = 0;
  for (const std::string& line : lines(mesh.substr(rope)))
    if (line.starts_with("v ")) lowest = std::min(lowest, numbers(line.substr(2), ' ')[2]);
  CHECK(lowest == doctest::Approx(-2).epsilon(0.01));
  const auto gltf = export_result(result, "gltf", folder / "gltf");
  REQUIRE(gltf.ok());
  CHECK(slurp((*gltf)[0]).find("\"hoist rope\"") != std::string::npos);
}

TEST_CASE("csv of a run: every frame of a rod with its time, and the history with velocities and turns") {
  Folder folder;
  const fixture::Case test = fixture::run(6);
  const auto paths = export_result(stored_run(test, folder / "run"), "csv", folder / "out");
  REQUIRE(paths.ok());
  CHECK(*paths ==
        std::vector<std::string>{folder / "out/hose.csv", folder / "out/history.csv", folder / "out/hose.frames.csv"});
  const auto rows = lines(slurp((*paths)[2]));
  REQUIRE(rows.size() == 1 + 6 * 61);
  CHECK(rows[0].starts_with("t [s],s [m],x [m]"));
  const auto row = numbers(rows[1 + 4 * 61 + 17], ',');
  const RodPose& pose = test.outcome.states[4].pose.rods[0];
  REQUIRE(row.size() == 16);
  CHECK(row[0] == test.outcome.states[4].t);
  CHECK(row[1] == pose.s[17]);
  CHECK(row[4] == pose.position[17].z());
  const auto history = lines(slurp((*paths)[1]));
  CHECK(history[0].ends_with("\"middle vx [m/s]\",\"middle vy [m/s]\",\"middle vz [m/s]\",\"hose turns\""));
  CHECK(numbers(history[3], ',').back() == test.outcome.history[2].turns[0]);
  CHECK_FALSE(fs::exists(folder / "out/hose.frames.csv.part"));
}

TEST_CASE("vtk of a run: a file per frame and the list of their times") {
  Folder folder;
  const fixture::Case test = fixture::run(6);
  const auto paths = export_result(stored_run(test, folder / "run"), "vtk", folder / "out");
  REQUIRE(paths.ok());
  CHECK(fs::exists(folder / "out/frame-000005.vtp"));
  CHECK(slurp(folder / "out/frame-000005.vtp").find("Name=\"velocity\"") != std::string::npos);
  const std::string list = slurp(folder / "out/frames.pvd");
  CHECK(list.find("timestep=\"0.25\" file=\"frame-000005.vtp\"") != std::string::npos);
  CHECK(lines(list).size() == 3 + 6 + 2);
}

TEST_CASE("csv: one file per rod and the history, numbers to the last bit") {
  Folder folder;
  const fixture::Case test = fixture::path(4);
  const auto paths = export_result(stored(test), "csv", folder / "out");
  REQUIRE(paths.ok());
  CHECK(*paths == std::vector<std::string>{folder / "out/hose.csv", folder / "out/history.csv"});
  const auto rod = lines(slurp((*paths)[0]));
  REQUIRE(rod.size() == 62);
  CHECK(rod[0] ==
        "s [m],x [m],y [m],z [m],qw,qx,qy,qz,k1 [1/m],k2 [1/m],twist [rad/m],N [N],m1 [N.m],m2 [N.m],m3 [N.m]");
  const RodPose& pose = test.outcome.states.back().pose.rods[0];
  const auto row = numbers(rod[18], ',');
  REQUIRE(row.size() == 15);
  CHECK(row[0] == pose.s[17]);
  CHECK(row[3] == pose.position[17].z());
  CHECK(row[4] == pose.frame[17].w());
  CHECK(row[9] == pose.curvature[17].y());
  CHECK(row[11] == pose.axial_force[17]);
  CHECK(row[14] == pose.moment[17].z());
  const auto history = lines(slurp((*paths)[1]));
  REQUIRE(history.size() == 5);
  CHECK(history[0].find("\"knuckle end Fz [N]\"") != std::string::npos);
  const auto last = numbers(history[4], ',');
  // t, six energies, two holds of six, one probe of three
  REQUIRE(last.size() == 7 + 12 + 3);
  CHECK(last[0] == test.outcome.history[3].t);
  CHECK(last[7 + 6 + 2] == test.outcome.history[3].hold_force[1].z());
  CHECK(last[21] == test.outcome.history[3].probe[0].z());
}

TEST_CASE("csv: names that are no file names, or fall together") {
  Folder folder;
  fixture::Case test = fixture::harness();
  test.scene.rods[0].name = "../a/b";
  test.scene.rods[1].name = ".. a b";
  test.scene.rods[2].name = "history";
  const auto paths = export_result(stored(test), "csv", folder.path.string());
  REQUIRE(paths.ok());
  CHECK(*paths == std::vector<std::string>{folder / "___a_b.csv", folder / "___a_b-2.csv", folder / "history-2.csv"});
}

TEST_CASE("vtk: one poly data file per state, counts agree") {
  Folder folder;
  const auto one = export_result(stored(fixture::harness()), "vtk", folder / "one");
  REQUIRE(one.ok());
  REQUIRE(one->size() == 1);
  const std::string text = slurp((*one)[0]);
  CHECK(text.find("NumberOfPoints=\"103\" NumberOfVerts=\"0\" NumberOfLines=\"3\"") != std::string::npos);
  CHECK(text.find("Name=\"offsets\" format=\"ascii\">\n41\n72\n103\n") != std::string::npos);
  const auto many = export_result(stored(fixture::path(3)), "vtk", folder / "many");
  REQUIRE(many.ok());
  REQUIRE(many->size() == 4);
  CHECK(slurp(many->back()).find("timestep=\"2\" file=\"state-0002.vtp\"") != std::string::npos);
}

TEST_CASE("obj: a closed skin of the right volume") {
  Folder folder;
  fixture::Case test;
  const double radius = 0.01, length = 0.5;
  fixture::add_rod(test, "bar", fixture::trace([&](double u) { return Vec3(length * u, 0, 0); }, 10, radius));
  const auto paths = export_result(stored(test), "obj", folder / "bar.obj");
  REQUIRE(paths.ok());
  CHECK(*paths == std::vector<std::string>{folder / "bar.obj"});
  std::vector<Vec3> vertices;
  double volume = 0;
  for (const std::string& line : lines(slurp((*paths)[0]))) {
    if (line.starts_with("v ")) {
      const auto v = numbers(line.substr(2), ' ');
      vertices.emplace_back(v[0], v[1], v[2]);
    } else if (line.starts_with("f ")) {
      // «f 1//1 2//2 3//3»; volume by the divergence theorem
      std::istringstream corners(line.substr(2));
      std::array<Vec3, 3> p;
      std::string corner;
      for (Vec3& at : p) {
        corners >> corner;
        at = vertices.at(std::stoul(corner) - 1);
      }
      volume += p[0].dot(p[1].cross(p[2])) / 6;
    }
  }
  // sixteen flat sides hold sin(π/8)/(π/8) = 0.9745 of the circle
  const double inscribed = 16.0 / 2 * std::sin(2 * std::numbers::pi / 16) * radius * radius * length;
  CHECK(volume == doctest::Approx(inscribed).epsilon(1e-9));
}

std::uint32_t u32(const std::string& bytes, size_t at) {
  std::uint32_t value = 0;
  REQUIRE(at + 4 <= bytes.size());
  std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

// The two chunks of a .glb after checking its frame.
struct Chunks {
  nlohmann::json json;
  std::string binary;
};

Chunks chunks(const std::string& glb) {
  REQUIRE(glb.size() > 20);
  CHECK(glb.substr(0, 4) == "glTF");
  CHECK(u32(glb, 4) == 2);
  CHECK(u32(glb, 8) == glb.size());
  const size_t text = u32(glb, 12);
  CHECK(text % 4 == 0);
  CHECK(glb.substr(16, 4) == "JSON");
  Chunks result;
  result.json = nlohmann::json::parse(glb.substr(20, text));
  if (20 + text == glb.size()) return result;
  const size_t binary = u32(glb, 20 + text);
  CHECK(binary % 4 == 0);
  CHECK(glb.substr(24 + text, 4) == std::string("BIN\0", 4));
  CHECK(28 + text + binary == glb.size());
  result.binary = glb.substr(28 + text);
  return result;
}

// The accessor's numbers, after checking that they lie in its view, aligned, and within its bounds.
std::vector<double> accessor(const Chunks& glb, size_t number) {
  const auto& accessor = glb.json["accessors"].at(number);
  const auto& view = glb.json["bufferViews"].at(accessor["bufferView"].get<size_t>());
  const size_t parts = accessor["type"] == "VEC3" ? 3 : 1;
  const size_t count = accessor["count"].get<size_t>() * parts;
  const size_t offset = view["byteOffset"].get<size_t>();
  CHECK(offset % 4 == 0);
  CHECK(view["byteLength"].get<size_t>() == 4 * count);
  REQUIRE(offset + 4 * count <= glb.binary.size());
  std::vector<double> values(count);
  std::vector<double> low(parts, INFINITY), high(parts, -INFINITY);
  for (size_t i = 0; i < count; ++i) {
    float real = 0;
    std::memcpy(&real, glb.binary.data() + offset + 4 * i, 4);
    values[i] = accessor["componentType"] == 5125 ? u32(glb.binary, offset + 4 * i) : static_cast<double>(real);
    low[i % parts] = std::min(low[i % parts], values[i]);
    high[i % parts] = std::max(high[i % parts], values[i]);
  }
  if (accessor.contains("min")) {
    CHECK(accessor["min"].get<std::vector<double>>() == low);
    CHECK(accessor["max"].get<std::vector<double>>() == high);
  }
  return values;
}

TEST_CASE("gltf: chunks, accessors and names are right") {
  Folder folder;
  const auto paths = export_result(stored(fixture::harness()), "gltf", folder / "deep/harness.glb");
  REQUIRE(paths.ok());
  CHECK(*paths == std::vector<std::string>{folder / "deep/harness.glb"});
  const Chunks glb = chunks(slurp((*paths)[0]));
  CHECK(glb.json["asset"]["version"] == "2.0");
  CHECK(glb.json["buffers"][0]["byteLength"] == glb.binary.size());
  // a root that turns z up into y up, and one node per rod under it
  REQUIRE(glb.json["nodes"].size() == 4);
  const auto turn = glb.json["nodes"][0]["rotation"].get<std::vector<double>>();
  const Vec3 up = Quat(turn[3], turn[0], turn[1], turn[2]) * Vec3::UnitZ();
  CHECK(up.isApprox(Vec3::UnitY(), 1e-12));
  CHECK(glb.json["nodes"][0]["children"] == nlohmann::json({1, 2, 3}));
  CHECK(glb.json["nodes"][1]["name"] == "trunk");
  CHECK(glb.json["nodes"][3]["name"] == "right");
  for (const auto& mesh : glb.json["meshes"]) {
    const auto& primitive = mesh["primitives"][0];
    const auto& attributes = primitive["attributes"];
    const size_t position = attributes["POSITION"].get<size_t>();
    CHECK(glb.json["accessors"][position].contains("min"));
    const auto points = accessor(glb, position);
    const auto normals = accessor(glb, attributes["NORMAL"].get<size_t>());
    const auto colours = accessor(glb, attributes["COLOR_0"].get<size_t>());
    CHECK(normals.size() == points.size());
    CHECK(colours.size() == points.size());
    for (size_t i = 0; i < normals.size(); i += 3) {
      // unit length to float precision
      CHECK(Vec3(normals[i], normals[i + 1], normals[i + 2]).norm() == doctest::Approx(1).epsilon(1e-6));
    }
    for (const double c : colours) CHECK((c >= 0 && c <= 1));
    for (const double i : accessor(glb, primitive["indices"].get<size_t>())) CHECK(i < double(points.size()) / 3);
  }
}

TEST_CASE("gltf: a state without a finite point is a valid empty file") {
  Folder folder;
  fixture::Case test = fixture::hose(3);
  for (Vec3& p : test.outcome.states[0].pose.rods[0].position) p.setConstant(std::nan(""));
  const auto paths = export_result(stored(test), "gltf", folder.path.string());
  REQUIRE(paths.ok());
  CHECK(*paths == std::vector<std::string>{folder / "result.glb"});
  const Chunks glb = chunks(slurp((*paths)[0]));
  CHECK(glb.binary.empty());
  CHECK_FALSE(glb.json.contains("meshes"));
}

TEST_CASE("what cannot be exported says why") {
  Folder folder;
  const StoredResult result = stored(fixture::hose(3));
  const auto unknown = export_result(result, "iges", folder.path.string());
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message ==
        "the format 'iges' is not known, expected csv, vtk, bends, obj, stl, gltf, animation, usd, step, vdafs or dxf");
  // glTF is written as one binary file, and nothing is made under the name of the other kind
  const auto two_files = export_result(result, "gltf", folder / "out.gltf");
  REQUIRE_FALSE(two_files.ok());
  CHECK(two_files.error().message.find("use a name ending in .glb") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder / "out.gltf"));
  CHECK(export_result(result, "gltf", folder / "out.glb").ok());
  std::ofstream(folder / "file") << "x";
  const auto blocked = export_result(result, "csv", folder / "file");
  REQUIRE_FALSE(blocked.ok());
  CHECK(blocked.error().code == ErrorCode::File);
  CHECK_FALSE(export_result({}, "csv", folder.path.string()).ok());
  StoredResult ragged = result;
  ragged.outcome.states[0].pose.rods[0].twist.pop_back();
  CHECK_FALSE(export_result(ragged, "csv", folder.path.string()).ok());
}

}  // namespace
}  // namespace filum::test_export
