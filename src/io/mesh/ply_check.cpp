// Whether a PLY file holds what its header announces. assimp reads one that is cut short as far as it goes, or beyond.
#include "io/mesh/mesh_read.hpp"

#include <cstdint>
#include <sstream>

namespace filum::io {
namespace {

// Bytes of a number of a binary PLY; 0: a type that it does not know.
std::size_t ply_size(const std::string& type) {
  if (type == "char" || type == "uchar" || type == "int8" || type == "uint8") return 1;
  if (type == "short" || type == "ushort" || type == "int16" || type == "uint16") return 2;
  if (type == "double" || type == "float64") return 8;
  return type == "int" || type == "uint" || type == "int32" || type == "uint32" || type == "float" || type == "float32"
             ? 4
             : 0;
}

struct PlyProperty {
  std::size_t counted = 0;  // bytes of the number that says how many follow; 0: it is no list
  std::size_t size = 0;     // of one
};
struct PlyElement {
  std::size_t count = 0;
  std::vector<PlyProperty> properties;
};

// Walks over what the header announces: the library reads on beyond the end.
bool is_whole_ply(const std::string& bytes, std::size_t place, const std::vector<PlyElement>& elements, bool little) {
  for (const PlyElement& element : elements)
    for (std::size_t row = 0; row < element.count; ++row) {
      if (element.properties.empty()) break;
      for (const PlyProperty& property : element.properties) {
        if (bytes.size() - place < property.counted) return false;
        std::size_t many = property.counted > 0 ? 0 : 1;
        for (std::size_t k = 0; k < property.counted; ++k) {
          const auto byte = static_cast<std::uint8_t>(bytes[place + k]);
          many |= std::size_t{byte} << 8 * (little ? k : property.counted - 1 - k);
        }
        place += property.counted;
        if ((bytes.size() - place) / property.size < many) return false;
        place += many * property.size;
      }
    }
  return true;
}

// A binary file whose header is not to the letter makes the library read where nothing is: it gets none such.
std::string fault_of_binary(const std::string& bytes, std::size_t end) {
  if (end == 0 || bytes[end - 1] != '\n') return "its header is no PLY header";
  std::istringstream header(bytes.substr(0, end));
  std::vector<PlyElement> elements;
  for (std::string line; std::getline(header, line);) {
    std::istringstream words(line);
    std::string word, type, counted;
    words >> word;
    if (word != "ply" && word != "format" && word != "comment" && word != "obj_info" && word != "element" &&
        word != "property")
      return "its header is no PLY header: " + line;
    if (word == "element" && words >> type) words >> elements.emplace_back().count;
    if (word != "property" || !(words >> type)) continue;
    PlyProperty property;
    std::string name;
    if (type == "list" && words >> counted >> type >> name) property.counted = ply_size(counted);
    if (property.counted > 0 && name != "vertex_index" && name != "vertex_indices")
      return "expected no list but that of a face's corners, found '" + name + "'";
    property.size = ply_size(type);
    if (elements.empty() || property.size == 0 || property.counted > 4) return "its header is no PLY header: " + line;
    elements.back().properties.push_back(property);
  }
  const std::size_t body = bytes.find('\n', end);
  const bool little = bytes.find("binary_little_endian") < end;
  if (body != std::string::npos && is_whole_ply(bytes, body + 1, elements, little)) return "";
  return "this file ends before its mesh does: its header announces more than is there";
}

// Of text: a line for each vertex, face and whatever else the header announces.
std::string fault_of_text(const std::string& bytes, std::size_t end) {
  std::istringstream header(bytes.substr(0, end));
  std::size_t announced = 0;
  for (std::string line; std::getline(header, line);) {
    std::istringstream words(line);
    std::string word, name;
    std::size_t count = 0;
    if (words >> word >> name >> count && word == "element") announced += count;
  }
  std::istringstream body(bytes.substr(end));
  std::size_t there = 0;
  std::string line;
  std::getline(body, line);  // what is left of the header's last
  while (std::getline(body, line)) there += line.find_first_not_of(" \t\r") != std::string::npos ? 1 : 0;
  if (there >= announced) return "";
  return "this file ends before its mesh does: " + std::to_string(announced) + " lines are announced, " +
         std::to_string(there) + " are there";
}

}  // namespace

std::string fault_of_ply(const std::string& bytes) {
  const std::size_t end = bytes.find("end_header");
  if (end == std::string::npos) return "no mesh that can be read: its header has no end";
  return bytes.find("format ascii") > end ? fault_of_binary(bytes, end) : fault_of_text(bytes, end);
}

}  // namespace filum::io
