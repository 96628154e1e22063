#include "serve/net/hub.hpp"

#include "io/json_text.hpp"
#include "serve/editor/document.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace filum::serve {

void Hub::tell_frame(std::shared_ptr<const Frame> frame) {
  {
    const std::lock_guard lock(mutex_);
    frame_ = std::move(frame);
  }
  deliver_soon();
}

void Hub::tell_scene(Message scene) {
  {
    const std::lock_guard lock(mutex_);
    scene_ = std::move(scene);
  }
  deliver_soon();
}

void Hub::tell_state(Message state) {
  {
    const std::lock_guard lock(mutex_);
    state_ = std::move(state);
  }
  deliver_soon();
}

void Hub::tell_news(Message news) {
  {
    const std::lock_guard lock(mutex_);
    news_.push_back(std::move(news));
  }
  deliver_soon();
}

void Hub::tell_document(DocumentNews news) {
  {
    const std::lock_guard lock(mutex_);
    document_ = std::move(news);
    if (std::exchange(writing_, true)) return;
  }
  net::post(workers, [this] { write_document(); });
}

// On a worker's thread.
void Hub::write_document() {
  DocumentNews news;
  {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    if (!document_) return;
    news = std::move(*std::exchange(document_, std::nullopt));
  }
  auto text = std::make_shared<DocumentText>();
  text->document = news.document;
  text->done = std::move(news.done);
  if (!written_ || written_->document != news.document) {
    const Document& document = *news.document;
    Json meshes = Json::array();
    for (const MeshStore::File& mesh : news.meshes) meshes.push_back(mesh.name);
    const std::string object = io::json_text({{"name", document.name()},
                                              {"path", document.path()},
                                              {"dirty", document.dirty()},
                                              {"text", document.text()},
                                              {"meshes", std::move(meshes)}});
    text->fields = object.substr(1, object.size() - 2);
  } else {
    text->fields = written_->fields;
  }
  written_ = text;
  net::post(context, [this, text] {
    std::vector<std::shared_ptr<Page>> all;
    for (const auto& [id, page] : pages) all.push_back(page);
    for (const auto& page : all) page->tell_document(text);
  });
}

// One delivery at a time is under way.
void Hub::deliver_soon() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(due_, true)) return;
  }
  net::post(context, [this] { deliver(); });
}

void Hub::deliver() {
  std::unique_lock lock(mutex_);
  due_ = false;
  const auto frame = std::exchange(frame_, nullptr);
  const Message scene = std::exchange(scene_, nullptr);
  const Message state = std::exchange(state_, nullptr);
  const std::vector<Message> news = std::exchange(news_, {});
  lock.unlock();
  // telling may end a page and take it off the list
  std::vector<std::shared_ptr<Page>> all;
  for (const auto& [id, page] : pages) all.push_back(page);
  for (const auto& page : all) {
    if (scene) page->tell_scene(scene);
    if (frame) page->tell_frame(frame);
    if (state) page->tell_state(state);
    for (const Message& message : news) page->tell_news(message);
  }
}

}  // namespace filum::serve
