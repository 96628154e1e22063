// Finding things of a scene by name.
#pragma once

#include <filum/scene.hpp>

#include <optional>
#include <string_view>
#include <unordered_map>

namespace filum::scene {

// Places in the scene's lists by name. Refers to the scene's texts: valid as long as the scene is unchanged.
class Names {
 public:
  explicit Names(const Scene& scene);

  // Null when there is no such thing.
  [[nodiscard]] const Rod* rod(std::string_view name) const;
  [[nodiscard]] const Body* body(std::string_view name) const;
  [[nodiscard]] const Hold* hold(std::string_view name) const;
  [[nodiscard]] const Winch* winch(std::string_view name) const;
  [[nodiscard]] const Rope* rope(std::string_view name) const;
  [[nodiscard]] const BodyJoint* joint(std::string_view name) const;
  [[nodiscard]] const Section* section(std::string_view name) const;
  // The scene's own, else the common one of that name.
  [[nodiscard]] const Material* material(std::string_view name) const;

 private:
  template <class T>
  using Table = std::unordered_map<std::string_view, const T*>;
  Table<Rod> rods_;
  Table<Body> bodies_;
  Table<Hold> holds_;
  Table<Winch> winches_;
  Table<Rope> ropes_;
  Table<BodyJoint> joints_;
  Table<Section> sections_;
  Table<Material> materials_;
};

// The rod's unstretched length: as given, else that of its shape.
double rod_length(const Rod& rod);

}  // namespace filum::scene
