// When a rod breaks: one law for every formulation, judged by the pose.
//
// Total strain, plastic included, of the outermost fibre [theetten2006, section 4.2, whose break points are those of
// each strain alone]: stretch and bending together, ε ± c·|κ − κ̄| with c half the width towards the bend, and the shear
// r·|τ − τ̄| of twist. What is elastic of a strain is its force or moment over its stiffness: of a moving rod that is
// free of the axial waves of a single instant.
#pragma once

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

#include <optional>
#include <vector>

namespace filum::sim {

// The largest of one kind along a rod, against its limit.
struct BreakUse {
  CheckKind kind = CheckKind::BreakingTension;
  double value = 0;  // strain, or N
  double limit = 0;
  double s = 0;  // m
  [[nodiscard]] double use() const { return value / limit; }
};

// May any rod of the scene break?
[[nodiscard]] bool may_break(const Scene& scene);

// What its strains use up of those that a rod breaks at. None: it bears every strain.
[[nodiscard]] std::vector<BreakUse> strain_uses(const Scene& scene, const Pose& pose, std::size_t rod);

// A rod that is strained or pulled further than it bears.
struct Rupture {
  int rod = 0;
  BreakUse use;
};
// The one that is so most, by its strains or also by its tension; none: all hold.
[[nodiscard]] std::optional<Rupture> worst_rupture(const Scene& scene, const Pose& pose, bool by_tension);
// What it tells.
[[nodiscard]] Event broke_event(const Scene& scene, const Rupture& rupture, double t);

// Half the width of a section towards where it bends: exact for round ones, and for others along their axes.
[[nodiscard]] double half_width(const Vec2& outline, const Vec2& curvature);

}  // namespace filum::sim
