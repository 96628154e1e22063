// Branches that go on as one.
#pragma once

#include "flexible/tube_graph.hpp"

namespace filum::flexible {

// A node of two branches is none: they are one. Nodes that nothing ends at go.
void join_in_line(TubeTree& tree);

// Nodes that nothing is at any more go away.
void drop_lone_nodes(TubeTree& tree);

}  // namespace filum::flexible
