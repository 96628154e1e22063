// First and second derivatives by the headings of the links.
#pragma once

#include "channel/wall_rows.hpp"

#include <Eigen/Core>

#include <vector>

namespace filum::channel {

// Derivatives of U − Σ forces·positions + ½ Σ (what `stiffness` adds at the nodes) by the heading of each link.
//
// With R_j the sum of all forces beyond link j, e' = de/dθ and m the joint moments:
//   gradient_j = m_j − m_{j+1} − Δs e'_j·R_j
//   Hessian_jk = (bending) + δ_jk Δs e_j·R_j + Δs² e'_jᵀ (Σ_{i > max(j,k)} stiffness_i) e'_k

// `stiffness` need not be symmetric (friction). `forces` and `stiffness` have one entry per node; the dead load is added here.
Eigen::VectorXd linkage_gradient(const Beam& beam, const std::vector<double>& angles, const std::vector<Vec2>& forces);
Eigen::MatrixXd linkage_hessian(const Beam& beam, const std::vector<double>& angles, const std::vector<Vec2>& forces,
                                const std::vector<Eigen::Matrix2d>& stiffness);

// What a force on a node does to the heading of each link: Δs e'_j·force of the links before it.
Eigen::VectorXd moments_of(const Beam& beam, const std::vector<double>& angles, int node, const Vec2& force);

}  // namespace filum::channel
