// Ways of stepping a chain that only repeat a source, to compare with: no scene asks for them.
#pragma once

namespace filum::chain {

// How the joints are written (mechanism/joint_residual.hpp, docs/theory/hoisting.md).
enum class JointForm {
  Vector,     // bend in two components and a twist that is counted on
  Angle,      // the bend's angle and the twist's
  LooseAngle  // likewise, with the twist of [Servin2007]
};

struct ChainVariant {
  JointForm joint = JointForm::Vector;
  bool plain = false;  // the plain step of [Servin2007], without geometric stiffness
};

}  // namespace filum::chain
