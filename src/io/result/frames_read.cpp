// Reads the frames of a run one by one. A file that was cut off gives the frames that are whole.
#include <filum/result_file.hpp>

#include "io/binary.hpp"
#include "io/file_read.hpp"
#include "io/json_text.hpp"
#include "io/result/frames_layout.hpp"
#include "io/result/whole_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

namespace filum {
namespace {

using namespace io;

template <class T, class Vec>
Vec take_vector(ByteReader& in) {
  Vec v;
  for (int k = 0; k < v.size(); ++k) v[k] = static_cast<double>(in.take<T>());
  return v;
}

Quat take_quaternion(ByteReader& in) {
  const Eigen::Vector4d q = take_vector<double, Eigen::Vector4d>(in);
  return {q[0], q[1], q[2], q[3]};
}

template <class T, class Vec>
void take_list(ByteReader& in, std::size_t count, std::vector<Vec>& list) {
  list.resize(count);
  for (auto& entry : list) entry = take_vector<T, Vec>(in);
}

template <class T>
void take_scalars(ByteReader& in, std::size_t count, std::vector<double>& list) {
  list.resize(count);
  for (double& entry : list) entry = static_cast<double>(in.take<T>());
}

// False: the counts do not fit the bytes.
bool take_rod(ByteReader& in, RodPose& rod) {
  const std::size_t points = in.take<std::uint32_t>();
  const std::size_t moving = in.take<std::uint32_t>();
  rod.closed = in.take<std::uint32_t>() != 0;
  rod.length = in.take<double>();
  rod.turns = in.take<double>();
  rod.writhe = in.take<double>();
  rod.min_bend_radius.value = in.take<double>();
  rod.min_bend_radius.s = in.take<double>();
  // a damaged count must not ask for memory: a point takes more bytes than one
  if (!in.ok() || points > in.left() || (moving != 0 && moving != points)) return false;
  take_scalars<double>(in, points, rod.s);
  take_list<double>(in, points, rod.position);
  rod.frame.resize(points);
  for (Quat& frame : rod.frame) frame = take_quaternion(in);
  take_list<float>(in, moving, rod.velocity);
  take_list<float>(in, points, rod.curvature);
  take_scalars<float>(in, points, rod.twist);
  take_scalars<float>(in, points, rod.axial_force);
  take_list<float>(in, points, rod.moment);
  take_list<float>(in, points, rod.outline);
  return in.ok();
}

bool take_rope(ByteReader& in, RopePose& rope) {
  const std::size_t points = in.take<std::uint32_t>();
  const std::size_t parts = in.take<std::uint32_t>();
  rope.broken = in.take<std::uint32_t>() != 0;
  rope.length = in.take<double>();
  if (!in.ok() || points > in.left() || parts > in.left()) return false;
  take_list<double>(in, points, rope.path);
  take_scalars<double>(in, parts, rope.tension);
  return in.ok();
}

bool take_reeving(ByteReader& in, Pose& pose, const ResultNames& names) {
  pose.ropes.resize(names.ropes.size());
  for (RopePose& rope : pose.ropes)
    if (!take_rope(in, rope)) return false;
  pose.winches.resize(names.winches.size());
  for (WinchPose& winch : pose.winches)
    for (double* value : {&winch.force, &winch.torque, &winch.paid_out, &winch.speed}) *value = in.take<double>();
  pose.sheaves.resize(names.sheaves.size());
  for (SheavePose& sheave : pose.sheaves)
    for (double* value : {&sheave.tension_before, &sheave.tension_after, &sheave.angle, &sheave.slip})
      *value = in.take<double>();
  return in.ok();
}

bool take_contacts(ByteReader& in, std::vector<ContactPose>& contacts, const ResultNames& names) {
  const std::size_t count = in.take<std::uint32_t>();
  if (!in.ok() || count > in.left()) return false;
  contacts.assign(count, {});
  const auto index = [&] { return static_cast<int>(std::min(in.take<std::uint32_t>(), 1U << 30U)); };
  for (ContactPose& contact : contacts) contact.a.rod = index();
  for (ContactPose& contact : contacts) contact.a.s = in.take<double>();
  std::vector<int ContactSide::*> side(count, &ContactSide::obstacle);
  for (auto& member : side)
    if (const auto kind = in.take<std::uint32_t>(); kind > 0)
      member = kind == 1 ? &ContactSide::rod : &ContactSide::body;
  for (std::size_t i = 0; i < count; ++i) contacts[i].b.*side[i] = index();
  for (ContactPose& contact : contacts) contact.b.s = in.take<double>();
  for (ContactPose& contact : contacts) contact.stick = in.take<std::uint32_t>() != 0;
  for (const auto member : {&ContactPose::position, &ContactPose::normal, &ContactPose::force, &ContactPose::slip})
    for (ContactPose& contact : contacts) contact.*member = take_vector<double, Vec3>(in);
  for (ContactPose& contact : contacts) contact.gap = in.take<double>();
  for (ContactPose& contact : contacts) contact.chafing = in.take<double>();
  // who they name is there
  const int rods = static_cast<int>(names.rods.size());
  const int obstacles = static_cast<int>(names.obstacles.size());
  const int bodies = static_cast<int>(names.bodies.size());
  return in.ok() && std::all_of(contacts.begin(), contacts.end(), [&](const ContactPose& contact) {
           return contact.a.rod < rods && contact.b.rod < rods && contact.b.obstacle < obstacles &&
                  contact.b.body < bodies;
         });
}

bool take_frame(ByteReader in, Snapshot& frame, const ResultNames& names, bool touching) {
  Pose& pose = frame.pose;
  frame.t = in.take<double>();
  pose.energy.elastic = in.take<double>();
  pose.energy.gravity = in.take<double>();
  pose.energy.kinetic = in.take<double>();
  pose.energy.work = in.take<double>();
  pose.energy.dissipated = in.take<double>();
  pose.bodies.resize(names.bodies.size());
  for (BodyPose& body : pose.bodies) {
    body.position = take_vector<double, Vec3>(in);
    body.orientation = take_quaternion(in);
    body.velocity = take_vector<double, Vec3>(in);
    body.spin = take_vector<double, Vec3>(in);
  }
  pose.holds.resize(names.holds.size());
  for (HoldPose& hold : pose.holds) {
    hold.force = take_vector<double, Vec3>(in);
    hold.moment = take_vector<double, Vec3>(in);
    hold.position = take_vector<double, Vec3>(in);
    hold.s = in.take<double>();
    hold.popped = in.take<std::uint32_t>() != 0;
  }
  pose.rods.resize(names.rods.size());
  for (RodPose& rod : pose.rods)
    if (!take_rod(in, rod)) return false;
  if (!take_reeving(in, pose, names)) return false;
  pose.contacts.clear();
  if (touching && !take_contacts(in, pose.contacts, names)) return false;
  return in.left() == 0;
}

}  // namespace

struct FrameReader::Parts {
  std::string path;
  InputFile file;
  std::uint64_t left = 0;                            // bytes of the file not yet read
  std::uint64_t (*sum)(std::string_view) = nullptr;  // the checksum behind every frame; null: there is none
  bool touching = false;                             // every frame has a list of contacts
  std::string title;
  std::string id;
  ResultNames names;
  std::string buffer;
  bool cut_off = false;

  // The next `count` bytes into the buffer; false: the file does not have so many.
  bool take(std::uint64_t count) {
    if (count > left) return false;
    file.read(buffer, count);
    left -= count;
    return buffer.size() == count;
  }

  // What the file does not hold in full is where it was cut off.
  bool end_here() {
    cut_off = true;
    left = 0;
    return false;
  }

  // Bytes behind each frame.
  [[nodiscard]] std::uint64_t behind() const { return sum ? sizeof(std::uint64_t) : 0; }

  // The length of the next frame, of which the file has all; none at its end.
  std::optional<std::uint64_t> record() {
    if (left == 0) return {};
    std::uint64_t length = 0;
    if (take(sizeof length)) {
      std::memcpy(&length, buffer.data(), sizeof length);
      if (length <= left && left - length >= behind()) return length;
    }
    end_here();
    return {};
  }
};

FrameReader::FrameReader(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
FrameReader::~FrameReader() = default;
FrameReader::FrameReader(FrameReader&&) noexcept = default;
FrameReader& FrameReader::operator=(FrameReader&&) noexcept = default;

const std::string& FrameReader::title() const {
  return parts_->title;
}

const std::string& FrameReader::id() const {
  return parts_->id;
}

const ResultNames& FrameReader::names() const {
  return parts_->names;
}

bool FrameReader::cut_off() const {
  return parts_->cut_off;
}

Result<FrameReader> FrameReader::open(const std::string& folder) {
  std::error_code code;
  const bool is_folder = std::filesystem::is_directory(folder, code);
  const std::string path = is_folder ? whole_path(folder, kFramesFile) : folder;
  const auto problem = [&](const std::string& message) { return Error{ErrorCode::BadInput, message, path}; };
  Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  const std::uint64_t size = file->size();
  auto parts = std::make_unique<Parts>(Parts{path, std::move(*file), size, nullptr, false, {}, {}, {}, {}, false});
  // magic, version, length of the header
  const std::size_t fixed = kFramesMagic.size() + 2 * sizeof(std::uint32_t);
  if (!parts->take(fixed) || !parts->buffer.starts_with(kFramesMagic))
    return problem("these are not the frames of a run");
  ByteReader in(parts->buffer);
  in.take_bytes(kFramesMagic.size());
  const auto version = in.take<std::uint32_t>();
  if (version < kFramesUnchecked || version > kFramesVersion)
    return problem("frames of format " + std::to_string(version) + ", expected 1 to 3");
  if (version != kFramesUnchecked) parts->sum = version == kFramesByBytes ? checksum : word_checksum;
  if (!parts->take(in.take<std::uint32_t>())) return problem("the header of the frames is cut off");
  // who is who
  try {
    const nlohmann::json header = parsed_json(parts->buffer);
    parts->title = header.at("title").get<std::string>();
    if (header.contains("run")) parts->id = header.at("run").get<std::string>();
    header.at("rods").get_to(parts->names.rods);
    header.at("bodies").get_to(parts->names.bodies);
    header.at("holds").get_to(parts->names.holds);
    if (header.contains("ropes")) {
      header.at("ropes").get_to(parts->names.ropes);
      header.at("winches").get_to(parts->names.winches);
      header.at("sheaves").get_to(parts->names.sheaves);
    }
    parts->touching = header.contains("obstacles");
    if (parts->touching) header.at("obstacles").get_to(parts->names.obstacles);
  } catch (const nlohmann::json::exception&) {
    return problem("the header of the frames is damaged");
  }
  return FrameReader(std::move(parts));
}

Result<bool> FrameReader::next(Snapshot& frame) {
  Parts& p = *parts_;
  const std::optional<std::uint64_t> whole = p.record();
  if (!whole) return false;
  const std::uint64_t length = *whole;
  if (!p.take(length + p.behind())) return p.end_here();
  // the frame, and whether it is what was written
  const std::string_view bytes = std::string_view(p.buffer).substr(0, length);
  const bool intact =
      !p.sum || ByteReader(std::string_view(p.buffer).substr(length)).take<std::uint64_t>() == p.sum(bytes);
  if (!intact || !take_frame(ByteReader(bytes), frame, p.names, p.touching))
    return Error{ErrorCode::BadInput, "a frame is damaged", p.path};
  return true;
}

bool FrameReader::skip(double& t) {
  Parts& p = *parts_;
  const std::optional<std::uint64_t> length = p.record();
  if (!length) return false;
  if (*length < sizeof t || !p.take(sizeof t)) return p.end_here();
  std::memcpy(&t, p.buffer.data(), sizeof t);
  const std::uint64_t rest = *length - sizeof t + p.behind();
  p.left -= rest;
  return p.file.pass_over(rest) || p.end_here();
}

Result<std::vector<Snapshot>> read_frames(const std::string& folder) {
  Result<FrameReader> reader = FrameReader::open(folder);
  if (!reader) return reader.error();
  std::vector<Snapshot> frames;
  while (true) {
    Snapshot frame;
    const Result<bool> got = reader->next(frame);
    if (!got) return got.error();
    if (!*got) return frames;
    frames.push_back(std::move(frame));
  }
}

}  // namespace filum
