#include "exchange/xml/xml_tree.hpp"

#include <expat.h>

#include <algorithm>
#include <memory>
#include <new>

namespace filum::exchange {
namespace {

constexpr std::size_t kDeepest = 100;

std::string local(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
}

// What the parser's calls fill. Nothing may be thrown through the parser, which is C.
struct Builder {
  XML_Parser parser = nullptr;
  XmlNode top;                 // holds the root
  std::vector<XmlNode*> open;  // from the root to the innermost
  std::string problem;         // why it was stopped

  void stop(std::string why) {
    if (problem.empty()) problem = std::move(why);
    XML_StopParser(parser, XML_FALSE);
  }
};

template <class Act>
void guarded(void* data, Act act) {
  auto& builder = *static_cast<Builder*>(data);
  try {
    act(builder);
  } catch (const std::bad_alloc&) {
    builder.stop("out of memory");
  }
}

void begin_element(void* data, const char* name, const char** attributes) {
  guarded(data, [&](Builder& builder) {
    if (builder.open.size() > kDeepest) return builder.stop("elements within elements, more than 100 deep");
    XmlNode& node = builder.open.back()->children.emplace_back();
    node.name = local(name);
    node.line = static_cast<int>(XML_GetCurrentLineNumber(builder.parser));
    for (const char** at = attributes; *at != nullptr; at += 2) {
      const std::string key = local(at[0]);
      if (key == "id") node.id = at[1];
      if (key == "type") node.type = local(at[1]);
    }
    // children are added to the innermost alone, so that the others stay where they are
    builder.open.push_back(&node);
  });
}

void end_element(void* data, const char* /*name*/) {
  guarded(data, [](Builder& builder) {
    std::string& text = builder.open.back()->text;
    constexpr const char* kBlanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    text = first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
    builder.open.pop_back();
  });
}

void add_text(void* data, const char* text, int length) {
  guarded(data, [&](Builder& builder) {
    if (builder.open.size() > 1) builder.open.back()->text.append(text, static_cast<std::size_t>(length));
  });
}

void refuse_doctype(void* data, const char* /*name*/, const char* /*system*/, const char* /*open*/, int /*internal*/) {
  guarded(data, [](Builder& builder) { builder.stop("a document type (DTD) is not read"); });
}

}  // namespace

const XmlNode* XmlNode::child(std::string_view wanted) const {
  const auto found =
      std::find_if(children.begin(), children.end(), [&](const XmlNode& each) { return each.name == wanted; });
  return found == children.end() ? nullptr : &*found;
}

Result<XmlNode> parse_xml(std::string_view text, const std::string& file) {
  const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr), XML_ParserFree);
  if (!parser) return file_error(file, "out of memory");
  Builder builder;
  builder.parser = parser.get();
  builder.open.push_back(&builder.top);
  XML_SetUserData(parser.get(), &builder);
  XML_SetElementHandler(parser.get(), begin_element, end_element);
  XML_SetCharacterDataHandler(parser.get(), add_text);
  XML_SetStartDoctypeDeclHandler(parser.get(), refuse_doctype);

  // in pieces, because a length is an int
  constexpr std::size_t kPiece = 1u << 24;
  XML_Status status = XML_STATUS_OK;
  for (std::size_t at = 0; status == XML_STATUS_OK && (at < text.size() || at == 0); at += kPiece) {
    const std::string_view piece = text.substr(at, kPiece);
    status = XML_Parse(parser.get(), piece.data(), static_cast<int>(piece.size()), at + kPiece >= text.size());
  }
  if (status != XML_STATUS_OK) {
    const std::string why = builder.problem.empty() ? XML_ErrorString(XML_GetErrorCode(parser.get())) : builder.problem;
    return Error{ErrorCode::BadInput, "no XML that can be read: " + why, file,
                 static_cast<int>(XML_GetCurrentLineNumber(parser.get())),
                 static_cast<int>(XML_GetCurrentColumnNumber(parser.get())) + 1};
  }
  return std::move(builder.top.children.front());
}

}  // namespace filum::exchange
