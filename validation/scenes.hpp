// The kit of the validation cases: small scenes made in code, solved, and the rows that judge them.
//
// Cases work in round numbers: a rod has the stiffnesses that make the reference simple, not those of a real part. The
// directors of a straight rod along x are d1 = y, d2 = z, d3 = x, so that a load along z bends it about d1.
#pragma once

#include "validation/case.hpp"

#include <filum/solve.hpp>

#include <functional>
#include <string>
#include <vector>

namespace filum::validation {

// A section given by its stiffnesses: no material stands behind it.
Section given_section(double EA, const Vec2& EI, double GJ, double mass_per_length);

// One straight rod named «rod» from `from` to `to`, its normal along y (along x if it stands along y); no gravity, no
// holds. Further rods are added by `add_rod`.
Scene straight_rod(const Section& section, const Vec3& from, const Vec3& to, int segments);
Rod& add_rod(Scene& scene, const std::string& name, const Section& section, const Curve& shape, int segments);

Curve line(const Vec3& from, const Vec3& to);
inline constexpr ArcPosition kStart{0, 0};
inline constexpr ArcPosition kMiddle{0.5, 0};
inline constexpr ArcPosition kEnd{1, 0};

inline constexpr double kGravity = 9.81;  // m/s²

Hold clamp(ArcPosition at, const std::string& rod = "rod");  // position and orientation
Hold pin(ArcPosition at, const std::string& rod = "rod");    // position alone
// The end of a straight rod along x: kept from moving sideways and from turning, free to slide along.
Hold guide(ArcPosition at, const std::string& rod = "rod");

// The whole scene turned about the origin. Holds must fix all axes or none, because axes do not turn.
Scene turned(Scene scene, const Quat& rotation);

// A rotation without zero or equal entries: skew to every axis.
Quat skew_rotation();

// The rows of a case, and the first thing that went wrong.
class Sheet {
 public:
  explicit Sheet(const Setting& setting) : formulation_(setting.formulation) {}

  // In the formulation of the setting. An equilibrium must come out; if not, the case fails with the reason. The
  // outcome always has a state.
  Outcome solve(Scene scene, const SolveOptions& options = {});

  // What `stable` says of the scene's equilibrium; an answer must come out.
  bool stable(const Scene& scene);

  // A row each.
  void absolute(std::string quantity, double ours, double reference, double tolerance, std::string reason);
  void relative(std::string quantity, double ours, double reference, double tolerance, std::string reason);
  void at_least(std::string quantity, double ours, double bound, std::string reason);
  void at_most(std::string quantity, double ours, double bound, std::string reason);

  [[nodiscard]] Result<std::vector<Row>> result() &&;

  // Nothing could be computed: the case fails, with the first reason given.
  void fail(const std::string& why);

 private:
  std::string formulation_;
  std::vector<Row> rows_;
  std::string failure_;
};

// Of the first rod in the last state.
const RodPose& rod_pose(const Outcome& outcome);
Vec3 tip(const Outcome& outcome);
// The position at an arc length: on the cubic through the four nearest nodes.
Vec3 position_at(const RodPose& rod, double s);

// The value between `stable` and `unstable` at which `is_stable` changes, by bisection to a relative 1e-5.
double onset(double stable, double unstable, const std::function<bool(double)>& is_stable);

// The smallest observed order over a sequence of ever finer meshes: errors against segments.
double observed_order(const std::vector<double>& errors, const std::vector<double>& segments);

}  // namespace filum::validation
