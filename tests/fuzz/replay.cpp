// Gives a fuzz target the files of the folders that are named, one after the other: what was found once stays found.
#include "fuzz.hpp"

#include <cstdio>
#include <iterator>
#include <vector>

int main(int count, char** arguments) {
  std::vector<std::filesystem::path> files;
  for (int k = 1; k < count; ++k)
    for (const auto& entry : std::filesystem::directory_iterator(arguments[k]))
      files.push_back(std::filesystem::absolute(entry.path()));
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  return files.empty() ? 1 : 0;
}
