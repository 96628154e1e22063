// Builds a ModelData rod by rod, then what joins and holds them. One class in the units of this folder.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "rod/rope_lay.hpp"
#include "scene/layout.hpp"
#include "scene/lookup.hpp"

#include <filum/scene.hpp>

#include <map>
#include <string>
#include <vector>

namespace filum::discrete {

class Compiler {
 public:
  // The scene must outlive it.
  explicit Compiler(const Scene& scene);
  ModelData run();

 private:
  // C of a laid rope, N·m (rod/rope_lay.hpp).
  static double lay_coupling(const Rod& rod, const Stiffness& stiff) {
    return rod::lay_coupling(rod.lay.torque_factor, stiff);
  }
  double length(int rod) const { return layouts_[at(rod)].length(); }
  int rod_index(const std::string& name) const { return index_of(scene_.rods, name); }
  int node_of(int rod, double s) const {
    const RodRange& range = model_.rods[at(rod)];
    return range.first_node + range.mesh.node_at(s);
  }
  int node_of(const RodPoint& point) const {
    const int rod = rod_index(point.rod);
    return node_of(rod, point.at.at(length(rod)));
  }

  // compile_rods.cpp
  [[nodiscard]] std::vector<double> breaks(int rod) const;
  [[nodiscard]] std::vector<double> given_nodes(int rod) const;
  void add_rod(int index);
  void grow_nodes();
  void add_edge_frames(int index, const RodRange& range);

  // compile_ties.cpp
  void add_body(int index);
  [[nodiscard]] bool is_turned(const Body& body) const;
  [[nodiscard]] scene::Placement hold_place(const Hold& hold) const;
  int rotor_at(int node);
  [[nodiscard]] std::vector<std::vector<int>> joined_nodes() const;
  void add_junction_rotors();
  void add_hold_rotors();
  [[nodiscard]] int free_body(const Hold& hold) const;
  void add_sliders(const Hold& hold, int index);
  void carry(Slider slider, const Hold& hold);
  void hold_to_body(const Hold& hold, int index, int node);
  void add_load_rotors();

  // compile_joints.cpp
  // The rest shape's own polygon: frames at the nodes and of the edges, and the edges' lengths.
  struct RestFrames {
    std::vector<Mat3> node;
    std::vector<Mat3> edge;
    std::vector<double> node_roll;  // part of the frames, unwrapped
    std::vector<double> edge_roll;
    std::vector<double> length;
  };
  [[nodiscard]] RestFrames rest_frames(int index) const;
  void add_joints(int index);
  [[nodiscard]] Mat3 section_base(int index, int i) const;
  void add_joint(int index, int i, int before, int after, int section, const Reach& bend, const Reach& half,
                 const RestFrames& rest, bool shaped);
  void start_twist(Joint& joint, int i, const Reach& half, bool seam);
  [[nodiscard]] Mat3 frame_of(const Side& side) const;

  // compile_plastic.cpp
  int law_of(const filum::Section& section, const Material& material);
  int surface_of(const std::string& material);  // of ModelData::surfaces
  void add_plasticity();
  void add_plastic_joint(const RodRange& range, const Joint& joint);

  // compile_loads.cpp
  // The node and, if something turns, the rotor that a load acts on.
  struct Place {
    int node = 0;
    int rotor = -1;
  };
  Place place_of(const RodPoint& point, const std::string& body, bool turns);
  void add_loads();
  void add_distributed(const DistributedForce& load);

  // compile_model.cpp
  void finish();
  void give_sections_inertia();
  [[nodiscard]] bool has_spin_inertia(int index) const;
  [[nodiscard]] bool tilts() const;
  [[nodiscard]] int root_of(int rod) const;

  struct KnownLaw {
    filum::Section section;
    Material material;
    int law = -1;
  };

  const Scene& scene_;
  scene::Names names_;
  std::vector<KnownLaw> known_laws_;
  ModelData model_;
  std::vector<scene::RodLayout> layouts_;
  std::vector<int> body_index_;  // per body of the scene: its place among the free ones, or −1
  std::map<int, int> node_rotor_;
  std::map<int, Mat3> node_base_;  // frames of sections that a hold, not the shape, places
};

}  // namespace filum::discrete
