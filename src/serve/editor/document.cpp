#include "serve/editor/document.hpp"

#include "io/file_read.hpp"
#include "io/scene/scene_files.hpp"
#include "io/scene/scene_text.hpp"
#include "serve/editor/scene_bytes.hpp"

#include <filum/scene_file.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

namespace filum::serve {

namespace {

constexpr const char* kBlank = "filum: 1\n";

}  // namespace

Document::Document()
    : identity_(std::make_shared<const int>(0)),
      text_(std::make_shared<const std::string>(kBlank)),
      saved_(std::make_shared<const Scene>()),
      saved_text_(text_),
      name_("untitled") {}

Result<Document> Document::from_text(std::string text, const std::string& name, const Folders& folders) {
  if (auto named = io::check_named_files(text, name, folders); !named) return named.error();
  Result<Scene> scene = parse_scene(text, name);
  if (!scene) return scene.error();
  Document document;
  document.text_ = std::make_shared<const std::string>(std::move(text));
  document.saved_ = std::make_shared<const Scene>(*scene);
  document.saved_text_ = document.text_;
  document.scene_ = std::move(*scene);
  document.name_ = name;
  document.folders_ = folders;
  return document;
}

Result<Document> Document::from_file(const std::string& path, const Folders& folders) {
  Result<std::string> text = io::read_text_file(path);
  if (!text) return text.error();
  Result<Document> document = from_text(std::move(*text), path, folders);
  if (!document) return document;
  // the file itself, not a link to it: that is what will be saved
  std::error_code code;
  document->path_ = std::filesystem::canonical(path, code).string();
  if (code) return file_error(path, code.message());
  document->name_ = std::filesystem::path(path).stem().string();
  return document;
}

Result<Document> Document::restored(const std::string& path, const std::string& name, const std::string& text,
                                    const Folders& folders) {
  Document document;
  document.name_ = name;
  document.folders_ = folders;
  // a file that is gone or broken is no reason to lose this too
  if (Result<Document> file = path.empty() ? Result<Document>(Document()) : from_file(path, folders);
      file && !path.empty())
    document = std::move(*file);
  if (auto taken = document.take(text); !taken) return taken.error();
  return document;
}

std::string Document::text() const {
  return rewrite_scene(*text_, label(), scene_);
}

void Document::become(const Document& other) {
  if (identity_ != other.identity_) {
    *this = other;
    return;
  }
  text_ = other.text_;
  scene_ = other.scene_;
}

// Not by patch_scene and its kin: the files that it names are judged before anybody reads them.
Status Document::take(Result<std::string> text) {
  if (!text) return text.error();
  if (auto named = io::check_named_files(*text, label(), folders_); !named) return named;
  Result<Scene> scene = parse_scene(*text, label());
  if (!scene) return scene.error();
  text_ = std::make_shared<const std::string>(std::move(*text));
  scene_ = std::move(*scene);
  return Done{};
}

Status Document::set(const std::string& path, const std::string& value) {
  return take(io::with_value(text(), label(), path, value));
}

Status Document::add(const std::string& path, const std::string& value, const std::string& key) {
  return take(key.empty() ? io::with_item(text(), label(), path, value)
                          : io::with_entry(text(), label(), path, key, value));
}

Status Document::remove(const std::string& path) {
  return take(io::without(text(), label(), path));
}

bool Document::would_replace(const std::string& path) const {
  std::error_code code;
  return path != path_ && std::filesystem::exists(path, code);
}

bool Document::changed_outside(const std::string& path) const {
  std::error_code code;
  if (path != path_ || !std::filesystem::exists(path, code)) return false;
  const Result<std::string> there = io::read_text_file(path);
  return !there || *there != *saved_text_;
}

Status Document::save(const std::string& path, const std::vector<io::FileText>& others) {
  auto now = std::make_shared<const std::string>(text());
  std::vector<io::FileText> files = others;
  files.push_back({path, *now});
  if (auto written = io::write_files(files); !written) return written;
  text_ = saved_text_ = std::move(now);
  saved_ = std::make_shared<const Scene>(scene_);
  path_ = path;
  name_ = std::filesystem::path(path).stem().string();
  return Done{};
}

std::vector<Document::Shared> Document::shared() const {
  return {{text_.get(), text_->capacity()},
          {saved_text_.get(), saved_text_->capacity()},
          {saved_.get(), bytes_of(*saved_)}};
}

}  // namespace filum::serve
