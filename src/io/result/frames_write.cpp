// Writes the frames of a run one by one; nothing but the frame at hand is kept.
#include <filum/result_file.hpp>
#include <filum/scene.hpp>

#include "io/binary.hpp"
#include "io/file_write.hpp"
#include "io/json_text.hpp"
#include "io/result/frames_layout.hpp"
#include "io/result/result_names.hpp"
#include "io/result/whole_folder.hpp"
#include "scene/obstacle_shape.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace filum {

// How many there are of each in every frame.
struct FrameCounts {
  std::size_t bodies = 0, holds = 0, rods = 0, ropes = 0, winches = 0, sheaves = 0;
  bool contacts = false;  // they follow behind all else
};

namespace {

using namespace io;

template <class T, class Vec>
void put_vector(std::string& out, const Vec& v) {
  for (int k = 0; k < v.size(); ++k) put_bytes(out, static_cast<T>(v[k]));
}

// Numbers that lie one behind the other.
template <class T>
void put_numbers(std::string& out, const double* numbers, std::size_t count) {
  const std::size_t end = out.size();
  out.resize(end + count * sizeof(T));
  char* to = out.data() + end;
  for (std::size_t i = 0; i < count; ++i, to += sizeof(T)) {
    const T number = static_cast<T>(numbers[i]);
    std::memcpy(to, &number, sizeof number);
  }
}

void put_quaternion(std::string& out, const Quat& q) {
  put_vector<double>(out, Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
}

// One entry per point; a list that is too short is filled up with NaN.
template <class T, class Vec>
void put_list(std::string& out, const std::vector<Vec>& list, std::size_t points) {
  static_assert(sizeof(Vec) == static_cast<std::size_t>(Vec::SizeAtCompileTime) * sizeof(double));
  const std::size_t given = std::min(points, list.size());
  if (given > 0) put_numbers<T>(out, list.front().data(), given * static_cast<std::size_t>(Vec::SizeAtCompileTime));
  const Vec none = Vec::Constant(std::nan(""));
  for (std::size_t i = given; i < points; ++i) put_vector<T>(out, none);
}

template <class T>
void put_scalars(std::string& out, const std::vector<double>& list, std::size_t points) {
  const std::size_t given = std::min(points, list.size());
  put_numbers<T>(out, list.data(), given);
  for (std::size_t i = given; i < points; ++i) put_bytes(out, static_cast<T>(std::nan("")));
}

void put_rod_record(std::string& out, const RodPose& rod) {
  const std::size_t points = rod.s.size();
  const std::size_t moving = rod.velocity.empty() ? 0 : points;
  put_u32(out, points);
  put_u32(out, moving);
  put_u32(out, rod.closed ? 1 : 0);
  for (const double value : {rod.length, rod.turns, rod.writhe, rod.min_bend_radius.value, rod.min_bend_radius.s})
    put_bytes(out, value);
  // places and frames in full, the rest as floats
  put_scalars<double>(out, rod.s, points);
  put_list<double>(out, rod.position, points);
  for (std::size_t i = 0; i < points; ++i)
    put_quaternion(out, i < rod.frame.size() ? rod.frame[i] : Quat(Quat::Identity()));
  put_list<float>(out, rod.velocity, moving);
  put_list<float>(out, rod.curvature, points);
  put_scalars<float>(out, rod.twist, points);
  put_scalars<float>(out, rod.axial_force, points);
  put_list<float>(out, rod.moment, points);
  put_list<float>(out, rod.outline, points);
}

void put_rope_record(std::string& out, const RopePose& rope) {
  put_u32(out, rope.path.size());
  put_u32(out, rope.tension.size());
  put_u32(out, rope.broken ? 1 : 0);
  put_bytes(out, rope.length);
  put_list<double>(out, rope.path, rope.path.size());
  put_scalars<double>(out, rope.tension, rope.tension.size());
}

void put_reeving(std::string& out, const Pose& pose, const FrameCounts& counts) {
  static const RopePose kNone;
  for (std::size_t i = 0; i < counts.ropes; ++i) put_rope_record(out, i < pose.ropes.size() ? pose.ropes[i] : kNone);
  for (std::size_t i = 0; i < counts.winches; ++i) {
    const WinchPose winch = i < pose.winches.size() ? pose.winches[i] : WinchPose{};
    for (const double value : {winch.force, winch.torque, winch.paid_out, winch.speed}) put_bytes(out, value);
  }
  for (std::size_t i = 0; i < counts.sheaves; ++i) {
    const SheavePose sheave = i < pose.sheaves.size() ? pose.sheaves[i] : SheavePose{};
    for (const double value : {sheave.tension_before, sheave.tension_after, sheave.angle, sheave.slip})
      put_bytes(out, value);
  }
}

void put_contacts(std::string& out, const std::vector<ContactPose>& contacts) {
  put_u32(out, contacts.size());
  const auto number = [](int index) { return static_cast<std::size_t>(index); };
  for (const ContactPose& contact : contacts) put_u32(out, number(contact.a.rod));
  for (const ContactPose& contact : contacts) put_bytes(out, contact.a.s);
  for (const ContactPose& contact : contacts) put_u32(out, contact.b.rod >= 0 ? 1 : contact.b.body >= 0 ? 2 : 0);
  for (const ContactPose& contact : contacts)
    put_u32(out, number(std::max({contact.b.rod, contact.b.body, contact.b.obstacle})));
  for (const ContactPose& contact : contacts) put_bytes(out, contact.b.s);
  for (const ContactPose& contact : contacts) put_u32(out, contact.stick ? 1 : 0);
  for (const auto member : {&ContactPose::position, &ContactPose::normal, &ContactPose::force, &ContactPose::slip})
    for (const ContactPose& contact : contacts) put_vector<double>(out, contact.*member);
  for (const ContactPose& contact : contacts) put_bytes(out, contact.gap);
  for (const ContactPose& contact : contacts) put_bytes(out, contact.chafing);
}

void put_frame(std::string& out, const Snapshot& frame, const FrameCounts& counts) {
  const Pose& pose = frame.pose;
  const Energy& energy = pose.energy;
  put_bytes(out, frame.t);
  // what the integrator drained counts as dissipated here
  for (const double value :
       {energy.elastic, energy.gravity, energy.kinetic, energy.work, energy.dissipated + energy.drained})
    put_bytes(out, value);
  for (std::size_t i = 0; i < counts.bodies; ++i) {
    const BodyPose body = i < pose.bodies.size() ? pose.bodies[i] : BodyPose{};
    put_vector<double>(out, body.position);
    put_quaternion(out, body.orientation);
    put_vector<double>(out, body.velocity);
    put_vector<double>(out, body.spin);
  }
  for (std::size_t i = 0; i < counts.holds; ++i) {
    const HoldPose hold = i < pose.holds.size() ? pose.holds[i] : HoldPose{};
    put_vector<double>(out, hold.force);
    put_vector<double>(out, hold.moment);
    put_vector<double>(out, hold.position);
    put_bytes(out, hold.s);
    put_u32(out, hold.popped ? 1 : 0);
  }
  static const RodPose kNone;
  for (std::size_t i = 0; i < counts.rods; ++i) put_rod_record(out, i < pose.rods.size() ? pose.rods[i] : kNone);
  put_reeving(out, pose, counts);
  if (counts.contacts) put_contacts(out, pose.contacts);
}

bool may_touch(const Scene& scene) {
  return scene::has_obstacles(scene) ||
         std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) { return body.solid; });
}

std::string header_bytes(const Scene& scene, const ResultNames& names, const std::string& id) {
  nlohmann::ordered_json header;
  header["title"] = scene.title;
  if (!id.empty()) header["run"] = id;
  header["rods"] = names.rods;
  header["bodies"] = names.bodies;
  header["holds"] = names.holds;
  const bool reeved = !names.ropes.empty() || !names.winches.empty() || !names.sheaves.empty();
  if (reeved) {
    header["ropes"] = names.ropes;
    header["winches"] = names.winches;
    header["sheaves"] = names.sheaves;
  }
  if (may_touch(scene)) header["obstacles"] = names.obstacles;
  header["layout"] = parsed_ordered_json(kFrameLayout);
  if (reeved) header["layout"].update(parsed_ordered_json(kReevingLayout));
  if (may_touch(scene)) header["layout"].update(parsed_ordered_json(kContactLayout));
  const std::string text = ordered_json_text(header);
  std::string bytes(kFramesMagic);
  put_u32(bytes, kFramesVersion);
  put_u32(bytes, text.size());
  return bytes + text;
}

}  // namespace

struct FrameWriter::Parts {
  OutputFile file;
  FrameCounts counts;
  std::string buffer;  // one record; kept for its memory
};

FrameWriter::FrameWriter(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
FrameWriter::~FrameWriter() = default;
FrameWriter::FrameWriter(FrameWriter&&) noexcept = default;
FrameWriter& FrameWriter::operator=(FrameWriter&&) noexcept = default;

Result<FrameWriter> FrameWriter::open(const Scene& scene, const std::string& folder, const std::string& id) {
  const Status made = make_folder(folder);
  if (!made) return made.error();
  const std::string path = folder + "/" + kFramesFile;
  Result<OutputFile> file = OutputFile::create(path, path);
  if (!file) return file.error();
  const ResultNames names = names_of(scene, {});
  const FrameCounts counts = {names.bodies.size(),  names.holds.size(),   names.rods.size(),       names.ropes.size(),
                              names.winches.size(), names.sheaves.size(), !names.obstacles.empty()};
  if (const Status written = file->write(header_bytes(scene, names, id)); !written) return written.error();
  return FrameWriter(std::make_unique<Parts>(Parts{std::move(*file), counts, {}}));
}

Status FrameWriter::add(const Snapshot& snapshot) {
  std::string& buffer = parts_->buffer;
  buffer.assign(sizeof(std::uint64_t), '\0');
  put_frame(buffer, snapshot, parts_->counts);
  // the length of what follows goes first
  const std::uint64_t length = buffer.size() - sizeof(std::uint64_t);
  std::memcpy(buffer.data(), &length, sizeof length);
  put_bytes(buffer, word_checksum(std::string_view(buffer).substr(sizeof length)));
  // all of it to the system at once: what a run that is ended by force leaves behind is whole frames
  return parts_->file.write(buffer);
}

Status FrameWriter::sync() {
  return parts_->file.sync();
}

Status FrameWriter::close() {
  if (Status safe = parts_->file.sync(); !safe) return safe;
  return parts_->file.close();
}

}  // namespace filum
