// The small fixed-size types that every module speaks.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace filum {

// None of them is aligned beyond its numbers: what Eigen would add depends on the compiler's flags (-mavx), and a program
// and the library may be built with different ones. It adds nothing where the size is no multiple of 16 bytes.
using Vec2 = Eigen::Matrix<double, 2, 1, Eigen::DontAlign>;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaternion<double, Eigen::DontAlign>;

static_assert(alignof(Vec2) == 8 && alignof(Vec3) == 8 && alignof(Mat3) == 8 && alignof(Quat) == 8);

}  // namespace filum
