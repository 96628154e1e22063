// A step allocates nothing as long as the elements stay the same, solved directly or by sweeps.
#include "unit/chain/chain_rig.hpp"
#include "unit/count_allocations.hpp"

namespace filum::test_allocation {

using namespace filum::test;

TEST_CASE("a step does not allocate") {
  // the counter counts
  const long before = g_allocations;
  ::operator delete(::operator new(3));
  CHECK(g_allocations > before);

  // a rod, a body, and a rope with friction that is taut on one side of the swing
  Scene scene = pendulum(wire(1e11, 0.01, 7850, 0.1), 4, 20, 100, 0.5);
  Rope rope;
  rope.name = "rope";
  rope.stiffness = 1e4;
  rope.length = 4.8;  // drawn 4.9 m long
  rope.through.resize(3);
  rope.through[0].point = {-1, 0, 0};
  rope.through[1].point = {-0.5, 0, 0.1};
  rope.through[1].radius = 0.1;
  rope.through[1].friction = 0.1;
  rope.through[2].body = "load";
  scene.ropes = {rope};
  for (const int sweeps : {0, 3}) {
    CAPTURE(sweeps);
    scene.simulation.chain.sweeps = sweeps;
    ChainRig rig(scene);
    REQUIRE(rig.run(2));
    const long first = g_allocations;
    bool usable = true;
    bool slack = false;
    bool taut = false;
    for (int i = 0; i < 240; ++i) {
      const long start = g_allocations;
      usable = usable && rig.step();
      CHECK(g_allocations == start);
      const double tension = rig.pose().ropes[0].tension[0];
      slack = slack || tension == 0;
      taut = taut || tension > 0;
    }
    CHECK(usable);
    CHECK(g_allocations > first);  // looking at it does
    CHECK((slack && taut));
  }
}

}  // namespace filum::test_allocation
