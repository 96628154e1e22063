// The largest eigenvalues of an operator that is self-adjoint in an inner product, by block Lanczos.
//
// A x = ν x with ⟨x, A y⟩ = ⟨A x, y⟩, ⟨x, y⟩ = xᵀ M y, M positive semi-definite: vectors of nil norm are allowed as
// long as A maps them to nothing, which A = (K + σM)⁻¹ M does. Every new block is made orthogonal to all before it
// (three passes of Gram-Schmidt), so no copies appear; a block finds multiplicities up to its size at once, larger ones
// by fresh vectors. [Golub2013, section 10.3]; semi-definite M as in [NourOmid1987].
//
// The same numbers come out in every run: the start vectors are from a generator with a fixed seed.
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <functional>
#include <vector>

namespace filum::math {

class BlockLanczos {
 public:
  // `apply`: x := A x. `weigh`: y := M x.
  struct Operator {
    int rows = 0;
    std::function<void(Eigen::VectorXd&)> apply;
    std::function<void(const Eigen::VectorXd&, Eigen::VectorXd&)> weigh;
  };

  explicit BlockLanczos(Operator op);

  // Until the `count` largest eigenvalues have settled, or the space is exhausted, or it has `most` dimensions. May be
  // called again with more. `stops` is asked before every block; true: it was obeyed.
  bool run(int count, int most, const std::function<bool()>& stops = {});

  // Puts fresh vectors beside the next block: to find what has been missed.
  void refresh();

  // The pairs found: the vectors of unit norm and orthogonal, values falling. At most as many as there are.
  [[nodiscard]] int found() const { return found_; }
  [[nodiscard]] Eigen::MatrixXd vectors(int count) const;

  // Makes x orthogonal to the columns and of unit norm. False if nothing is left of it.
  bool orthonormalise(Eigen::VectorXd& x, const Eigen::MatrixXd& against, int columns) const;

 private:
  bool add_vector(Eigen::VectorXd& x);
  bool add_fresh_vector();
  bool grow();
  bool settled(int count);

  Operator op_;
  Eigen::MatrixXd basis_;      // columns that exist: size_
  Eigen::MatrixXd projected_;  // basisᵀ M A basis, of the columns that A has been applied to: done_
  Eigen::MatrixXd overflow_;   // what A made of a done column beyond the done ones: rows size_ − done_
  int size_ = 0;
  int done_ = 0;
  int found_ = 0;
  bool exhausted_ = false;
  Eigen::VectorXd values_;  // Ritz values, falling
  Eigen::MatrixXd shapes_;  // their vectors in the basis
  std::uint64_t seed_ = 1;
};

}  // namespace filum::math
