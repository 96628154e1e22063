#include "serve/editor/page_frame.hpp"

#include "base/index.hpp"
#include "rod/pose_at.hpp"
#include "sim/limits.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

namespace filum::serve {

namespace {

static_assert(std::endian::native == std::endian::little, "frames are written as the machine has them");

constexpr std::uint16_t kFrameVersion = 1;
constexpr std::uint32_t kLayoutFollows = 1;
constexpr std::uint32_t kValuesFollow = 2;
constexpr std::uint32_t kClosed = 4;
constexpr std::size_t kFlagsAt = 4;  // in a rod's header
constexpr std::uint32_t kSlack = 1;  // of a rope
constexpr std::uint32_t kBroken = 2;

class Bytes {
 public:
  template <class T>
  void put(T value) {
    const std::size_t at = text_.size();
    text_.resize(at + sizeof(T));
    std::memcpy(text_.data() + at, &value, sizeof(T));
  }
  void real(double value) { put(static_cast<float>(value)); }
  void vector(const Vec3& v) { real(v.x()), real(v.y()), real(v.z()); }
  void quaternion(const Quat& q) { real(q.w()), real(q.x()), real(q.y()), real(q.z()); }
  void reserve(std::size_t bytes) { text_.reserve(bytes); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string rod_header(const RodPose& rod) {
  double tension = 0;
  double where = 0;
  for (std::size_t i = 0; i < rod.s.size(); ++i)
    if (i == 0 || rod.axial_force[i] > tension) {
      tension = rod.axial_force[i];
      where = rod.s[i];
    }
  Bytes bytes;
  bytes.put(static_cast<std::uint32_t>(rod.s.size()));
  bytes.put(rod.closed ? kClosed : std::uint32_t{0});
  bytes.put(rod.turns);
  bytes.put(rod.writhe);
  bytes.real(rod.length);
  bytes.real(rod.min_bend_radius.value);
  bytes.real(rod.min_bend_radius.s);
  bytes.real(tension);
  bytes.real(where);
  bytes.real(0);
  return bytes.take();
}

std::string rod_layout(const RodPose& rod) {
  Bytes bytes;
  bytes.reserve(12 * rod.s.size());
  for (const double s : rod.s) bytes.real(s);
  for (const Vec2& outline : rod.outline) bytes.real(outline.x()), bytes.real(outline.y());
  return bytes.take();
}

std::string rod_values(const RodPose& rod) {
  Bytes bytes;
  bytes.reserve(48 * rod.s.size());
  for (const Vec3& position : rod.position) bytes.vector(position);
  for (const Quat& frame : rod.frame) bytes.quaternion(frame);
  for (const Vec2& curvature : rod.curvature) bytes.real(curvature.norm());
  for (const double force : rod.axial_force) bytes.real(force);
  for (const double twist : rod.twist) bytes.real(twist);
  for (const Vec3& moment : rod.moment) bytes.real(moment.z());
  for (std::size_t i = 0; i < rod.s.size(); ++i) bytes.real(rod.yield.empty() ? 0 : rod.yield[i]);
  return bytes.take();
}

// A rope that nothing pulls is slack: it hangs somewhere between its points, not along its path.
void put_rope(Bytes& bytes, const RopePose& rope) {
  const double tension = sim::largest_tension(rope);
  bytes.put(static_cast<std::uint32_t>(rope.path.size()));
  bytes.put((tension > 0 ? 0U : kSlack) | (rope.broken ? kBroken : 0U));
  bytes.real(tension);
  bytes.real(rope.length);
  for (const Vec3& point : rope.path) bytes.vector(point);
}

std::string tail_of(const FrameFacts& facts, const Scene* scene, const Pose& pose,
                    const std::vector<HoldTarget>& places) {
  Bytes bytes;
  for (const BodyPose& body : pose.bodies) {
    bytes.vector(body.position);
    bytes.quaternion(body.orientation);
    bytes.vector(body.velocity);
  }
  for (std::size_t h = 0; h < pose.holds.size(); ++h) {
    const HoldPose& held = pose.holds[h];
    const Hold& hold = scene->holds[h];
    const RodPose& rod = pose.rods[at(index_of(scene->rods, hold.rod))];
    // an open clip stands where its rod is not
    const bool open = hold.clip && hold.clip->capture && !hold.holds_position() && h < places.size();
    bytes.vector(open ? places[h].position : held.position);
    bytes.quaternion(rod::frame_at(rod, held.s));
    bytes.vector(held.force);
    bytes.vector(held.moment);
    bytes.real(held.s);
    bytes.real(h < places.size() ? places[h].turns : 0);
    const bool hand = h + facts.hands >= pose.holds.size();
    bytes.put(static_cast<std::uint32_t>((hold.holds_position() ? 1U : 0U) | (hold.holds_orientation() ? 2U : 0U) |
                                         (hand ? 4U : 0U) | (held.popped ? 8U : 0U) | (open ? 16U : 0U)));
  }
  for (const RopePose& rope : pose.ropes) put_rope(bytes, rope);
  for (const ContactPose& contact : pose.contacts) {
    bytes.vector(contact.position);
    bytes.vector(contact.force);
  }
  return bytes.take();
}

std::string header_of(const FrameFacts& facts, const Pose& pose, std::uint64_t hash) {
  Bytes bytes;
  for (const char c : {'F', 'L', 'M', 'F'}) bytes.put(c);
  bytes.put(kFrameVersion);
  bytes.put(static_cast<std::uint16_t>((facts.playing ? 1U : 0U) | (facts.converged ? 2U : 0U) |
                                       (facts.laid ? 4U : 0U) | (facts.dragged ? 8U : 0U)));
  bytes.put(facts.number);
  bytes.put(facts.revision);
  bytes.put(hash);
  bytes.put(facts.time);
  bytes.put(facts.steps);
  bytes.real(facts.solve_ms);
  bytes.real(facts.real_time);
  bytes.put(pose.energy.elastic);
  bytes.put(pose.energy.gravity);
  bytes.put(pose.energy.kinetic);
  bytes.put(pose.energy.work);
  bytes.put(pose.energy.dissipated + pose.energy.drained);
  bytes.put(static_cast<std::uint32_t>(pose.rods.size()));
  bytes.put(static_cast<std::uint32_t>(pose.bodies.size()));
  bytes.put(static_cast<std::uint32_t>(pose.holds.size()));
  bytes.put(static_cast<std::uint32_t>(std::size(kChannels)));
  bytes.put(static_cast<std::uint32_t>(pose.ropes.size()));
  bytes.put(static_cast<std::uint32_t>(pose.contacts.size()));
  return bytes.take();
}

// FNV-1a over 64-bit words.
class Hash {
 public:
  void add(double value) {
    hash_ = (hash_ ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211ULL;
    hash_ ^= hash_ >> 29U;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
};

}  // namespace

std::uint64_t state_hash(double time, const Pose& pose) {
  Hash hash;
  hash.add(time);
  for (const RodPose& rod : pose.rods) {
    for (const Vec3& position : rod.position)
      for (int i = 0; i < 3; ++i) hash.add(position[i]);
    for (const Quat& frame : rod.frame)
      for (int i = 0; i < 4; ++i) hash.add(frame.coeffs()[i]);
    for (const Vec3& velocity : rod.velocity)
      for (int i = 0; i < 3; ++i) hash.add(velocity[i]);
    hash.add(rod.turns);
  }
  for (const BodyPose& body : pose.bodies) {
    for (int i = 0; i < 3; ++i) hash.add(body.position[i]);
    for (int i = 0; i < 4; ++i) hash.add(body.orientation.coeffs()[i]);
  }
  return hash.value();
}

// What is as it was keeps its number, and its memory.
void FrameMaker::number(RodPart& part, std::size_t rod) {
  const RodPart* before = rod < last_.size() ? &last_[rod] : nullptr;
  if (before != nullptr && *before->layout == *part.layout) {
    part.layout = before->layout;
    part.layout_number = before->layout_number;
  } else {
    part.layout_number = ++counter_;
  }
  if (before != nullptr && *before->values == *part.values) {
    part.values = before->values;
    part.values_number = before->values_number;
  } else {
    part.values_number = ++counter_;
  }
}

std::shared_ptr<const Frame> FrameMaker::make(const FrameFacts& facts, const Scene* scene, const Pose& pose,
                                              const std::vector<HoldTarget>& places) {
  auto frame = std::make_shared<Frame>();
  frame->number = facts.number;
  frame->revision = facts.revision;
  frame->hash = state_hash(facts.time, pose);
  frame->header = header_of(facts, pose, frame->hash);
  for (std::size_t r = 0; r < pose.rods.size(); ++r) {
    RodPart part{rod_header(pose.rods[r]), std::make_shared<const std::string>(rod_layout(pose.rods[r])),
                 std::make_shared<const std::string>(rod_values(pose.rods[r]))};
    number(part, r);
    frame->rods.push_back(std::move(part));
  }
  frame->tail = tail_of(facts, scene, pose, places);
  last_ = frame->rods;
  return frame;
}

std::string assemble(const Frame& frame, FrameMemory& memory) {
  if (memory.revision != frame.revision) memory = {frame.revision, {}};
  memory.rods.resize(frame.rods.size());
  std::string message = frame.header;
  for (std::size_t r = 0; r < frame.rods.size(); ++r) {
    const RodPart& rod = frame.rods[r];
    FrameMemory::Rod& has = memory.rods[r];
    const bool layout = has.layout != rod.layout_number;
    const bool values = has.values != rod.values_number;
    has = {rod.layout_number, rod.values_number};
    const std::size_t begin = message.size();
    message += rod.header;
    std::uint32_t flags = 0;
    std::memcpy(&flags, message.data() + begin + kFlagsAt, sizeof flags);
    flags |= (layout ? kLayoutFollows : 0U) | (values ? kValuesFollow : 0U);
    std::memcpy(message.data() + begin + kFlagsAt, &flags, sizeof flags);
    if (layout) message += *rod.layout;
    if (values) message += *rod.values;
  }
  return message + frame.tail;
}

}  // namespace filum::serve
