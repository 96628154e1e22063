// CSV: one table per rod of the last state, and the history over time. First line: names with units. Comma and point.
#include "io/export_formats.hpp"

#include "io/result_names.hpp"

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

std::string rod_csv(const RodPose& rod) {
  std::string out =
      "s [m],x [m],y [m],z [m],qw,qx,qy,qz,k1 [1/m],k2 [1/m],twist [rad/m],N [N],m1 [N.m],m2 [N.m],m3 [N.m]\n";
  for (size_t i = 0; i < rod.s.size(); ++i) {
    const Vec3 &x = rod.position[i], &m = rod.moment[i];
    const Quat& q = rod.frame[i];
    const Vec2& k = rod.curvature[i];
    put_row(out, rod.s[i], x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z(), k.x(), k.y(), rod.twist[i],
            rod.axial_force[i], m.x(), m.y(), m.z());
  }
  return out;
}

// A heading in quotes, quotes in it doubled: names may hold commas.
std::string quoted(const std::string& name, const char* rest) {
  std::string out = "\"";
  for (const char c : name + rest) {
    out += c;
    if (c == '"') out += '"';
  }
  return out + "\"";
}

std::string history_csv(const StoredResult& result) {
  std::string out = "t [s],elastic [J],gravity [J],kinetic [J]";
  const auto head = [&](const std::vector<std::string>& names, std::initializer_list<const char*> columns) {
    for (const std::string& name : names) {
      for (const char* column : columns) out += "," + quoted(name, column);
    }
  };
  head(result.hold_names, {" Fx [N]", " Fy [N]", " Fz [N]", " Mx [N.m]", " My [N.m]", " Mz [N.m]"});
  head(result.probe_names, {" x [m]", " y [m]", " z [m]"});
  out += '\n';
  const auto put_vector = [&](const std::vector<Vec3>& list, size_t i) {
    for (int k = 0; k < 3; ++k) {
      out += ',';
      put_number(out, i < list.size() ? list[i][k] : std::nan(""));
    }
  };
  for (const HistoryRow& row : result.outcome.history) {
    put_row(out, row.t, row.energy.elastic, row.energy.gravity, row.energy.kinetic);
    out.pop_back();
    for (size_t i = 0; i < result.hold_names.size(); ++i) {
      put_vector(row.hold_force, i);
      put_vector(row.hold_moment, i);
    }
    for (size_t i = 0; i < result.probe_names.size(); ++i) put_vector(row.probe, i);
    out += '\n';
  }
  return out;
}

}  // namespace

std::vector<FileText> csv_files(const StoredResult& result) {
  std::vector<FileText> files;
  std::vector<std::string> taken = {"history"};
  const Pose& pose = result.outcome.states.back().pose;
  for (size_t i = 0; i < pose.rods.size(); ++i) {
    const std::string stem = file_stem(name_or(result.rod_names, i, "rod"), taken);
    files.push_back({stem + ".csv", rod_csv(pose.rods[i])});
  }
  if (!result.outcome.history.empty()) files.push_back({"history.csv", history_csv(result)});
  return files;
}

}  // namespace filum::io
