#include "serve/net/journal_writer.hpp"

#include "serve/editor/journal.hpp"
#include "serve/editor/stopped.hpp"

#include <chrono>
#include <system_error>
#include <utility>

namespace filum::serve {

namespace {

constexpr std::chrono::seconds kJournalPeriod(2);

}  // namespace

JournalWriter::JournalWriter(std::filesystem::path folder, std::function<void(std::string)> trouble)
    : folder_(std::move(folder)), trouble_(std::move(trouble)), thread_([this] { run(); }) {}

JournalWriter::~JournalWriter() {
  finish();
}

void JournalWriter::note(std::shared_ptr<const Document> document) {
  {
    const std::lock_guard lock(mutex_);
    if (!ending_) noted_ = std::move(document);
  }
  wake_.notify_one();
}

void JournalWriter::finish() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void JournalWriter::discard() {
  {
    const std::lock_guard lock(mutex_);
    noted_.reset();
  }
  finish();
  remove();
}

// One document after the other, the latest of those that wait, and not too often.
void JournalWriter::run() {
  while (true) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return ending_ || noted_; });
    const std::shared_ptr<const Document> document = std::exchange(noted_, nullptr);
    const bool ending = ending_;
    lock.unlock();
    if (document) keep(*document);
    if (ending) return;
    lock.lock();
    wake_.wait_for(lock, kJournalPeriod, [this] { return ending_; });
  }
}

void JournalWriter::keep(const Document& document) {
  std::string trouble;
  try {
    const std::filesystem::path file = journal_file(folder_, document.path());
    if (!document.dirty() || file != file_) remove();
    if (!document.dirty()) return;
    if (const Status written = write_journal(file, document)) {
      file_ = file;
    } else {
      trouble = written.error().text();
    }
  } catch (...) {
    trouble = words_of_exception();
  }
  if (!trouble.empty() && trouble != told_) trouble_("unsaved changes are not kept: " + trouble);
  told_ = trouble;
}

void JournalWriter::remove() {
  std::error_code ignored;
  if (!file_.empty()) std::filesystem::remove(file_, ignored);
  file_.clear();
}

}  // namespace filum::serve
