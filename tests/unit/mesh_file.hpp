// Meshes of plain shapes in files, for tests.
#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

namespace filum::test {

// Gone afterwards.
struct MeshFile {
  std::string path;
  explicit MeshFile(const std::string& name, const std::string& text)
      : path((std::filesystem::temp_directory_path() / ("filum_" + std::to_string(::getpid()) + "_" + name)).string()) {
    std::ofstream(path) << text;
  }
  MeshFile(const MeshFile&) = delete;
  MeshFile& operator=(const MeshFile&) = delete;
  ~MeshFile() {
    std::error_code code;
    std::filesystem::remove(path, code);
  }
};

inline std::string corner_line(double x, double y, double z) {
  return "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
}

// About the origin.
inline MeshFile cube_file(double edge) {
  std::string text;
  for (int k = 0; k < 8; ++k)
    text += corner_line((k & 1 ? 0.5 : -0.5) * edge, (k & 2 ? 0.5 : -0.5) * edge, (k & 4 ? 0.5 : -0.5) * edge);
  for (const char* face : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"})
    text += std::string("f ") + face + "\n";
  return MeshFile("cube.obj", text);
}

// By so many meridians and half as many parallels.
inline MeshFile sphere_file(double radius, int meridians) {
  const int rows = meridians / 2;
  std::string text = corner_line(0, 0, radius);
  for (int j = 1; j < rows; ++j)
    for (int i = 0; i < meridians; ++i) {
      const double t = std::numbers::pi * j / rows, p = 2 * std::numbers::pi * i / meridians;
      text += corner_line(radius * std::sin(t) * std::cos(p), radius * std::sin(t) * std::sin(p), radius * std::cos(t));
    }
  text += corner_line(0, 0, -radius);
  const int last = 2 + (rows - 1) * meridians;
  const auto corner = [&](int j, int i) { return std::to_string(2 + (j - 1) * meridians + i % meridians); };
  for (int i = 0; i < meridians; ++i) {
    text += "f 1 " + corner(1, i) + " " + corner(1, i + 1) + "\n";
    text += "f " + std::to_string(last) + " " + corner(rows - 1, i + 1) + " " + corner(rows - 1, i) + "\n";
    for (int j = 1; j + 1 < rows; ++j)
      text += "f " + corner(j, i) + " " + corner(j + 1, i) + " " + corner(j + 1, i + 1) + " " + corner(j, i + 1) + "\n";
  }
  return MeshFile("sphere.obj", text);
}

}  // namespace filum::test
