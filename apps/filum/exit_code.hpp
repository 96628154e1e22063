// What the program tells its caller.
#pragma once

namespace filum::app {

enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,   // a limit is violated, a validation case falls short
  kBadInput = 2,      // what was asked for cannot be done: wrong arguments, scene or file
  kNotConverged = 3,  // no equilibrium found, or a run did not go to its end; what there is is written all the same
};

}  // namespace filum::app
