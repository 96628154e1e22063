// Cutting the elements of a rod anew while it moves: where rope is paid out or hauled in, runs over a sheave, or needs
// more or less detail.
//
// A piece keeps the rigid motion of the element it was part of, so mass and momentum go where the material goes. Two
// elements that become one keep their mass, their momentum and their angular momentum; what they moved against each
// other is lost, as in a blow that does not bounce.
#pragma once

#include "formulations/chain/model.hpp"

namespace filum::chain {

// Moves one end of an element (side −1: its beginning) to another arc length: material joins it or leaves it.
void move_end(const ModelData& model, ChainState& state, int element, int side, double s);

// Makes two elements of one, cut at the arc length s inside it. The second comes after it in all lists.
void split_element(const ModelData& model, ChainState& state, int element, double s);

// Makes one element of it and the next one.
void merge_elements(const ModelData& model, ChainState& state, int element);

// What the links of a new list of elements remember: those that were there go on, a new joint begins with the forces of
// its neighbour.
std::vector<LinkState> carried_links(const Mechanism& from, const std::vector<LinkState>& memory, const Mechanism& to);

}  // namespace filum::chain
