// Sections of a harness's bundles: from the wires that run in them, else from an area, with what is wrapped round.
#pragma once

#include "exchange/harness/assumptions.hpp"
#include "exchange/harness/harness.hpp"

#include <filum/scene.hpp>

#include <string>
#include <vector>

namespace filum::exchange {

class BundleSections {
 public:
  BundleSections(const Harness& harness, Scene& scene, Assumptions& assumptions)
      : harness_(harness), scene_(scene), assumptions_(assumptions) {}

  // The wires of a segment, made into kinds. Notes are added where its wires and its area contradict each other.
  struct Content {
    std::vector<BundleWire> wires;
    std::string assumed;  // in words; empty: nothing
  };
  Content content(const HarnessSegment& segment, const std::vector<int>& wires, std::vector<std::string>& notes) const;

  // The name of the section with this content and thickness of covers; equal ones are one section.
  std::string name(const Content& content, double tape, const std::string& tape_assumed);

 private:
  const Harness& harness_;
  Scene& scene_;
  Assumptions& assumptions_;
};

// What a cover is thick if the file does not say.
double usual_thickness(const HarnessCover& cover);

}  // namespace filum::exchange
