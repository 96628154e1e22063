// What the compiler makes of a scene by itself, made once.
#include <filum/scene.hpp>

namespace filum {

Scene::Scene() = default;
Scene::Scene(const Scene&) = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(const Scene&) = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;
bool Scene::operator==(const Scene&) const = default;

}  // namespace filum
