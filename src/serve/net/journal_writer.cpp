#include "serve/net/journal_writer.hpp"

#include "serve/editor/journal.hpp"
#include "serve/editor/stopped.hpp"

#include <algorithm>
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

void JournalWriter::note(std::shared_ptr<const Document> document, std::vector<MeshStore::File> meshes) {
  {
    const std::lock_guard lock(mutex_);
    if (!ending_) noted_ = {std::move(document), std::move(meshes)};
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
    noted_ = {};
  }
  finish();
  remove();
}

// One document after the other, the latest of those that wait, and not too often.
void JournalWriter::run() {
  while (true) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return ending_ || noted_.document; });
    const Noted noted = std::exchange(noted_, {});
    const bool ending = ending_;
    lock.unlock();
    if (noted.document) keep(noted);
    if (ending) return;
    lock.lock();
    wake_.wait_for(lock, kJournalPeriod, [this] { return ending_; });
  }
}

// Meshes first: a journal names none that is not there. Each is written once.
Status JournalWriter::write(const std::filesystem::path& file, const Noted& noted) {
  std::vector<std::string> names;
  for (const MeshStore::File& mesh : noted.meshes) {
    names.push_back(mesh.name);
    const auto same = [&](const MeshStore::File& other) {
      return other.name == mesh.name && other.bytes == mesh.bytes;
    };
    if (std::any_of(kept_.begin(), kept_.end(), same)) continue;
    if (Status written = write_journal_mesh(file, mesh.name, *mesh.bytes); !written) return written;
    kept_.push_back(mesh);
  }
  return write_journal(file, *noted.document, names);
}

void JournalWriter::keep(const Noted& noted) {
  const Document& document = *noted.document;
  std::string trouble;
  try {
    const std::filesystem::path file = journal_file(folder_, document.path());
    if (!document.dirty() || file != file_) remove();
    if (!document.dirty()) return;
    if (const Status written = write(file, noted)) {
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
  if (!file_.empty()) (void)remove_journal(file_);
  file_.clear();
  kept_.clear();
}

}  // namespace filum::serve
