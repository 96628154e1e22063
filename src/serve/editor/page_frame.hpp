// Frames: what a page needs to draw one instant, as bytes (docs/workbench-protocol.md, «Frames»).
//
// A frame is made once and sent to every page. What of a rod a page already has is left out for that page, so the
// bytes of a rod are kept apart until they are sent: layout and values, each with a number that changes when they do.
#pragma once

#include <filum/pose.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace filum {
struct Scene;
}

namespace filum::serve {

inline constexpr const char* kChannels[] = {"curvature", "tension", "twist", "torque", "yield"};

struct FrameFacts {
  std::uint32_t number = 0;
  std::uint32_t revision = 0;
  bool playing = false;
  bool converged = true;
  bool laid = false;
  bool dragged = false;
  double time = 0;
  double steps = 0;
  double solve_ms = 0;
  double real_time = 0;
  std::size_t hands = 0;  // the last of the holds
};

struct RodPart {
  std::string header;
  std::shared_ptr<const std::string> layout;
  std::shared_ptr<const std::string> values;
  std::uint64_t layout_number = 0;
  std::uint64_t values_number = 0;
};

struct Frame {
  std::uint32_t number = 0;
  std::uint32_t revision = 0;
  std::uint64_t hash = 0;
  std::string header;
  std::vector<RodPart> rods;
  std::string tail;  // bodies, holds, ropes and contacts
};

// Knows the last frame's bytes, to tell what has changed.
class FrameMaker {
 public:
  std::shared_ptr<const Frame> make(const FrameFacts& facts, const Scene* scene, const Pose& pose,
                                    const std::vector<HoldTarget>& places);

 private:
  void number(RodPart& part, std::size_t rod);

  std::vector<RodPart> last_;
  std::uint64_t counter_ = 0;
};

// What a page has got so far.
struct FrameMemory {
  struct Rod {
    std::uint64_t layout = 0;
    std::uint64_t values = 0;
  };
  std::uint32_t revision = 0;
  std::vector<Rod> rods;
};

// The message for a page that has got `memory`, which then has got this too.
std::string assemble(const Frame& frame, FrameMemory& memory);

// Equal for equal bits of time, positions and frames.
std::uint64_t state_hash(double time, const Pose& pose);

}  // namespace filum::serve
