#include "contact/soft_contact.hpp"

namespace filum::contact {

SoftAnswer answer(const SoftContact& contact, const Vec3& velocity, double dt) {
  SoftAnswer made;
  const double along = contact.normal.dot(velocity);
  if (const double depth = -(contact.gap + dt * along); depth > 0) {
    made.value += 0.5 * contact.stiffness * depth * depth;
    made.normal_impulse = dt * contact.stiffness * depth;
    made.impulse = made.normal_impulse * contact.normal;
    made.along_normal = dt * dt * contact.stiffness;
  }
  if (!(contact.limit > 0)) return made;
  const Vec3 bent = contact.bent + dt * (velocity - along * contact.normal);
  const double size = bent.norm();
  if (contact.stick * size <= contact.limit) {
    made.value += 0.5 * contact.stick * size * size;
    made.impulse -= dt * contact.stick * bent;
    made.across = dt * dt * contact.stick;
    return made;
  }
  made.slide = bent / size;
  made.value += contact.limit * size - 0.5 * contact.limit * contact.limit / contact.stick;
  made.impulse -= dt * contact.limit * made.slide;
  made.across = dt * dt * contact.limit / size;
  return made;
}

Mat3 second_derivative(const SoftContact& contact, const SoftAnswer& answer) {
  const Vec3& n = contact.normal;
  Mat3 made = answer.across * (Mat3::Identity() - answer.slide * answer.slide.transpose());
  made += (answer.along_normal - answer.across) * n * n.transpose();
  return made;
}

}  // namespace filum::contact
