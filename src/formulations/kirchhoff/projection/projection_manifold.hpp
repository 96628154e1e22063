// Fast manifold projection: from any positions near by to rods whose edges have their lengths and whose ends are on the
// bodies that hold them.
//
// Repeat x += M⁻¹Jᵀλ with (J M⁻¹ Jᵀ) λ = −C and J = ∂C/∂x at the present x, until every edge's length is right
// [Goldenthal2007; Kirsch2012, section 6.4]. Rows:
//
//     an edge   C = e·e/(2l) − l/2; gradient e/l, nearly a unit vector
//     a tie     C = x_body + R a − x_node, three rows; by a world rotation increment w of the body −[R a] w
//
// Held coordinates have no inverse mass. Bodies are turned by increments whose mass is the world inertia, so there is
// no row for a quaternion's length. Rows that follow from others are left out: edges whose two nodes are held, or tied
// to the same body, and the last row of a rod that is straight between two held points.
//
// Edges of a rod make a tridiagonal matrix, cyclic for a ring; ties are a border around it, eliminated last.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "math/tridiagonal.hpp"

#include <vector>

namespace filum::kirchhoff {

class Manifold {
 public:
  explicit Manifold(const discrete::ModelData& model);

  struct Outcome {
    bool converged = false;
    int iterations = 0;
    double stretch = 0;  // largest ||e|/l − 1| left
  };

  // Moves positions and the rotors of free bodies. At least one iteration, so that forces along the rods act in every
  // step however short it is.
  Outcome project(std::vector<Vec3>& position, std::vector<Mat3>& rotor);

  // What the last projection added up to: pushes Jᵀλ on the nodes, held axes included, impulses of the rotors' turning
  // (J sᵀ, kg·m²), and the multipliers as pulls along the edges and of a tie on its body. Pushes and pulls over the
  // square of a step are forces, and pushes times the inverse mass are the nodes' moves.
  [[nodiscard]] const Vec3& push(int node) const { return push_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const Vec3& rotor_impulse(int rotor) const { return rotor_impulse_[static_cast<std::size_t>(rotor)]; }
  [[nodiscard]] double edge_pull(int edge) const { return edge_pull_[static_cast<std::size_t>(edge)]; }
  [[nodiscard]] const Vec3& tie_pull(int tie) const { return tie_pull_[static_cast<std::size_t>(tie)]; }

  [[nodiscard]] const Vec3& inverse_mass(int node) const { return inverse_mass_[static_cast<std::size_t>(node)]; }

 private:
  // The border's share of one tie.
  struct Border {
    int rod = -1;
    int edge[2] = {-1, -1};         // local to the rod: those that end at its node
    double sign[2] = {0, 0};        // of their gradients there
    std::vector<double> column[3];  // T⁻¹ times its columns, per edge of the rod
    Vec3 arm = Vec3::Zero();        // R a
    [[nodiscard]] double entry(int k, int axis, const std::vector<Vec3>& gradient, int first_edge, const Vec3& w) const;
  };

  double measure(int rod, const std::vector<Vec3>& position);
  void move_nodes(int rod, std::vector<Vec3>& position);
  void refit(int rod);
  Outcome project_rod(int rod, std::vector<Vec3>& position);
  Outcome project_tied(std::vector<Vec3>& position, std::vector<Mat3>& rotor);
  void find_borders();
  void solve_borders(const std::vector<Vec3>& position, const std::vector<Mat3>& rotor);
  void add_border_products();
  void solve_dense();
  void move_bodies(std::vector<Vec3>& position, std::vector<Mat3>& rotor);
  double tie_gap(const std::vector<Vec3>& position, const std::vector<Mat3>& rotor) const;

  const discrete::ModelData& model_;
  std::vector<Vec3> inverse_mass_;         // per node and axis
  std::vector<Mat3> inverse_inertia_;      // per rotor, at R = 1
  std::vector<Mat3> turned_inverse_;       // per rotor: in the world now
  std::vector<char> dropped_;              // per edge: its row follows from others
  std::vector<math::Tridiagonal> matrix_;  // per rod
  std::vector<char> tied_;                 // per rod
  bool any_tied_ = false;

  std::vector<Vec3> gradient_;      // per edge: s·e
  std::vector<double> multiplier_;  // per edge
  std::vector<Vec3> push_;
  std::vector<Vec3> rotor_impulse_;
  std::vector<double> edge_pull_;
  std::vector<Vec3> tie_pull_;

  std::vector<Border> border_;  // per tie
  std::vector<double> dense_;   // Schur complement of the border, row by row
  std::vector<double> border_multiplier_;
};

}  // namespace filum::kirchhoff
