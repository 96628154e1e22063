// Cutting the elements of a rod anew while it moves: where rope is paid out or hauled in, runs over a sheave, or needs
// more or less detail.
//
// A piece keeps the rigid motion of the element it was part of, so mass and momentum go where the material goes. Two
// elements that become one keep their mass and their momentum, their angular momentum about their centre, and their
// outer ends; what they moved against each other is lost, as in a blow that does not bounce.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"

namespace filum::chain {

// Moves one end of an element (side −1: its beginning) to another arc length: material joins it or leaves it.
void move_end(const ModelData& model, ChainState& state, int element, int side, double s);

struct Halves {
  Element first_element;
  Element second_element;
  PartState first;
  PartState second;
};

// An element cut in two at the arc length s inside it. The joint between gives way to its force λ as a joint of the
// finer rod would, on top of the curvatures and twist that stay of it: then all joints around bear what they bore.
[[nodiscard]] Halves halves_of(const ModelData& model, const Element& element, const PartState& whole,
                               double length_factor, double s, const Vec6& force, const Vec3& set);

// One element in place of two neighbours: along the line between their outer ends.
[[nodiscard]] PartState whole_of(const ModelData& model, const Element& a, const PartState& part_a, const Element& b,
                                 const PartState& part_b, double length_factor);

// Makes two elements of one, cut at the arc length s inside it, straight. The second comes after it in all lists.
void split_element(const ModelData& model, ChainState& state, int element, double s);

// Makes one element of it and the next one.
void merge_elements(const ModelData& model, ChainState& state, int element);

// What the links of a new list of elements remember: those that were there go on, a new joint begins with the forces of
// its neighbour.
std::vector<LinkState> carried_links(const Mechanism& from, const std::vector<LinkState>& memory, const Mechanism& to);

// Likewise of what touches: with the element that the middle of theirs lies in now.
std::vector<TouchState> carried_touches(const Mechanism& from, const std::vector<TouchState>& touches,
                                        const Mechanism& to);

}  // namespace filum::chain
