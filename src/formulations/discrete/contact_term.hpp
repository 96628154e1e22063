// What one contact does to the nodes it is made of.
//
// A contact holds a point Σ w_k x_k off something: an obstacle, then the weights are those of a station on its rod, or
// another strand, then that strand's nodes have negative weights and the point is the way between the two. Its force
// acts on node k as w_k f.
#pragma once

#include <filum/types.hpp>

#include <Eigen/Core>

#include <array>

namespace filum::discrete {

struct ContactTerm {
  static constexpr int kMost = 8;
  int count = 0;
  std::array<int, kMost> node{};
  std::array<double, kMost> weight{};
  Vec3 force = Vec3::Zero();
  Mat3 stiffness = Mat3::Zero();  // −∂force/∂(Σ w x) at fixed weights
  // What a place that slides adds, on the rows of node p and the columns of q: Σ_ij rise_i[p] (give)_ij slide_j[q]ᵀ.
  int slides = 0;
  std::array<std::array<Vec3, kMost>, 2> rise{};
  std::array<std::array<Vec3, kMost>, 2> slide{};
  Eigen::Matrix2d give = Eigen::Matrix2d::Zero();
  double floor = 0;  // what round-off of positions leaves of the force, N
};

// A direction in which a contact leaves no speed at the end of a step: Σ w_k v_k · along = speed.
struct HaltRow {
  int count = 0;
  std::array<int, ContactTerm::kMost> node{};
  std::array<double, ContactTerm::kMost> weight{};
  Vec3 along = Vec3::UnitZ();
  Vec3 speed = Vec3::Zero();  // of what it touches
};

// What a look back at a finished step finds: `Further`, contacts that nobody had thought of: the balance is to be found
// anew; `Through`, something went through something.
enum class Way { Free, Further, Through };

}  // namespace filum::discrete
