#include "io/yaml/yaml_tree.hpp"

#include "io/yaml/yaml_scalar.hpp"
#include "io/yaml/yaml_source.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace filum::io {
namespace {

Error error_at(const Mark& mark, std::string message) {
  return {ErrorCode::BadInput, std::move(message), "", mark.line, mark.column};
}

// libyaml's parser, released when it goes out of scope.
class Parser {
 public:
  explicit Parser(std::string_view text) {
    ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!ready_) return;
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  }
  ~Parser() {
    if (ready_) yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  bool next(yaml_event_t& event) { return ready_ && yaml_parser_parse(&parser_, &event) != 0; }

  [[nodiscard]] Error error() const {
    if (!ready_ || parser_.error == YAML_MEMORY_ERROR) return {ErrorCode::BadInput, "out of memory", "", 1, 1};
    std::string message = parser_.problem ? parser_.problem : "malformed YAML";
    if (parser_.context) message = fmt::format("{}: {}", parser_.context, message);
    return {ErrorCode::BadInput, "malformed YAML: " + message, "", static_cast<int>(parser_.problem_mark.line) + 1,
            static_cast<int>(parser_.problem_mark.column) + 1};
  }

 private:
  yaml_parser_t parser_{};
  bool ready_ = false;
};

struct Event {
  yaml_event_t raw{};
  Event() = default;
  ~Event() { yaml_event_delete(&raw); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
};

// The first key that stands twice in a mapping, by its second place.
const Node* duplicate_key(const Node& mapping) {
  std::vector<std::size_t> order(mapping.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return mapping.key(a).text < mapping.key(b).text; });
  // neighbours in sorted order; stable, so the later place comes second
  std::size_t first = mapping.size();
  for (std::size_t i = 1; i < order.size(); ++i)
    if (mapping.key(order[i]).text == mapping.key(order[i - 1]).text) first = std::min(first, order[i]);
  return first < mapping.size() ? &mapping.key(first) : nullptr;
}

// Stacks the open collections; a finished node becomes a child of the one below it.
class Builder {
 public:
  // `skipped`: bytes of the file before the text.
  Builder(std::string_view text, std::size_t skipped) : characters_(text), skipped_(skipped) {}

  // Takes one event; an error ends the parse.
  std::optional<Error> take(const yaml_event_t& event);

  [[nodiscard]] bool has_root() const { return root_.has_value(); }
  Node take_root() { return std::move(*root_); }

 private:
  [[nodiscard]] Mark mark(const yaml_mark_t& at) const {
    return {skipped_ + characters_.byte_of(at.index), static_cast<int>(at.line) + 1, static_cast<int>(at.column) + 1};
  }
  std::optional<Error> refuse_extras(const unsigned char* anchor, const unsigned char* tag, const Mark& at) const;
  std::optional<Error> take_scalar(const yaml_event_t& event);
  std::optional<Error> open(const yaml_event_t& event, NodeKind kind, bool flow);
  std::optional<Error> close(const yaml_event_t& event);
  std::optional<Error> add(Node node);

  CharacterMap characters_;
  std::size_t skipped_;
  std::vector<Node> stack_;
  std::optional<Node> root_;
  std::size_t nodes_ = 0;
};

std::optional<Error> Builder::take(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      if (has_root()) return error_at(mark(event.start_mark), "a second YAML document; a scene is one document");
      return std::nullopt;
    case YAML_ALIAS_EVENT:
      return error_at(mark(event.start_mark), fmt::format("a YAML alias '*{}'; write the value out",
                                                          reinterpret_cast<const char*>(event.data.alias.anchor)));
    case YAML_SCALAR_EVENT:
      return take_scalar(event);
    case YAML_SEQUENCE_START_EVENT:
      return open(event, NodeKind::Sequence, event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
    case YAML_MAPPING_START_EVENT:
      return open(event, NodeKind::Mapping, event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      return close(event);
    default:
      return std::nullopt;
  }
}

std::optional<Error> Builder::refuse_extras(const unsigned char* anchor, const unsigned char* tag,
                                            const Mark& at) const {
  if (anchor)
    return error_at(at, fmt::format("a YAML anchor '&{}'; scenes have no anchors, write the value out",
                                    reinterpret_cast<const char*>(anchor)));
  if (tag) return error_at(at, fmt::format("a YAML tag '{}'; scenes have no tags", reinterpret_cast<const char*>(tag)));
  return std::nullopt;
}

std::optional<Error> Builder::take_scalar(const yaml_event_t& event) {
  const auto& scalar = event.data.scalar;
  Node node;
  node.start = mark(event.start_mark);
  node.end = mark(event.end_mark);
  if (auto error = refuse_extras(scalar.anchor, scalar.tag, node.start)) return error;
  node.plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
  node.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
  return add(std::move(node));
}

std::optional<Error> Builder::open(const yaml_event_t& event, NodeKind kind, bool flow) {
  Node node;
  node.kind = kind;
  node.flow = flow;
  node.start = mark(event.start_mark);
  const bool sequence = kind == NodeKind::Sequence;
  if (auto error = refuse_extras(sequence ? event.data.sequence_start.anchor : event.data.mapping_start.anchor,
                                 sequence ? event.data.sequence_start.tag : event.data.mapping_start.tag, node.start))
    return error;
  if (stack_.size() >= kMaxDepth) return error_at(node.start, fmt::format("nested deeper than {} levels", kMaxDepth));
  stack_.push_back(std::move(node));
  return std::nullopt;
}

std::optional<Error> Builder::close(const yaml_event_t& event) {
  Node node = std::move(stack_.back());
  stack_.pop_back();
  // libyaml ends a block collection at the token that follows it, beyond comments and blank lines
  node.end = node.flow || node.children.empty() ? mark(event.end_mark) : node.children.back().end;
  if (node.is_mapping())
    if (const Node* twice = duplicate_key(node))
      return error_at(twice->start, fmt::format("duplicate key '{}'", twice->text));
  return add(std::move(node));
}

std::optional<Error> Builder::add(Node node) {
  if (++nodes_ > kMaxNodes) return error_at(node.start, fmt::format("more than {} values", kMaxNodes));
  if (stack_.empty()) {
    root_ = std::move(node);
    return std::nullopt;
  }
  Node& parent = stack_.back();
  const bool is_key = parent.is_mapping() && parent.children.size() % 2 == 0;
  if (is_key && !node.is_scalar()) return error_at(node.start, "a key must be a plain word, not a list or a mapping");
  parent.children.push_back(std::move(node));
  return std::nullopt;
}

}  // namespace

bool Node::is_null() const {
  return is_scalar() && plain && (text.empty() || text == "~" || text == "null");
}

const Node* Node::find(std::string_view name) const {
  if (!is_mapping()) return nullptr;
  for (std::size_t i = 0; i < size(); ++i)
    if (key(i).text == name) return &value(i);
  return nullptr;
}

std::string Node::describe() const {
  if (is_null()) return "nothing";
  if (is_sequence()) return fmt::format("a list of {}", size());
  if (is_mapping()) return "a mapping";
  return shown(text);
}

Result<Node> parse_yaml(std::string_view text) {
  const std::size_t skipped = byte_order_mark(text);
  text.remove_prefix(skipped);
  if (auto error = check_text(text)) return *error;
  Parser parser(text);
  Builder builder(text, skipped);
  // feed every event to the builder until the stream ends
  while (true) {
    Event event;
    if (!parser.next(event.raw)) return parser.error();
    if (event.raw.type == YAML_STREAM_END_EVENT) break;
    if (auto error = builder.take(event.raw)) return *error;
  }
  if (!builder.has_root()) return error_at({}, "the file is empty");
  return builder.take_root();
}

}  // namespace filum::io
