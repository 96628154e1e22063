// Branches that go on as one.
#pragma once

#include "flexible/tube_graph.hpp"

namespace filum::flexible {

// A node of two branches is none: they are one. Nodes that nothing ends at go.
void join_in_line(TubeTree& tree);

}  // namespace filum::flexible
