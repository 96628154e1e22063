// Rigid bodies, and what is drawn with them.
#include "scene/check/scene_checks.hpp"

#include "scene/body_mass.hpp"
#include "scene/describe/tables.hpp"
#include "scene/obstacle_shape.hpp"

namespace filum::scene {

// No mass is spread so that one principal inertia exceeds the sum of the other two: Ix = ∫(y² + z²) dm and so on.
void Checks::inertia(const Where& where, const Vec3& inertia) {
  if (report.failed()) return;
  // a flat body has equality, which decimal numbers may miss by rounding
  constexpr double kRounding = 1e-9;
  const double others = inertia.sum() - inertia.maxCoeff();
  if (inertia.maxCoeff() > others * (1 + kRounding))
    report.fail(where, "no body has the inertia [" + text(inertia.x()) + ", " + text(inertia.y()) + ", " +
                           text(inertia.z()) + "]: each is at most the sum of the other two");
}

// One shape; a mesh is closed, and stands on its principal axes.
void Checks::body_shape(const Where& where, const Body& body) {
  const std::string which = "body " + quoted(body.name);
  const bool round = body.shape == BodyShape::Cylinder || body.shape == BodyShape::Capsule;
  if ((body.shape != BodyShape::Box && body.box != Vec3::Zero()) ||
      (body.shape != BodyShape::Sphere && body.sphere != 0) || (!round && body.round != Vec2::Zero()) ||
      (body.shape != BodyShape::Mesh && !body.mesh.empty()))
    return report.fail(where, which + " has more than one shape");
  if (body.density > 0 && body.mass > 0)
    return report.fail(where.in("density"), which + " has a mass: a density says it once more");
  if (body.shape != BodyShape::Mesh || !body.surface) return;
  if (!body.surface->closed())
    return report.fail(where.in("mesh"), which + ": its mesh is not closed, so that it has no inside");
  if (body.inertia) return;
  // what products of inertia may be left, as a share of the largest one
  constexpr double kPrincipal = 1e-3;
  const Mat3 inertia = solid_of(body).inertia;
  const Mat3 products = inertia - Mat3(inertia.diagonal().asDiagonal());
  if (products.cwiseAbs().maxCoeff() > kPrincipal * inertia.diagonal().maxCoeff())
    report.fail(where.in("mesh"), which + ": the axes of its mesh are not principal ones (products of inertia of " +
                                      text(products.cwiseAbs().maxCoeff() / inertia.diagonal().maxCoeff()) +
                                      " of the largest): turn the mesh, or give its inertia");
}

void Checks::bodies() {
  const Where around{nullptr, "bodies"};
  for (const Body& body : scene.bodies) {
    const Where where = around.in(body.name);
    report.values(where, tables::body, &body);
    if (body.inertia) inertia(where.in("inertia"), *body.inertia);
    body_shape(where, body);
    if (!report.failed() && body.solid && body.mesh.empty() && !shape_of(body))
      report.fail(where.in("solid"), "the solid body " + quoted(body.name) +
                                         " needs a shape: a box with three edges, a sphere, cylinder, capsule or mesh");
    if (body.friction != 0 && !body.solid)
      report.fail(where.in("friction"), "body " + quoted(body.name) + " has friction only if it is solid");
    // what only a free body has, and what it needs
    const bool free = body.motion == BodyMotion::Free;
    if (!report.failed() && free && !(rigid_body(body).mass >= kPositive.min))
      report.fail(where.in("mass"), "the free body " + quoted(body.name) +
                                        " needs a mass greater than zero, or a density and a shape with a volume, "
                                        "found " +
                                        text(rigid_body(body).mass));
    if (!free && body.velocity != Vec3::Zero())
      report.fail(where.in("velocity"), "body " + quoted(body.name) + " has a velocity but not 'motion: free'");
    if (!free && body.spin != Vec3::Zero())
      report.fail(where.in("spin"), "body " + quoted(body.name) + " has a spin but not 'motion: free'");
  }
}

void Checks::scenery() {
  const Where around{nullptr, "scenery"};
  for (const Scenery& item : scene.scenery) {
    const Where where = around.in(item.name);
    report.name(where.in("mesh"), item.mesh);
    report.values(where, tables::scenery, &item);
    if (!item.body.empty() && names.body(item.body) == nullptr)
      report.fail(where.in("body"), "there is no body " + quoted(item.body));
    if (item.friction != 0 && !item.solid)
      report.fail(where.in("friction"), "scenery " + quoted(item.name) + " has friction only if it is solid");
  }
}

}  // namespace filum::scene
