// Keeps the journal of the document at hand, on a thread of its own: neither a slow disk makes the simulation wait, nor
// a long simulation the journal.
#pragma once

#include "serve/editor/document.hpp"
#include "serve/editor/mesh_store.hpp"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace filum::serve {

class JournalWriter {
 public:
  // `trouble` is called on its thread when it cannot be written.
  JournalWriter(std::filesystem::path folder, std::function<void(std::string)> trouble);
  // What was noted is written.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // What the document is now, and the meshes that were dropped on it. Without unsaved changes there is no journal.
  void note(std::shared_ptr<const Document> document, std::vector<MeshStore::File> meshes);
  // Writes what was noted, now, and nothing after that.
  void finish();
  // Likewise, but nothing of it stays.
  void discard();

 private:
  void run();
  struct Noted {
    std::shared_ptr<const Document> document;
    std::vector<MeshStore::File> meshes;
  };
  void keep(const Noted& noted);
  Status write(const std::filesystem::path& file, const Noted& noted);
  void remove();

  std::filesystem::path folder_;
  std::function<void(std::string)> trouble_;
  std::mutex mutex_;
  std::condition_variable wake_;
  Noted noted_;
  bool ending_ = false;
  std::filesystem::path file_;         // that is there; empty: none
  std::vector<MeshStore::File> kept_;  // meshes that are beside it
  std::string told_;                   // the trouble so far
  std::thread thread_;
};

}  // namespace filum::serve
