// What the shapes of natural modes have in common, whatever the unknowns: which of equal ones are taken, and their size.
#pragma once

#include <filum/modes.hpp>

#include <Eigen/Core>

#include <functional>

namespace filum::discrete {

// Of equal eigenvalues any combination is a mode: those that move most along z, then along y, then along x. Columns of
// `vectors` are turned among themselves. `weigh`: y := the mass of x, that along the axes times 3, 2 and 1.
void turn_towards_axes(const Eigen::VectorXd& eigenvalue, Eigen::MatrixXd& vectors,
                       const std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& y)>& weigh);

// The largest displacement becomes 1, or the largest rotation where nothing is displaced; its largest component is
// positive. `size`: of the model, m.
void normalise(NaturalMode& mode, double size);

}  // namespace filum::discrete
