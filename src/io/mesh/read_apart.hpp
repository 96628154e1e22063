// Reading a mesh in a process of its own.
//
// Meshes come from strangers, and the libraries that read them were written for files that are whole: some bytes make
// them read where nothing is, loop for ever or ask for all the memory there is. In a process of its own that ends that
// process and nothing else: the file is refused, and whoever asked goes on.
#pragma once

#include "io/mesh/mesh_file.hpp"

#include <filum/progress.hpp>
#include <filum/result.hpp>

#include <cstddef>
#include <functional>
#include <string>

namespace filum::io {

// What `read` makes of the `size` bytes of `file`, or why nothing: it was ended by the system, took longer than a file
// of that size can take, or who watches this thread asked to stop. `read` sees this process as it is and changes nothing
// of it.
Result<MeshFile> read_apart(const std::string& file, std::size_t size, const std::function<Result<MeshFile>()>& read);

// As long as it is there, whatever this thread reads apart asks `watch` whether to go on. Scenes name meshes, and are
// read by functions that know nothing of who waits for them.
class WatchedReading {
 public:
  explicit WatchedReading(Progress watch);
  ~WatchedReading();
  WatchedReading(const WatchedReading&) = delete;
  WatchedReading& operator=(const WatchedReading&) = delete;

 private:
  Progress before_;
};

}  // namespace filum::io
