// frames.bin and state.bin: what comes back, from whole files and from cut or damaged ones.
#include <filum/result_file.hpp>
#include <filum/scene_file.hpp>
#include <filum/state_file.hpp>

#include "io/binary.hpp"
#include "unit/io/report_fixture.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace filum::test_frames {

namespace {

namespace fs = std::filesystem;

// A folder of its own that goes away with the test.
struct Folder {
  std::string path = (fs::temp_directory_path() / ("filum-test-frames-" + std::to_string(std::rand()))).string();
  ~Folder() {
    std::error_code code;
    fs::remove_all(path, code);
  }
};

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Three frames of the hose, the second with fewer points, the last two in motion.
fixture::Case moving_hose() {
  fixture::Case test = fixture::path(3);
  std::vector<Snapshot>& states = test.outcome.states;
  const Snapshot coarse = fixture::hose(7).outcome.states[0];
  states[1].pose.rods = coarse.pose.rods;
  for (std::size_t k = 1; k < states.size(); ++k) {
    RodPose& rod = states[k].pose.rods[0];
    for (std::size_t i = 0; i < rod.s.size(); ++i)
      rod.velocity.emplace_back(0.1 * static_cast<double>(i), -1.0 / 3, static_cast<double>(k));
    states[k].pose.bodies[0].velocity = Vec3(1, 2, 1.0 / 3);
    states[k].pose.bodies[0].spin = Vec3(0.1, 0.2, 0.3);
    states[k].pose.energy.work = 0.7;
    states[k].pose.energy.dissipated = 0.1;
  }
  states[2].pose.holds[1].popped = true;
  return test;
}

void record(const fixture::Case& test, const std::string& folder) {
  Result<FrameWriter> writer = FrameWriter::open(test.scene, folder);
  REQUIRE(writer.ok());
  for (const Snapshot& state : test.outcome.states) REQUIRE(writer->add(state).ok());
  REQUIRE(writer->close().ok());
}

// Equal as floats are.
template <class List>
void check_floats(const List& read, const List& written) {
  REQUIRE(read.size() == written.size());
  for (std::size_t i = 0; i < read.size(); ++i)
    CHECK(read[i].template cast<float>() == written[i].template cast<float>());
}

void check_same(const Snapshot& read, const Snapshot& written) {
  CHECK(read.t == written.t);
  CHECK(read.pose.energy.elastic == written.pose.energy.elastic);
  CHECK(read.pose.energy.work == written.pose.energy.work);
  CHECK(read.pose.energy.balance() == written.pose.energy.balance());
  REQUIRE(read.pose.rods.size() == written.pose.rods.size());
  const RodPose &a = read.pose.rods[0], &b = written.pose.rods[0];
  CHECK(a.s == b.s);
  CHECK(a.position == b.position);
  REQUIRE(a.frame.size() == b.frame.size());
  for (std::size_t i = 0; i < a.frame.size(); ++i) CHECK(a.frame[i].coeffs() == b.frame[i].coeffs());
  check_floats(a.velocity, b.velocity);
  check_floats(a.curvature, b.curvature);
  check_floats(a.moment, b.moment);
  check_floats(a.outline, b.outline);
  for (std::size_t i = 0; i < a.s.size(); ++i) {
    CHECK(static_cast<float>(a.twist[i]) == static_cast<float>(b.twist[i]));
    CHECK(static_cast<float>(a.axial_force[i]) == static_cast<float>(b.axial_force[i]));
  }
  CHECK(a.length == b.length);
  CHECK(a.turns == b.turns);
  CHECK(a.min_bend_radius.value == b.min_bend_radius.value);
  CHECK(read.pose.bodies[0].velocity == written.pose.bodies[0].velocity);
  CHECK(read.pose.bodies[0].spin == written.pose.bodies[0].spin);
  CHECK(read.pose.bodies[0].orientation.coeffs() == written.pose.bodies[0].orientation.coeffs());
  CHECK(read.pose.holds[1].force == written.pose.holds[1].force);
  CHECK(read.pose.holds[1].popped == written.pose.holds[1].popped);
}

TEST_CASE("frames come back, their number of points free to change") {
  const Folder folder;
  const fixture::Case test = moving_hose();
  record(test, folder.path + "/deep");
  const Result<std::vector<Snapshot>> frames = read_frames(folder.path + "/deep");
  REQUIRE(frames.ok());
  REQUIRE(frames->size() == 3);
  for (std::size_t k = 0; k < 3; ++k) check_same((*frames)[k], test.outcome.states[k]);
  CHECK((*frames)[0].pose.rods[0].velocity.empty());
  // names, and the file by itself
  const Result<FrameReader> reader = FrameReader::open(folder.path + "/deep/frames.bin");
  REQUIRE(reader.ok());
  CHECK(reader->title() == test.scene.title);
  CHECK(reader->names().rods == std::vector<std::string>{"hose"});
  CHECK(reader->names().bodies == std::vector<std::string>{"knuckle"});
  CHECK(reader->names().holds == std::vector<std::string>{"frame end", "knuckle end"});
}

TEST_CASE("wherever the file is cut off, the frames that are whole come back") {
  const Folder folder;
  const fixture::Case test = moving_hose();
  record(test, folder.path);
  const std::string file = folder.path + "/frames.bin";
  const std::string good = bytes_of(file);
  std::size_t most = 0;
  for (std::size_t end = 0; end < good.size(); end += 97) {
    write(file, good.substr(0, end));
    Result<FrameReader> reader = FrameReader::open(file);
    if (!reader) {
      CHECK(reader.error().text().find("frames.bin") != std::string::npos);
      CHECK(most == 0);
      continue;
    }
    std::size_t count = 0;
    Snapshot frame;
    while (true) {
      const Result<bool> got = reader->next(frame);
      REQUIRE(got.ok());
      if (!*got) break;
      check_same(frame, test.outcome.states[count++]);
    }
    CHECK(count >= most);
    CHECK(count < 3);
    most = count;
  }
  CHECK(most == 2);
}

TEST_CASE("damaged frames are an error or other numbers, never more than the file holds") {
  const Folder folder;
  record(moving_hose(), folder.path);
  const std::string file = folder.path + "/frames.bin";
  const std::string good = bytes_of(file);
  // every byte of the header and of the first record's beginning, flipped
  const std::size_t reach = good.find("\"outline\"") + 400;
  for (std::size_t i = 0; i < reach; ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0xFF);
    write(file, bad);
    const Result<std::vector<Snapshot>> frames = read_frames(file);
    if (frames)
      CHECK(frames->size() <= 3);
    else
      CHECK_FALSE(frames.error().message.empty());
  }
  CHECK_FALSE(read_frames(folder.path + "/none").ok());
  write(file, "something else entirely, but long enough");
  CHECK(read_frames(file).error().message == "these are not the frames of a run");
}

TEST_CASE("a link at the name of the frames is not followed") {
  const Folder folder;
  fs::create_directories(folder.path);
  write(folder.path + "/other", "kept");
  fs::create_symlink(folder.path + "/other", folder.path + "/frames.bin");
  REQUIRE(FrameWriter::open(fixture::hose(3).scene, folder.path).ok());
  CHECK(bytes_of(folder.path + "/other") == "kept");
  CHECK_FALSE(fs::is_symlink(folder.path + "/frames.bin"));
}

// The frames of an older version: without checksums (1), or with some that are taken byte by byte (2).
std::string as_version(std::uint32_t version, std::string bytes) {
  const auto u32 = [&](std::size_t at) {
    std::uint32_t n = 0;
    std::memcpy(&n, bytes.data() + at, sizeof n);
    return n;
  };
  std::size_t at = 16 + u32(12);
  std::memcpy(bytes.data() + 8, &version, sizeof version);
  while (at < bytes.size()) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    const std::uint64_t sum = io::checksum(std::string_view(bytes).substr(at + sizeof length, length));
    at += sizeof length + length;
    if (version == 1) {
      bytes.erase(at, sizeof sum);
    } else {
      std::memcpy(bytes.data() + at, &sum, sizeof sum);
      at += sizeof sum;
    }
  }
  return bytes;
}

TEST_CASE("every frame has its checksum, and frames of older versions are read as ever") {
  const Folder folder;
  record(moving_hose(), folder.path);
  const std::string file = folder.path + "/frames.bin";
  const std::string good = bytes_of(file);
  const std::size_t count = read_frames(file)->size();
  // no byte of the last frame can change unnoticed; each would make a plausible number
  for (std::size_t back = 9; back < 200; back += 7) {
    std::string bad = good;
    bad[bad.size() - back] = static_cast<char>(bad[bad.size() - back] ^ 1);
    write(file, bad);
    const auto frames = read_frames(file);
    REQUIRE_FALSE(frames.ok());
    CHECK(frames.error().message == "a frame is damaged");
  }
  for (const std::uint32_t version : {1U, 2U}) {
    write(file, as_version(version, good));
    const auto old = read_frames(file);
    REQUIRE(old.ok());
    CHECK(old->size() == count);
  }
}

TEST_CASE("frames are passed over, and those behind them read") {
  const Folder folder;
  record(moving_hose(), folder.path);
  const auto frames = read_frames(folder.path);
  REQUIRE(frames->size() > 2);
  auto reader = FrameReader::open(folder.path);
  REQUIRE(reader.ok());
  Snapshot frame;
  double t = 0;
  for (std::size_t i = 0; i < frames->size(); ++i) {
    if (i % 2 == 0) {
      REQUIRE(*reader->next(frame));
      CHECK(frame.pose.rods[0].position == (*frames)[i].pose.rods[0].position);
    } else {
      REQUIRE(reader->skip(t));
      CHECK(t == (*frames)[i].t);
    }
  }
  CHECK_FALSE(reader->skip(t));
  CHECK_FALSE(reader->cut_off());
  // one that is cut off is not passed over
  const std::string whole = bytes_of(folder.path + "/frames.bin");
  write(folder.path + "/frames.bin", whole.substr(0, whole.size() - 3));
  auto cut = FrameReader::open(folder.path);
  std::size_t passed = 0;
  while (cut->skip(t)) ++passed;
  CHECK(passed + 1 == frames->size());
  CHECK(cut->cut_off());
}

Scene small_scene() {
  return *parse_scene(R"(filum: 1
sections: {wire: {shape: circle, radius: 1 mm}}
rods: {wire: {material: steel, section: wire, shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
)",
                      "small.yaml");
}

TEST_CASE("a state comes back to the last bit") {
  const Folder folder;
  SavedState state;
  state.t = 1.0 / 3;
  state.values = {0.1, -0.0, 1e308, 5e-324, -std::numeric_limits<double>::infinity()};
  REQUIRE(write_state(small_scene(), state, folder.path).ok());
  const Result<StoredState> read = read_state(folder.path);
  if (!read) FAIL(read.error().text());
  CHECK(read->state.t == state.t);
  REQUIRE(read->state.values.size() == state.values.size());
  CHECK(read->scene == small_scene());
  CHECK(std::memcmp(read->state.values.data(), state.values.data(), 5 * sizeof(double)) == 0);
}

TEST_CASE("a state that is cut, damaged or not a number is refused") {
  const Folder folder;
  SavedState state;
  state.values = {1, 2, 3};
  REQUIRE(write_state(small_scene(), state, folder.path).ok());
  const std::string file = folder.path + "/state.bin";
  const std::string good = bytes_of(file);
  for (std::size_t end = 0; end < good.size(); ++end) {
    write(file, good.substr(0, end));
    CHECK_FALSE(read_state(file).ok());
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    write(file, bad);
    CHECK_FALSE(read_state(file).ok());
  }
  write(file, good + "x");
  CHECK_FALSE(read_state(file).ok());
  state.values[1] = std::nan("");
  REQUIRE(write_state(small_scene(), state, folder.path).ok());
  CHECK(read_state(file).error().message == "the state holds what is not a number");
  CHECK(read_state(folder.path + "/none").error().code == ErrorCode::File);
}

}  // namespace
}  // namespace filum::test_frames
