#include "serve/editor/document.hpp"

#include "io/file_read.hpp"

#include <filum/scene_file.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace filum::serve {

namespace {

constexpr const char* kBlank = "filum: 1\n";

// Beside the file first, then in its place: a full disk leaves the old one.
Status write_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".part";
  errno = 0;
  std::ofstream stream(beside, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  std::error_code code;
  if (!stream) {
    const std::string why = errno != 0 ? std::strerror(errno) : "cannot be written";
    std::filesystem::remove(beside, code);
    return file_error(path, why);
  }
  std::filesystem::rename(beside, path, code);
  if (code) return file_error(path, code.message());
  return Done{};
}

}  // namespace

Document::Document()
    : identity_(std::make_shared<const int>(0)),
      text_(std::make_shared<const std::string>(kBlank)),
      saved_(std::make_shared<const Scene>()),
      name_("untitled") {}

Result<Document> Document::from_text(std::string text, const std::string& name) {
  Result<Scene> scene = parse_scene(text, name);
  if (!scene) return scene.error();
  Document document;
  document.text_ = std::make_shared<const std::string>(std::move(text));
  document.saved_ = std::make_shared<const Scene>(*scene);
  document.scene_ = std::move(*scene);
  document.name_ = name;
  return document;
}

Result<Document> Document::from_file(const std::string& path) {
  Result<std::string> text = io::read_text_file(path);
  if (!text) return text.error();
  Result<Document> document = from_text(std::move(*text), path);
  if (!document) return document;
  document->path_ = std::filesystem::absolute(path).lexically_normal().string();
  document->name_ = std::filesystem::path(path).stem().string();
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

Status Document::take(Result<std::string> text) {
  if (!text) return text.error();
  Result<Scene> scene = parse_scene(*text, label());
  if (!scene) return scene.error();
  text_ = std::make_shared<const std::string>(std::move(*text));
  scene_ = std::move(*scene);
  return Done{};
}

Status Document::set(const std::string& path, const std::string& value) {
  return take(patch_scene(text(), label(), {{path, value}}));
}

Status Document::add(const std::string& path, const std::string& value, const std::string& key) {
  return take(add_to_scene(text(), label(), path, value, key));
}

Status Document::remove(const std::string& path) {
  return take(remove_from_scene(text(), label(), path));
}

// Where it would be saved: as named, or to its own file.
std::string Document::target_of(const std::string& path) const {
  return path.empty() ? path_ : std::filesystem::absolute(path).lexically_normal().string();
}

bool Document::would_replace(const std::string& path) const {
  std::error_code code;
  const std::string target = target_of(path);
  return target != path_ && std::filesystem::exists(target, code);
}

Status Document::save(const std::string& path, bool overwrite) {
  const std::string target = target_of(path);
  if (target.empty()) return file_error({}, "the scene has no file yet: say where to save it");
  const std::string ending = std::filesystem::path(target).extension().string();
  if (ending != ".yaml" && ending != ".yml") return file_error(target, "a scene's file ends in .yaml or .yml");
  if (!overwrite && would_replace(path)) return file_error(target, "there is such a file already");
  std::string now = text();
  if (auto written = write_file(target, now); !written) return written;
  text_ = std::make_shared<const std::string>(std::move(now));
  saved_ = std::make_shared<const Scene>(scene_);
  path_ = target;
  name_ = std::filesystem::path(target).stem().string();
  return Done{};
}

}  // namespace filum::serve
