#include "geometry/finer_rings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::geometry {
namespace {

// How many bands lie between two stations.
int bands(const Stations& coarse, std::size_t i) {
  constexpr double kFold =
      0.1;  // how far the middle of a face may be off, shares of the smaller half extent: by its fold,
  constexpr double kChord = 0.01;  // and by lying on a chord
  constexpr double kMost = 400;
  const TubeSection& section = coarse.section[i + 1];
  const double wide = section.half.maxCoeff();
  const double high = section.half.minCoeff();
  const bool looks_turned = section.angular || wide > high;
  if (coarse.piece[i] != coarse.piece[i + 1] || !section.same_kind(coarse.section[i]) || !looks_turned || !(high > 0))
    return 1;
  const Quat turn = coarse.frame[i].conjugate() * coarse.frame[i + 1];
  const auto angle = [&](double sine) {
    const double whole = 2 * std::atan2(sine, std::abs(turn.w()));
    return std::min(whole, 2 * std::numbers::pi - whole);
  };
  const double folded = wide * angle(std::abs(turn.z())) / 2;
  const double chord = (coarse.position[i + 1] - coarse.position[i]).norm();
  const double inside = chord * angle(std::hypot(turn.x(), turn.y())) / 8;
  const double count = std::max(folded / (kFold * high), std::sqrt(inside / (kChord * high)));
  return static_cast<int>(std::clamp(std::ceil(count), 1.0, kMost));
}

// Between stations i and i + 1.
Vec3 place(const Stations& coarse, std::size_t i, double t) {
  const Vec3& from = coarse.position[i];
  const Vec3& to = coarse.position[i + 1];
  const Vec3 start = coarse.frame[i] * Vec3::UnitZ();
  const Vec3 end = coarse.frame[i + 1] * Vec3::UnitZ();
  const double half = std::atan2(start.cross(end).norm(), start.dot(end)) / 2;
  const double chord = (to - from).norm();
  const double speed = half > 1e-6 ? chord * half / std::sin(half) : chord;
  const double u = 1 - t;
  return (1 + 2 * t) * u * u * from + t * t * (3 - 2 * t) * to + speed * t * u * (u * start - t * end);
}

}  // namespace

Stations finer_rings(const Stations& coarse) {
  Stations fine;
  const auto add = [&](const Vec3& position, const Quat& frame, const TubeSection& section, double scalar, int piece) {
    fine.position.push_back(position);
    fine.frame.push_back(frame);
    fine.section.push_back(section);
    fine.scalar.push_back(scalar);
    fine.piece.push_back(piece);
  };
  for (std::size_t i = 0; i < coarse.position.size(); ++i) {
    add(coarse.position[i], coarse.frame[i], coarse.section[i], coarse.scalar[i], coarse.piece[i]);
    const int count = i + 1 < coarse.position.size() ? bands(coarse, i) : 1;
    for (int k = 1; k < count; ++k) {
      const double t = static_cast<double>(k) / count;
      TubeSection section = coarse.section[i + 1];
      section.half = (1 - t) * coarse.section[i].half + t * section.half;
      section.bore = (1 - t) * coarse.section[i].bore + t * section.bore;
      add(place(coarse, i, t), coarse.frame[i].slerp(t, coarse.frame[i + 1]), section,
          (1 - t) * coarse.scalar[i] + t * coarse.scalar[i + 1], coarse.piece[i]);
    }
  }
  return fine;
}

}  // namespace filum::geometry
