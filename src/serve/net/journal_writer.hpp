// Keeps the journal of the document at hand, on a thread of its own: neither a slow disk makes the simulation wait, nor
// a long simulation the journal.
#pragma once

#include "serve/editor/document.hpp"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace filum::serve {

class JournalWriter {
 public:
  // `trouble` is called on its thread when it cannot be written.
  JournalWriter(std::filesystem::path folder, std::function<void(std::string)> trouble);
  // What was noted is written.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // What the document is now. Without unsaved changes there is no journal.
  void note(std::shared_ptr<const Document> document);
  // Writes what was noted, now, and nothing after that.
  void finish();
  // Likewise, but nothing of it stays.
  void discard();

 private:
  void run();
  void keep(const Document& document);
  void remove();

  std::filesystem::path folder_;
  std::function<void(std::string)> trouble_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<const Document> noted_;
  bool ending_ = false;
  std::filesystem::path file_;  // that is there; empty: none
  std::string told_;            // the trouble so far
  std::thread thread_;
};

}  // namespace filum::serve
