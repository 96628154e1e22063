// CSV: one table per rod of the last state, of a run one more with all its frames, the contacts of all states, and the history over time. First
// line: names with units. Comma and point.
#include "io/export/export_formats.hpp"

#include "io/csv_text.hpp"
#include "io/result/result_names.hpp"

#include <algorithm>
#include <cmath>

namespace filum::io {
namespace {

// A row of numbers.
template <class... Values>
void put_row(std::string& out, Values... values) {
  const size_t start = out.size();
  ((out.size() == start ? void() : void(out += ','), put_number(out, values)), ...);
  out += '\n';
}

constexpr const char* kRodHead =
    "s [m],x [m],y [m],z [m],qw,qx,qy,qz,k1 [1/m],k2 [1/m],twist [rad/m],N [N],m1 [N.m],m2 [N.m],m3 [N.m]";

// Of a rod that yields or slips, what stays and how far it was strained too.
std::string rod_head(const RodPose& rod) {
  std::string head = kRodHead;
  if (!rod.plastic.empty()) head += ",p1 [1/m],p2 [1/m],p twist [rad/m]";
  if (!rod.yield.empty()) head += ",strain over first yield";
  return head + "\n";
}

// The rows of a rod, each with `before` in front.
std::string rod_rows(const RodPose& rod, const std::string& before) {
  std::string out;
  for (size_t i = 0; i < rod.s.size(); ++i) {
    out += before;
    const Vec3 &x = rod.position[i], &m = rod.moment[i];
    const Quat& q = rod.frame[i];
    const Vec2& k = rod.curvature[i];
    put_row(out, rod.s[i], x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z(), k.x(), k.y(), rod.twist[i],
            rod.axial_force[i], m.x(), m.y(), m.z());
    if (!rod.plastic.empty()) {
      out.pop_back();
      out += ',';
      put_row(out, rod.plastic[i].x(), rod.plastic[i].y(), rod.plastic[i].z());
    }
    if (!rod.yield.empty()) {
      out.pop_back();
      out += ',';
      put_row(out, rod.yield[i]);
    }
  }
  return out;
}

std::string history_csv(const StoredResult& result) {
  std::string out = "t [s],elastic [J],gravity [J],kinetic [J],work [J],dissipated [J],drained [J]";
  const auto head = [&](const std::vector<std::string>& names, std::initializer_list<const char*> columns) {
    for (const std::string& name : names) {
      for (const char* column : columns) out += "," + csv_text(name + column);
    }
  };
  head(result.names.holds, {" Fx [N]", " Fy [N]", " Fz [N]", " Mx [N.m]", " My [N.m]", " Mz [N.m]"});
  head(result.names.probes, {" x [m]", " y [m]", " z [m]"});
  // a run's
  const HistoryRow& first = result.outcome.history.front();
  const bool moving = !first.probe_velocity.empty();
  const size_t turning = std::min(first.turns.size(), result.names.rods.size());
  if (moving) head(result.names.probes, {" vx [m/s]", " vy [m/s]", " vz [m/s]"});
  head({result.names.rods.begin(), result.names.rods.begin() + static_cast<std::ptrdiff_t>(turning)}, {" turns"});
  // of what hoists
  if (!first.rope_tension.empty()) head(result.names.ropes, {" tension [N]"});
  if (!first.winch_force.empty()) head(result.names.winches, {" force [N]"});
  const size_t sheaves = first.sheave_before.empty() ? 0 : result.names.sheaves.size();
  if (sheaves > 0) head(result.names.sheaves, {" before [N]", " after [N]"});
  out += '\n';
  const auto put_vector = [&](const std::vector<Vec3>& list, size_t i) {
    for (int k = 0; k < 3; ++k) {
      out += ',';
      put_number(out, i < list.size() ? list[i][k] : std::nan(""));
    }
  };
  const auto put_numbers = [&](const std::vector<double>& list, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      out += ',';
      put_number(out, i < list.size() ? list[i] : std::nan(""));
    }
  };
  for (const HistoryRow& row : result.outcome.history) {
    const Energy& energy = row.energy;
    put_row(out, row.t, energy.elastic, energy.gravity, energy.kinetic, energy.work, energy.dissipated, energy.drained);
    out.pop_back();
    for (size_t i = 0; i < result.names.holds.size(); ++i) {
      put_vector(row.hold_force, i);
      put_vector(row.hold_moment, i);
    }
    for (size_t i = 0; i < result.names.probes.size(); ++i) put_vector(row.probe, i);
    for (size_t i = 0; moving && i < result.names.probes.size(); ++i) put_vector(row.probe_velocity, i);
    put_numbers(row.turns, turning);
    put_numbers(row.rope_tension, first.rope_tension.empty() ? 0 : result.names.ropes.size());
    put_numbers(row.winch_force, first.winch_force.empty() ? 0 : result.names.winches.size());
    for (size_t i = 0; i < sheaves; ++i) {
      out += ',';
      put_number(out, i < row.sheave_before.size() ? row.sheave_before[i] : std::nan(""));
      out += ',';
      put_number(out, i < row.sheave_after.size() ? row.sheave_after[i] : std::nan(""));
    }
    out += '\n';
  }
  return out;
}

std::string touched(const ResultNames& names, const ContactSide& side) {
  if (side.rod >= 0) return name_or(names.rods, static_cast<size_t>(side.rod), "rod");
  if (side.body >= 0) return name_or(names.bodies, static_cast<size_t>(side.body), "body");
  return name_or(names.obstacles, static_cast<size_t>(side.obstacle), "obstacle");
}

// What touches what, in every state that the result has.
std::string contacts_csv(const StoredResult& result) {
  std::string out =
      "t [s],thing,s [m],touches,at s [m],x [m],y [m],z [m],nx,ny,nz,Fx [N],Fy [N],Fz [N],N [N],gap [m],slip x [m],"
      "slip y [m],slip z [m],stick,chafing [N.m]\n";
  const auto text = [](double value) {
    std::string number;
    put_number(number, value);
    return number;
  };
  for (const Snapshot& state : result.outcome.states)
    for (const ContactPose& contact : state.pose.contacts) {
      const auto place = [&](const ContactSide& side) { return side.rod >= 0 ? text(side.s) : std::string(); };
      out += text(state.t) + "," + csv_text(touched(result.names, contact.a)) + "," + place(contact.a) + "," +
             csv_text(touched(result.names, contact.b)) + "," + place(contact.b) + ",";
      const Vec3 &x = contact.position, &n = contact.normal, &f = contact.force, &u = contact.slip;
      put_row(out, x.x(), x.y(), x.z(), n.x(), n.y(), n.z(), f.x(), f.y(), f.z(), contact.normal_force(), contact.gap,
              u.x(), u.y(), u.z(), contact.stick ? 1.0 : 0.0, contact.chafing);
    }
  return out;
}

}  // namespace

std::vector<FileText> csv_files(const StoredResult& result) {
  std::vector<FileText> files;
  std::vector<std::string> taken = {"history", "contacts"};
  const Pose& pose = result.outcome.states.back().pose;
  for (size_t i = 0; i < pose.rods.size(); ++i) {
    const std::string stem = file_stem(name_or(result.names.rods, i, "rod"), taken);
    files.push_back({stem + ".csv", rod_head(pose.rods[i]) + rod_rows(pose.rods[i], "")});
  }
  const auto touches = [](const Snapshot& state) { return !state.pose.contacts.empty(); };
  if (std::any_of(result.outcome.states.begin(), result.outcome.states.end(), touches))
    files.push_back({"contacts.csv", contacts_csv(result)});
  if (!result.outcome.history.empty()) files.push_back({"history.csv", history_csv(result)});
  return files;
}

Result<std::vector<std::string>> csv_frames(const StoredResult& result, const std::string& folder) {
  Result<FrameReader> reader = FrameReader::open(result.frames);
  if (!reader) return reader.error();
  // one growing file per rod
  std::vector<std::string> taken = {"history", "contacts"};
  std::vector<GrowingFile> files;
  for (const std::string& name : reader->names().rods) {
    Result<GrowingFile> file = GrowingFile::open(folder + "/" + file_stem(name, taken) + ".frames.csv");
    if (!file) return file.error();
    files.push_back(std::move(*file));
    const Status headed = files.back().add(std::string("t [s],") + kRodHead + "\n");
    if (!headed) return headed.error();
  }
  // frame by frame
  Snapshot frame;
  while (true) {
    const Result<bool> got = reader->next(frame);
    if (!got) return got.error();
    if (!*got) break;
    std::string t;
    put_number(t, frame.t);
    for (size_t i = 0; i < files.size(); ++i) {
      const Status added = files[i].add(rod_rows(frame.pose.rods[i], t + ","));
      if (!added) return added.error();
    }
  }
  std::vector<std::string> paths;
  for (GrowingFile& file : files) {
    const Status done = file.finish();
    if (!done) return done.error();
    paths.push_back(file.path());
  }
  return paths;
}

}  // namespace filum::io
