// Turns of an open rod's ends against twist and writhe: exact for polylines, through crossings and the belt trick.
#include "rod/linking_number.hpp"

#include "math/rotation.hpp"
#include "rod/curve_kit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>

namespace filum::test_link {

using namespace filum::rod;
using math::kPi;

namespace {

// The identity is exact: what is left is rounding of some 1e4 arctangents.
constexpr double kExact = 1e-9;

struct Ribbon {
  std::vector<Vec3> points;
  std::vector<Quat> frames;  // one per edge
  double twist = 0;          // rad, unwrapped

  [[nodiscard]] LinkView view() const {
    return {twist / (2 * kPi), points, frames.front().toRotationMatrix(), frames.back().toRotationMatrix()};
  }
};

// Polyline along the curve at u in [0, 1], its frames Bishop's with `twist` spread evenly on top.
Ribbon along(int n, const std::function<Vec3(double)>& at, double twist) {
  Ribbon ribbon;
  for (int i = 0; i <= n; ++i) ribbon.points.push_back(at(double(i) / n));
  std::vector<double> angles;
  for (int i = 0; i < n; ++i) angles.push_back(n > 1 ? twist * i / (n - 1) : 0);
  ribbon.frames = material_frames(edge_tangents(ribbon.points), Vec3(0.3, -0.2, 0.9), angles);
  ribbon.twist = twist;
  return ribbon;
}

// Edges of the same length whose frames are R(u).
Ribbon integrated(int n, const std::function<Quat(double)>& frame) {
  Ribbon ribbon;
  ribbon.points.push_back(Vec3::Zero());
  for (int i = 0; i < n; ++i) {
    ribbon.frames.push_back(frame(double(i) / (n - 1)));
    ribbon.points.push_back(ribbon.points.back() + ribbon.frames.back() * Vec3::UnitZ() / n);
  }
  ribbon.twist = total_twist(joint_twists(ribbon.frames, false));
  return ribbon;
}

// Follows a motion from time 0 to 1 in `steps`; the balance at its end. Each look must leave no remainder.
LinkBalance follow(int steps, const std::function<Ribbon(double)>& motion, double turned = 0) {
  LinkLedger ledger(motion(0).view());
  LinkBalance balance;
  for (int i = 1; i <= steps; ++i) {
    const Ribbon ribbon = motion(double(i) / steps);
    const LinkView view = ribbon.view();
    ledger.follow(view.start, view.end, turned);
    balance = ledger.balance(view);
    CHECK(std::abs(balance.remainder) < kExact);
    CHECK(balance.turns == ledger.turns());
  }
  return balance;
}

Vec3 straight(double u) {
  return Vec3(1, 2, -0.5) + u * Vec3(0.3, -0.4, 0.8);
}

Vec3 quarter(double u) {
  return Vec3(std::sin(kPi / 2 * u), 1 - std::cos(kPi / 2 * u), 0);
}

}  // namespace

TEST_CASE("link: ten turns of a straight rod are ten turns of twist") {
  const auto motion = [](double t) { return along(7, straight, 20 * kPi * t); };
  for (const LinkBalance& balance : {follow(25, motion), follow(1, motion, 10), follow(1, motion, 9.6)}) {
    CHECK(std::abs(balance.turns - 10) < kExact);
    CHECK(std::abs(balance.twist - 10) < kExact);
    CHECK(std::abs(balance.writhe) < kExact);
    CHECK(balance.crossings == 0);
  }
}

TEST_CASE("link: ten turns and back with end tangents at a right angle") {
  const LinkBalance there = follow(50, [](double t) { return along(40, quarter, 20 * kPi * t); });
  CHECK(std::abs(there.turns - 10) < kExact);
  CHECK(std::abs(there.writhe) < kExact);
  const LinkBalance back =
      follow(100, [](double t) { return along(40, quarter, 20 * kPi * (1 - std::abs(2 * t - 1))); });
  CHECK(std::abs(back.turns) < kExact);
  CHECK(back.crossings == 0);
}

TEST_CASE("link: a rod coiled without twist turns its ends by 1 − sin(pitch angle) a coil") {
  // the coil grows out of a straight rod of the same length; frames stay without twist, so that all is writhe
  const double angle = 0.4;
  const int coils = 5;
  const auto motion = [&](double t) {
    const double pitch = kPi / 2 + (angle - kPi / 2) * t;
    const double radius = std::cos(pitch) / (2 * kPi * coils);
    return along(
        coils * 40,
        [=](double u) {
          const double phase = 2 * kPi * coils * u;
          return Vec3(radius * std::cos(phase), radius * std::sin(phase), std::sin(pitch) * u);
        },
        0);
  };
  const LinkBalance balance = follow(20, motion);
  CHECK(std::abs(balance.turns - balance.writhe) < kExact);
  CHECK(balance.crossings == 0);
  // first and last edge lie one edge short of whole coils, and a polygon of 40 sides is good to (π/40)²
  CHECK(balance.writhe == doctest::Approx(coils * (1 - std::sin(angle))).epsilon(0.01));
}

TEST_CASE("link: a plectoneme's twist and writhe make whole turns") {
  const double angle = 0.5;
  std::vector<double> writhes;
  for (const int coils : {4, 8, 16}) {
    CAPTURE(coils);
    // up one strand, over the top, down the other; both strands are right-handed
    const double climb = 0.2 * kPi * std::tan(angle);
    const auto plectoneme = [=](double u) {
      const double turns = coils * (1 - std::abs(2 * u - 1));
      const double side = std::clamp(10.0 * coils * (0.5 - u), -1.0, 1.0);
      const double phase = 2 * kPi * turns;
      return Vec3(0.1 * side * std::cos(phase), 0.1 * side * std::sin(phase), climb * turns);
    };
    const Ribbon ribbon = along(120 * coils, plectoneme, 0.7);
    const LinkView view = ribbon.view();
    writhes.push_back(extended_writhe(view.points, view.start.col(2), view.end.col(2)));
    const double link = view.twist + writhes.back() - closure_angle(view.start, view.end, 0) / (2 * kPi);
    CHECK(std::abs(link - std::round(link)) < kExact);
  }
  // 2 sin(pitch angle) a coil, the ends' share taken out; 1 % for the polygon of 60 sides a coil
  CHECK((writhes[2] - writhes[1]) / 8 == doctest::Approx(-2 * std::sin(angle)).epsilon(0.01));
  CHECK((writhes[1] - writhes[0]) / 4 == doctest::Approx(-2 * std::sin(angle)).epsilon(0.02));
}

TEST_CASE("link: a loop drawn through itself changes by two, and the crossing is counted") {
  for (const double side : {1.0, -1.0}) {
    CAPTURE(side);
    // odd steps, for at the touch itself half of the crossing is done; the ends are kept by as much twist as it takes
    double near = 0;
    const auto motion = [&](double t) {
      const double lift = side * 0.3 * (1 - 2 * t);
      const auto loop = [=](double u) {
        const double x = 4 * (u - 0.5);
        const double fade = std::exp(-x * x);
        return Vec3(x - 3 * x * fade, 2 * fade, lift * x * fade);
      };
      const Ribbon plain = along(121, loop, 0);
      near = closure_angle(plain.view().start, plain.view().end, near);
      return along(121, loop, -near);
    };
    const LinkBalance balance = follow(41, motion);
    CHECK(std::abs(balance.turns) < kExact);
    CHECK(balance.crossings == (balance.writhe < 0 ? 1 : -1));
    CHECK(std::abs(balance.twist + balance.writhe + 2 * balance.crossings) < kExact);
  }
}

TEST_CASE("link: the belt trick takes two turns out of a rod whose ends do not turn") {
  // R = Rz(2πu)·R_axis(2πu): two turns about z at first, none when the axis has gone over to −z; both ends stay
  const auto motion = [](double t) {
    const Vec3 axis(std::sin(kPi * t), 0, std::cos(kPi * t));
    return integrated(
        200, [=](double u) { return math::exp_quat(Vec3(0, 0, 2 * kPi * u)) * math::exp_quat(2 * kPi * u * axis); });
  };
  CHECK(std::abs(motion(0).twist - 4 * kPi) < kExact);
  CHECK(std::abs(motion(1).twist) < kExact);
  const LinkBalance balance = follow(40, motion);
  CHECK(std::abs(balance.turns) < kExact);
  CHECK(std::abs(balance.twist + 2) < kExact);
  CHECK(std::abs(balance.writhe) < kExact);
  CHECK(balance.crossings == 1);
}

TEST_CASE("link: an end tangent that passes the start's opposite in few steps loses no turn") {
  for (const double tilt : {0.2, -0.03, 1e-6, -1e-6}) {
    CAPTURE(tilt);
    // an arc that grows to a turn and a half, a little out of its plane
    const auto motion = [=](double t) {
      return integrated(60, [=](double u) { return math::exp_quat((0.2 + 3 * kPi * t) * u * Vec3(1, 0, tilt)); });
    };
    const LinkBalance coarse = follow(7, motion);
    const LinkBalance fine = follow(701, motion);
    CHECK(coarse.crossings == 0);
    CHECK(fine.crossings == 0);
    CHECK(std::abs(coarse.turns - fine.turns) < kExact);
  }
  // right through it: which way is open, but nothing is lost
  const auto flat = [](double t) {
    return integrated(61, [=](double u) { return math::exp_quat((kPi / 2 + kPi * t) * u * Vec3::UnitX()); });
  };
  follow(2, flat);
}

TEST_CASE("link: random motions leave no remainder") {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int run = 0; run < 30; ++run) {
    CAPTURE(run);
    // frames from a rotation vector that is a smooth random function of place and time
    std::array<Vec3, 9> a;
    for (Vec3& each : a) each = 1.5 * Vec3(normal(random), normal(random), normal(random));
    const auto motion = [&](double t) {
      return integrated(80, [&](double u) {
        const Vec3 first = a[0] * std::sin(3 * u + t) + a[1] * std::cos(4 * t) + a[2] * u * u * t;
        const Vec3 second = a[3] * std::sin(2 * t) * u + a[4] * std::cos(5 * u) + a[5] * (t - u);
        return math::exp_quat(first) * math::exp_quat(second) * math::exp_quat(Vec3(0, 0, 9 * u * t));
      });
    };
    const LinkBalance balance = follow(60, motion);
    // the way there does not matter to what is there, but for crossings
    const double sum = balance.twist + balance.writhe - balance.turns;
    CHECK(std::abs(sum + 2 * balance.crossings) < kExact);
  }
}

TEST_CASE("link: rigid motion of the whole changes nothing") {
  const auto coil = [](double u) { return Vec3(std::cos(9 * u), std::sin(9 * u), u * u); };
  const Ribbon ribbon = along(50, coil, 3);
  const Quat turn = math::exp_quat(Vec3(1, 2, -0.5));
  LinkLedger ledger(ribbon.view());
  Ribbon moved = ribbon;
  for (Vec3& point : moved.points) point = turn * point + Vec3(3, 0, 1);
  for (Quat& frame : moved.frames) frame = turn * frame;
  ledger.follow(moved.view().start, moved.view().end);
  const LinkBalance balance = ledger.balance(moved.view());
  CHECK(std::abs(balance.turns) < kExact);
  CHECK(std::abs(balance.writhe) < kExact);
  CHECK(balance.crossings == 0);
}

TEST_CASE("link: end frames may lie off the first and last edge if their joints are counted") {
  Ribbon ribbon = along(
      50, [](double u) { return Vec3(std::cos(9 * u), std::sin(9 * u), u * u); }, 3);
  const Quat start = ribbon.frames.front() * math::exp_quat(Vec3(0.4, -0.3, 1));
  const Quat end = ribbon.frames.back() * math::exp_quat(Vec3(-0.2, 0.6, 2));
  const double twist =
      ribbon.twist + joint_twist(start, ribbon.frames.front()) + joint_twist(ribbon.frames.back(), end);
  const double writhe = extended_writhe(ribbon.points, start * Vec3::UnitZ(), end * Vec3::UnitZ());
  const double psi = closure_angle(start.toRotationMatrix(), end.toRotationMatrix(), 0);
  const double link = (twist - psi) / (2 * kPi) + writhe;
  CHECK(std::abs(link - std::round(link)) < kExact);
}

TEST_CASE("link: a thinned line gives the writhe of the full one") {
  const Ribbon ribbon = along(
      1000, [](double u) { return Vec3(std::cos(20 * u), std::sin(20 * u) + u, u * u); }, 0);
  const Vec3 start = ribbon.frames.front() * Vec3::UnitZ();
  const Vec3 end = ribbon.frames.back() * Vec3::UnitZ();
  const double full = extended_writhe(ribbon.points, start, end);
  for (const int segments : {400, 150, 60})
    CHECK(std::abs(extended_writhe(ribbon.points, start, end, segments) - full) < kExact);
}

TEST_CASE("link: a turn lost in the twist shows") {
  const Ribbon ribbon = along(30, quarter, 1);
  const LinkLedger ledger(ribbon.view());
  LinkView view = ribbon.view();
  view.twist += 1;
  CHECK(std::abs(std::abs(ledger.balance(view).remainder) - 1) < kExact);
}

TEST_CASE("link: lines without length stay finite") {
  CHECK(extended_writhe({}, Vec3::UnitX(), Vec3::UnitY()) == 0);
  const std::vector<Vec3> still(5, Vec3(1, 2, 3));
  CHECK(std::isfinite(extended_writhe(still, Vec3::UnitX(), Vec3::UnitY())));
  CHECK(std::isfinite(extended_writhe(still, Vec3::UnitX(), Vec3::UnitY(), 2)));
}

}  // namespace filum::test_link
