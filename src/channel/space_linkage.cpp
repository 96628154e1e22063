#include "channel/space_linkage.hpp"

#include "base/index.hpp"
#include "math/frame.hpp"

#include <cmath>
#include <numbers>

namespace filum::channel {
namespace {

using Basis = Eigen::Matrix<double, 3, 2>;

// Square to t.
Basis basis_of(const Vec3& t) {
  Basis basis;
  basis.col(0) = math::any_perpendicular(t);
  basis.col(1) = t.cross(Vec3(basis.col(0)));
  return basis;
}

// ½ k φ² by c = cos φ: first and second derivative for k = 1.
struct AngleSquare {
  double value, first, second;
};
AngleSquare angle_square(const Vec3& a, const Vec3& b) {
  const double sine = a.cross(b).norm(), cosine = a.dot(b);
  const double angle = std::atan2(sine, cosine);
  // −φ/sin φ and (sin φ − φ cos φ)/sin³ φ, small angles by their series
  if (angle < 1e-3) {
    const double square = angle * angle;
    return {0.5 * square, -1 - square / 6, 1.0 / 3 + 2 * square / 15};
  }
  return {0.5 * angle * angle, -angle / sine, (sine - angle * cosine) / (sine * sine * sine)};
}

// Tangents on both sides of a joint; the last one, number `links`, lies between the tip and the tube.
const Vec3& before(const SpaceBeam& beam, const SpaceConfiguration& now, int joint) {
  return joint == 0 ? beam.heading : now.tangents[at(joint - 1)];
}
const Vec3& after(const SpaceBeam& beam, const SpaceConfiguration& now, int joint) {
  return joint == beam.links ? now.places.back().tangent : now.tangents[at(joint)];
}

// The director of the clamp carried along the beam and on to the tube's tangent at the tip, seen from the tube's own.
double twist_of(const SpacePassage& passage, const SpaceBeam& beam, const SpaceConfiguration& now) {
  Vec3 carried = passage.pieces().front().frame.col(0);
  for (int joint = 0; joint <= beam.links; ++joint)
    carried = math::transport(carried, before(beam, now, joint), after(beam, now, joint));
  const SpacePlace& tip = now.places.back();
  return beam.turn + std::atan2(tip.tangent.dot(carried.cross(tip.d1)), carried.dot(tip.d1));
}

void place(const SpacePassage& passage, const SpaceBeam& beam, SpaceConfiguration& now) {
  now.nodes.assign(1, beam.start);
  for (const Vec3& t : now.tangents) now.nodes.emplace_back(now.nodes.back() + beam.step * t);
  now.places.resize(now.nodes.size());
  for (std::size_t i = 0; i < now.nodes.size(); ++i)
    now.places[i] = passage.locate(now.nodes[i], i > 0 ? std::max(now.places[i].piece, now.places[i - 1].piece) : 0);
  if (beam.twist_stiffness == 0) return;
  // whole turns are those of before
  const double twist = twist_of(passage, beam, now);
  now.twist = twist + 2 * std::numbers::pi * std::round((now.twist - twist) / (2 * std::numbers::pi));
}

// How Θ changes with the tangents of a joint.
Vec3 twist_lever(const Vec3& a, const Vec3& b) {
  return a.cross(b) / (1 + a.dot(b));
}

// dΘ by the tip's place along the tube: its tangent turns with it.
Vec3 tip_lever(const SpaceBeam& beam, const SpaceConfiguration& now) {
  const SpacePlace& tip = now.places.back();
  return twist_lever(now.tangents[at(beam.links - 1)], tip.tangent).dot(tip.bend) * tip.tangent;
}

// dΘ by the unknowns.
Eigen::VectorXd twist_gradient(const SpaceBeam& beam, const SpaceConfiguration& now,
                               const std::vector<Basis>& bases) {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(2 * beam.links);
  const Vec3 tip = beam.step * tip_lever(beam, now);
  for (int joint = 0; joint <= beam.links; ++joint) {
    const Vec3 lever = twist_lever(before(beam, now, joint), after(beam, now, joint));
    if (joint > 0) gradient.segment<2>(2 * joint - 2) += bases[at(joint - 1)].transpose() * lever;
    if (joint < beam.links) gradient.segment<2>(2 * joint) += bases[at(joint)].transpose() * (lever + tip);
  }
  return gradient;
}

std::vector<Basis> bases_of(const SpaceConfiguration& now) {
  std::vector<Basis> bases;
  bases.reserve(now.tangents.size());
  for (const Vec3& t : now.tangents) bases.push_back(basis_of(t));
  return bases;
}

// Sum of all forces beyond each link.
std::vector<Vec3> forces_beyond(const SpaceBeam& beam, const std::vector<Vec3>& forces) {
  std::vector<Vec3> beyond(at(beam.links));
  Vec3 sum = beam.force;
  for (int link = beam.links - 1; link >= 0; --link) {
    sum += forces[at(link + 1)];
    beyond[at(link)] = sum;
  }
  return beyond;
}

Eigen::Matrix3d cross_matrix(const Vec3& a) {
  Eigen::Matrix3d m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

// Bending at one joint.
void add_bending(const SpaceBeam& beam, const SpaceConfiguration& now, const std::vector<Basis>& bases, int joint,
                 Eigen::MatrixXd& hessian) {
  const Vec3& a = before(beam, now, joint);
  const Vec3& b = after(beam, now, joint);
  const AngleSquare angle = angle_square(a, b);
  const double k = beam.stiffness_of(joint);
  const double c = a.dot(b);
  const int j = 2 * joint, i = j - 2;
  const Vec2 along_b = bases[at(joint)].transpose() * a;
  hessian.block<2, 2>(j, j) += k * (angle.second * along_b * along_b.transpose() -
                                    angle.first * c * Eigen::Matrix2d::Identity());
  if (joint == 0) return;
  const Vec2 along_a = bases[at(joint - 1)].transpose() * b;
  hessian.block<2, 2>(i, i) += k * (angle.second * along_a * along_a.transpose() -
                                    angle.first * c * Eigen::Matrix2d::Identity());
  const Eigen::Matrix2d mixed = k * (angle.second * along_a * along_b.transpose() +
                                     angle.first * bases[at(joint - 1)].transpose() * bases[at(joint)]);
  hessian.block<2, 2>(i, j) += mixed;
  hessian.block<2, 2>(j, i) += mixed.transpose();
}

// Θ's second derivative at one joint, symmetric parts: the others cancel between neighbours.
void add_twist(const SpaceBeam& beam, const SpaceConfiguration& now, const std::vector<Basis>& bases, int joint,
               double torque, Eigen::MatrixXd& hessian) {
  const Vec3& a = before(beam, now, joint);
  const Vec3& b = after(beam, now, joint);
  const double one = 1 + a.dot(b);
  const Vec3 lever = twist_lever(a, b);
  const auto self = [&](const Basis& basis, const Vec3& other) -> Eigen::Matrix2d {
    const Eigen::Matrix3d m = lever * other.transpose();
    return -0.5 / one * (basis.transpose() * (m + m.transpose()) * basis);
  };
  const int j = 2 * joint, i = j - 2;
  if (joint > 0) hessian.block<2, 2>(i, i) += torque * self(bases[at(joint - 1)], b);
  if (joint < beam.links) hessian.block<2, 2>(j, j) += torque * self(bases[at(joint)], a);
  if (joint == 0 || joint == beam.links) return;
  // δb·∂lever/∂a δa and δa·∂lever/∂b δb, as a matrix between δa and δb, halved
  const Eigen::Matrix3d by_a = (cross_matrix(b) - b * lever.transpose()) / one;
  const Eigen::Matrix3d by_b = (cross_matrix(a) - lever * a.transpose()) / one;
  const Eigen::Matrix2d mixed = torque * 0.5 * (bases[at(joint - 1)].transpose() * (by_a + by_b) * bases[at(joint)]);
  hessian.block<2, 2>(i, j) += mixed;
  hessian.block<2, 2>(j, i) += mixed.transpose();
}

// The tube's tangent at the tip turns with every link: δT = b (t·δx), x the tip.
void add_twist_of_tip(const SpaceBeam& beam, const SpaceConfiguration& now, const std::vector<Basis>& bases,
                      double torque, const Eigen::Matrix3Xd& lever, Eigen::MatrixXd& hessian) {
  const SpacePlace& tip = now.places.back();
  const Vec3& a = now.tangents.back();
  const Vec3& b = tip.tangent;
  const double one = 1 + a.dot(b);
  const Vec3 twist = twist_lever(a, b);
  const Eigen::RowVectorXd along = b.transpose() * lever;
  const Eigen::RowVectorXd across = tip.bend.transpose() * lever;
  // with the last link,
  const Eigen::Matrix3d mixed =
      (cross_matrix(b) - b * twist.transpose() + cross_matrix(a) - twist * a.transpose()) / one;
  const int last = 2 * beam.links - 2;
  const Vec2 turned = 0.5 * torque * (bases.back().transpose() * (mixed * tip.bend));
  hessian.middleRows<2>(last) += turned * along;
  hessian.middleCols<2>(last) += along.transpose() * turned.transpose();
  // with itself, and by how the place along changes with that across
  const double felt = torque * twist.dot(tip.bend);
  hessian -= felt * a.dot(tip.bend) / one * along.transpose() * along;
  hessian += felt * (along.transpose() * across + across.transpose() * along);
}

}  // namespace

SpaceConfiguration configure(const SpacePassage& passage, const SpaceBeam& beam, std::vector<Vec3> tangents) {
  SpaceConfiguration now;
  now.tangents = std::move(tangents);
  now.twist = beam.turn;
  place(passage, beam, now);
  return now;
}

SpaceConfiguration moved(const SpacePassage& passage, const SpaceBeam& beam, const SpaceConfiguration& from,
                         const Eigen::VectorXd& step) {
  SpaceConfiguration now = from;
  for (int j = 0; j < beam.links; ++j) {
    const Vec3 turn = basis_of(from.tangents[at(j)]) * step.segment<2>(2 * j);
    const double angle = turn.norm();
    if (angle == 0) continue;
    now.tangents[at(j)] = (std::cos(angle) * from.tangents[at(j)] + std::sin(angle) / angle * turn).normalized();
  }
  place(passage, beam, now);
  return now;
}

SpaceEnergy energy(const SpaceBeam& beam, const SpaceConfiguration& now) {
  SpaceEnergy sum;
  for (int joint = 0; joint < beam.links; ++joint) {
    sum.bending += beam.stiffness_of(joint) * angle_square(before(beam, now, joint), after(beam, now, joint)).value;
    sum.load -= beam.step * beam.force.dot(now.tangents[at(joint)] - beam.heading);
  }
  if (beam.twist_stiffness > 0) sum.twist = 0.5 * beam.twist_stiffness * now.twist * now.twist;
  return sum;
}

Eigen::VectorXd linkage_gradient(const SpaceBeam& beam, const SpaceConfiguration& now,
                                 const std::vector<Vec3>& forces) {
  const std::vector<Vec3> beyond = forces_beyond(beam, forces);
  const std::vector<Basis> bases = bases_of(now);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(2 * beam.links);
  for (int joint = 0; joint < beam.links; ++joint) {
    const Vec3& a = before(beam, now, joint);
    const Vec3& b = after(beam, now, joint);
    const double first = beam.stiffness_of(joint) * angle_square(a, b).first;
    gradient.segment<2>(2 * joint) += bases[at(joint)].transpose() * (first * a - beam.step * beyond[at(joint)]);
    if (joint > 0) gradient.segment<2>(2 * joint - 2) += bases[at(joint - 1)].transpose() * (first * b);
  }
  if (beam.twist_stiffness > 0)
    gradient += beam.twist_stiffness * now.twist * twist_gradient(beam, now, bases);
  return gradient;
}

Eigen::MatrixXd linkage_hessian(const SpaceBeam& beam, const SpaceConfiguration& now, const std::vector<Vec3>& forces,
                                const std::vector<Eigen::Matrix3d>& stiffness) {
  const std::vector<Vec3> beyond = forces_beyond(beam, forces);
  const std::vector<Basis> bases = bases_of(now);
  const int n = beam.links;
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  Eigen::Matrix3Xd lever(3, 2 * n);
  for (int j = 0; j < n; ++j) lever.middleCols<2>(2 * j) = beam.step * bases[at(j)];
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (int j = n - 1; j >= 0; --j) {
    // nodes beyond link j move with it and with every link before
    sum += stiffness[at(j + 1)];
    const Eigen::Matrix<double, 2, 3> left = lever.middleCols<2>(2 * j).transpose() * sum;
    const Basis right = sum * lever.middleCols<2>(2 * j);
    hessian.middleRows<2>(2 * j).leftCols(2 * j + 2) += left * lever.leftCols(2 * j + 2);
    if (j > 0) hessian.middleCols<2>(2 * j).topRows(2 * j) += lever.leftCols(2 * j).transpose() * right;
    // the turning of the forces' lever
    hessian.block<2, 2>(2 * j, 2 * j) +=
        beam.step * now.tangents[at(j)].dot(beyond[at(j)]) * Eigen::Matrix2d::Identity();
  }
  for (int joint = 0; joint < n; ++joint) add_bending(beam, now, bases, joint, hessian);
  if (beam.twist_stiffness > 0) {
    const double torque = beam.twist_stiffness * now.twist;
    for (int joint = 0; joint <= n; ++joint) add_twist(beam, now, bases, joint, torque, hessian);
    add_twist_of_tip(beam, now, bases, torque, lever, hessian);
    const Eigen::VectorXd slope = twist_gradient(beam, now, bases);
    hessian += beam.twist_stiffness * slope * slope.transpose();
  }
  return hessian;
}

Eigen::VectorXd moments_of(const SpaceBeam& beam, const SpaceConfiguration& now, int node, const Vec3& force) {
  Eigen::VectorXd moments = Eigen::VectorXd::Zero(2 * beam.links);
  for (int j = 0; j < node; ++j)
    moments.segment<2>(2 * j) = beam.step * (basis_of(now.tangents[at(j)]).transpose() * force);
  return moments;
}

}  // namespace filum::channel
