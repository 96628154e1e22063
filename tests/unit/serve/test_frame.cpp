// Frames as bytes, who may come in, archives: what goes over the wire.
#include "serve/net/access.hpp"
#include "serve/net/zip.hpp"
#include "unit/serve/bench_rig.hpp"

namespace filum::test_frame {

using test::at_byte;
using test::Bench;

TEST_CASE("a frame says what the protocol's tables say") {
  Bench bench;
  bench.open();
  const auto frame = bench.editor().frame(0.5);
  serve::FrameMemory memory;
  const std::string message = serve::assemble(*frame, memory);
  CHECK(message.substr(0, 4) == "FLMF");
  CHECK(at_byte<std::uint16_t>(message, 4) == 1);
  CHECK(at_byte<std::uint32_t>(message, 8) == frame->number);
  CHECK(at_byte<std::uint32_t>(message, 12) == bench.editor().revision());
  CHECK(at_byte<std::uint64_t>(message, 16) == bench.hash());
  CHECK(at_byte<float>(message, 44) == 0.5F);
  CHECK(at_byte<double>(message, 48) == bench.editor().pose().energy.elastic);
  CHECK(at_byte<std::uint32_t>(message, 88) == 1);
  CHECK(at_byte<std::uint32_t>(message, 96) == 2);
  CHECK(at_byte<std::uint32_t>(message, 100) == std::size(serve::kChannels));

  // the rod: header, layout, values
  const std::size_t rod = 112;
  const auto n = at_byte<std::uint32_t>(message, rod);
  const RodPose& pose = bench.editor().pose().rods[0];
  REQUIRE(n == pose.s.size());
  CHECK(at_byte<std::uint32_t>(message, rod + 4) == 3);
  const std::size_t layout = rod + 48;
  CHECK(at_byte<float>(message, layout + 4 * (n - 1)) == static_cast<float>(pose.s.back()));
  const std::size_t values = layout + 12 * n;
  const std::size_t last = n - 1;
  CHECK(at_byte<float>(message, values + 12 * last) == static_cast<float>(pose.position.back().x()));
  CHECK(at_byte<float>(message, values + 12 * n + 16 * last) == static_cast<float>(pose.frame.back().w()));
  const std::size_t channels = values + 28 * n;
  CHECK(at_byte<float>(message, channels + 4 * 3) == static_cast<float>(pose.curvature[3].norm()));
  CHECK(at_byte<float>(message, channels + 4 * n + 4 * 3) == static_cast<float>(pose.axial_force[3]));
  // two holds and no body
  const std::size_t holds = channels + 4 * std::size(serve::kChannels) * n;
  REQUIRE(message.size() == holds + 2 * 64);
  CHECK(at_byte<float>(message, holds + 64) == 0.4F);
  CHECK(at_byte<std::uint32_t>(message, holds + 60) == 3);
}

TEST_CASE("a frame carries the ways of massless ropes, slack ones marked") {
  Pose pose;
  pose.ropes = {{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, -2)}, {30, 20}, 2.5, false},
                {{Vec3(0, 0, 0)}, {0}, 1, true}};
  serve::FrameMaker maker;
  serve::FrameMemory memory;
  const std::string message = serve::assemble(*maker.make({}, nullptr, pose, {}), memory);
  CHECK(at_byte<std::uint32_t>(message, 104) == 2);
  CHECK(at_byte<std::uint32_t>(message, 112) == 3);
  CHECK(at_byte<std::uint32_t>(message, 116) == 0);
  CHECK(at_byte<float>(message, 120) == 30);
  CHECK(at_byte<float>(message, 124) == 2.5F);
  CHECK(at_byte<float>(message, 128 + 4 * 8) == -2);
  const std::size_t second = 128 + 12 * 3;
  CHECK(at_byte<std::uint32_t>(message, second + 4) == 3);
  CHECK(message.size() == second + 16 + 12);
}

TEST_CASE("what a page has already is not sent again") {
  Bench bench;
  bench.open();
  serve::FrameMemory memory;
  const std::string whole = serve::assemble(*bench.editor().frame(0), memory);
  const std::string same = serve::assemble(*bench.editor().frame(0), memory);
  CHECK(at_byte<std::uint32_t>(same, 112 + 4) == 0);
  CHECK(same.size() < whole.size() / 2);
  bench.must({{"cmd", "grab"}, {"hand", "m"}, {"hold", "far"}});
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.39, 0, 0}}});
  const auto moved = bench.editor().frame(0);
  CHECK(at_byte<std::uint32_t>(serve::assemble(*moved, memory), 112 + 4) == 2);
  // somebody who comes later gets all of it
  serve::FrameMemory late;
  CHECK(at_byte<std::uint32_t>(serve::assemble(*moved, late), 112 + 4) == 3);
  // and so does everybody after the scene has changed
  bench.must({{"cmd", "set"}, {"path", "rods.hose.segments"}, {"value", 20}});
  CHECK(at_byte<std::uint32_t>(serve::assemble(*bench.editor().frame(0), memory), 112 + 4) == 3);
}

TEST_CASE("only those who know the token and come by the right name are let in") {
  const serve::AccessRule access("0123456789abcdef0123456789abcdef", "0.0.0.0", 8420, {"Bench.example"},
                                 {"http://localhost:5173"});
  const auto knows = [&](const char* target, const char* header) {
    return access.knows(serve::parse_target(target), header);
  };
  CHECK(knows("/?token=0123456789abcdef0123456789abcdef", ""));
  CHECK(knows("/api/x", "0123456789abcdef0123456789abcdef"));
  CHECK_FALSE(knows("/?token=0123456789abcdef0123456789abcdee", ""));
  CHECK_FALSE(knows("/?token=", ""));
  CHECK_FALSE(knows("/", "0123456789abcdef0123456789abcdef0"));
  CHECK(access.host_allowed("127.0.0.1:8420"));
  CHECK(access.host_allowed("LOCALHOST:8420"));
  CHECK(access.host_allowed("bench.example:8420"));
  CHECK(access.origin_allowed("http://bench.example:8420"));
  CHECK_FALSE(access.origin_allowed("http://evil.example:8420"));
  CHECK_FALSE(access.host_allowed("127.0.0.1:80"));
  CHECK_FALSE(access.host_allowed("evil.example:8420"));
  CHECK_FALSE(access.host_allowed(""));
  CHECK(access.origin_allowed(""));
  CHECK(access.origin_allowed("http://127.0.0.1:8420"));
  CHECK(access.origin_allowed("http://localhost:5173"));
  CHECK_FALSE(access.origin_allowed("null"));
  CHECK_FALSE(access.origin_allowed("http://evil.example"));
  CHECK(serve::new_token().size() == 32);
  CHECK(serve::new_token() != serve::new_token());
}

TEST_CASE("addresses are taken apart, whatever is in them") {
  const serve::Target target = serve::parse_target("/api/scene?name=a%20b%2Fc+d&x&=y&name=z&bad=%zz%4");
  CHECK(target.path == "/api/scene");
  CHECK(target.value("name") == "a b/c d");
  CHECK(target.value("bad") == "%zz%4");
  CHECK(target.value("none").empty());
  CHECK(serve::parse_target("").path.empty());
}

TEST_CASE("an archive has the layout that unpackers expect") {
  const std::string bytes = serve::zip({{"a.csv", "1,2\n"}, {"b.csv", "3\n"}});
  CHECK(at_byte<std::uint32_t>(bytes, 0) == 0x04034B50);
  // CRC-32 of "1,2\n"
  CHECK(at_byte<std::uint32_t>(bytes, 14) == 0x55214233);
  CHECK(at_byte<std::uint32_t>(bytes, bytes.size() - 22) == 0x06054B50);
  CHECK(at_byte<std::uint16_t>(bytes, bytes.size() - 12) == 2);
}

}  // namespace filum::test_frame
