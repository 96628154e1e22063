// The search for natural modes, whatever the unknowns: K x = λ M x for the smallest λ.
//
// They are the largest eigenvalues 1/(λ + σ) of (K + σM)⁻¹ M, found by block Lanczos; σ is as small as keeps K + σM
// positive. That none was missed is counted by Sylvester's law of inertia [Golub2013, section 8.1.5], and the search goes on
// with fresh vectors if one was.
#pragma once

#include <filum/modes.hpp>

#include <Eigen/Core>

namespace filum::discrete {

// λ rising, with vectors of unit mass as columns.
struct Modes {
  Eigen::VectorXd eigenvalue;
  Eigen::MatrixXd vectors;
};

// Stiffness and mass of somebody's unknowns. Constraints may be among the rows of K; they have no mass.
class ModePencil {
 public:
  virtual ~ModePencil() = default;

  // At most `count` modes; none if it was stopped, or nothing has mass.
  Modes search(int count, const Progress& progress);

 protected:
  // What the search measures with.
  struct Scales {
    double mass = 0;       // in all, kg
    double soft = 0;       // the softest rod in bending, as one spring: EI (π/L)⁴ L, N/m
    double noise = 0;      // round-off of K, N/m
    double above_all = 0;  // beyond λ of whatever has mass, 1/s²
  };
  struct Factored {
    bool done = false;
    int negative = 0;  // directions, beyond those of the constraints
  };

  explicit ModePencil(int rows) : rows_(rows) {}

  [[nodiscard]] virtual Scales scales() const = 0;
  // Factors K + σM.
  virtual Factored factor(double shift) = 0;
  // x := (K + σM)⁻¹ x by the last factor, without multipliers.
  virtual void resolve(Eigen::VectorXd& x) = 0;
  // y := M x
  virtual void weigh(const Eigen::VectorXd& x, Eigen::VectorXd& y) = 0;
  // Turns vectors of unit mass, found with K + σM factored, into modes among themselves (Rayleigh and Ritz); says their λ.
  virtual void sort_out(double shift, Modes& modes) = 0;

  // x := (K + σM)⁻¹ M x
  void apply(Eigen::VectorXd& x);

  [[nodiscard]] int rows() const { return rows_; }

 private:
  bool choose_shift();
  bool complete(const Modes& modes);

  int rows_ = 0;
  double shift_ = 0;           // σ
  int massless_negative_ = 0;  // directions without inertia that are negative whatever the shift
};

// Stiffness of a rod in bending as one spring, N/m: EI (π/L)⁴ L.
double bending_spring(double EI, double length);

}  // namespace filum::discrete
