// VTK XML poly data (.vtp), ASCII: the centre lines of rods and massless ropes with all that is known along them, one
// file per state, and for a path or the frames of a run a .pvd collection that gives them their times. Reference: «VTK
// File Formats», Kitware.
#include "io/export/export_formats.hpp"
#include "io/export/export_skin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace filum::io {
namespace {

// One data array; `values(rod, node)` puts the components of one point.
template <class Values>
void put_array(std::string& out, const std::vector<RodPose>& rods, const char* name, int components, Values values) {
  out += fmt::format("<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">\n", name,
                     components);
  for (const RodPose& rod : rods) {
    for (size_t i = 0; i < rod.s.size(); ++i) {
      const auto point = values(rod, i);
      for (int k = 0; k < components; ++k) {
        put_number(out, point[static_cast<size_t>(k)]);
        out += k + 1 < components ? ' ' : '\n';
      }
    }
  }
  out += "</DataArray>\n";
}

template <int N>
std::array<double, 3> triple(const Eigen::Matrix<double, N, 1>& v) {
  return {v[0], N > 1 ? v[1] : 0, N > 2 ? v[N - 1] : 0};
}

std::array<double, 3> director(const RodPose& rod, size_t node, const Vec3& axis) {
  return triple<3>(rod.frame[node] * axis);
}

void put_point_data(std::string& out, const std::vector<RodPose>& rods) {
  using One = std::array<double, 1>;
  out += "<PointData>\n";
  put_array(out, rods, "s", 1, [](const RodPose& rod, size_t i) { return One{rod.s[i]}; });
  put_array(out, rods, "curvature", 1, [](const RodPose& rod, size_t i) { return One{rod.curvature[i].norm()}; });
  put_array(out, rods, "curvature_d1_d2", 2, [](const RodPose& rod, size_t i) { return triple<2>(rod.curvature[i]); });
  put_array(out, rods, "twist", 1, [](const RodPose& rod, size_t i) { return One{rod.twist[i]}; });
  put_array(out, rods, "axial_force", 1, [](const RodPose& rod, size_t i) { return One{rod.axial_force[i]}; });
  put_array(out, rods, "moment", 3, [](const RodPose& rod, size_t i) { return triple<3>(rod.moment[i]); });
  const bool yields = std::any_of(rods.begin(), rods.end(), [](const RodPose& rod) { return !rod.plastic.empty(); });
  if (yields) {
    put_array(out, rods, "plastic", 3, [](const RodPose& rod, size_t i) {
      return i < rod.plastic.size() ? triple<3>(rod.plastic[i]) : std::array<double, 3>{};
    });
    put_array(out, rods, "yield", 1,
              [](const RodPose& rod, size_t i) { return One{i < rod.yield.size() ? rod.yield[i] : 0}; });
  }
  put_array(out, rods, "velocity", 3, [](const RodPose& rod, size_t i) {
    return i < rod.velocity.size() ? triple<3>(rod.velocity[i]) : std::array<double, 3>{};
  });
  put_array(out, rods, "radius", 1,
            [](const RodPose& rod, size_t i) { return One{i < rod.outline.size() ? rod.outline[i].maxCoeff() : 0}; });
  put_array(out, rods, "d1", 3, [](const RodPose& rod, size_t i) { return director(rod, i, Vec3::UnitX()); });
  put_array(out, rods, "d2", 3, [](const RodPose& rod, size_t i) { return director(rod, i, Vec3::UnitY()); });
  put_array(out, rods, "d3", 3, [](const RodPose& rod, size_t i) { return director(rod, i, Vec3::UnitZ()); });
  out += "</PointData>\n";
}

std::string vtp_text(const Pose& pose) {
  const std::vector<RodPose> rods = rods_and_ropes(pose);
  size_t points = 0;
  for (const RodPose& rod : rods) points += rod.s.size();
  std::string out =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\">\n";
  out += fmt::format(
      "<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n",
      points, rods.size());
  put_point_data(out, rods);
  // which rod or which rope a line is; −1: none
  const int count = static_cast<int>(pose.rods.size());
  out += "<CellData>\n<DataArray type=\"Int32\" Name=\"rod\" format=\"ascii\">\n";
  for (int i = 0; i < static_cast<int>(rods.size()); ++i) out += std::to_string(i < count ? i : -1) + "\n";
  out += "</DataArray>\n<DataArray type=\"Int32\" Name=\"rope\" format=\"ascii\">\n";
  for (int i = 0; i < static_cast<int>(rods.size()); ++i) out += std::to_string(i < count ? -1 : i - count) + "\n";
  out += "</DataArray>\n</CellData>\n<Points>\n";
  put_array(out, rods, "Points", 3, [](const RodPose& rod, size_t i) { return triple<3>(rod.position[i]); });
  out += "</Points>\n<Lines>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n";
  for (size_t i = 0; i < points; ++i) out += std::to_string(i) + "\n";
  out += "</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n";
  size_t offset = 0;
  for (const RodPose& rod : rods) out += std::to_string(offset += rod.s.size()) + "\n";
  out += "</DataArray>\n</Lines>\n</Piece>\n</PolyData>\n</VTKFile>\n";
  return out;
}

// Files with their times, as ParaView opens them.
class Collection {
 public:
  void add(double t, const std::string& file) {
    text_ += "<DataSet timestep=\"";
    put_number(text_, t);
    text_ += "\" file=\"" + file + "\"/>\n";
  }
  [[nodiscard]] std::string finish() const { return text_ + "</Collection>\n</VTKFile>\n"; }

 private:
  std::string text_ = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
};

}  // namespace

std::vector<FileText> vtk_files(const StoredResult& result) {
  const std::vector<Snapshot>& states = result.outcome.states;
  if (states.size() == 1) return {{"state.vtp", vtp_text(states[0].pose)}};
  std::vector<FileText> files;
  Collection collection;
  for (size_t i = 0; i < states.size(); ++i) {
    const std::string name = fmt::format("state-{:04}.vtp", i);
    files.push_back({name, vtp_text(states[i].pose)});
    collection.add(states[i].t, name);
  }
  files.push_back({"states.pvd", collection.finish()});
  return files;
}

Result<std::vector<std::string>> vtk_frames(const StoredResult& result, const std::string& folder) {
  Result<FrameReader> reader = FrameReader::open(result.frames);
  if (!reader) return reader.error();
  std::vector<std::string> paths;
  const auto write = [&](const std::string& name, const std::string& bytes) -> Status {
    paths.push_back(folder + "/" + name);
    Result<GrowingFile> file = GrowingFile::open(paths.back());
    if (!file) return file.error();
    if (Status added = file->add(bytes); !added) return added;
    return file->finish();
  };
  // a file per frame, then the list of them with their times
  Collection collection;
  Snapshot frame;
  for (size_t i = 0;; ++i) {
    const Result<bool> got = reader->next(frame);
    if (!got) return got.error();
    if (!*got) break;
    const std::string name = fmt::format("frame-{:06}.vtp", i);
    const Status written = write(name, vtp_text(frame.pose));
    if (!written) return written.error();
    collection.add(frame.t, name);
  }
  const Status written = write("frames.pvd", collection.finish());
  if (!written) return written.error();
  return paths;
}

}  // namespace filum::io
