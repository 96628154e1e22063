// XML as a tree of elements that know their lines.
//
// Names are local: a prefix before a colon is left out. A document type is refused before anything in it is read: no
// harness needs one, and entities that expand each other have filled many a memory.
#pragma once

#include <filum/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::exchange {

struct XmlNode {
  std::string name;  // without its prefix
  std::string id;    // the attribute `id`; empty: none
  std::string type;  // the attribute xsi:type, without its prefix
  std::string text;  // between its tags, blanks around it taken away
  std::vector<XmlNode> children;
  int line = 0;  // 1-based

  // The first child of that name, or null.
  [[nodiscard]] const XmlNode* child(std::string_view wanted) const;
};

// `file` stands in messages.
Result<XmlNode> parse_xml(std::string_view text, const std::string& file);

}  // namespace filum::exchange
