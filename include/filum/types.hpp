// The small fixed-size types that every module speaks.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace filum {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

}  // namespace filum
