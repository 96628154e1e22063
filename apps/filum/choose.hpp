// Things of a list picked by their names, as arguments name them.
#pragma once

#include <filum/result.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace filum::app {

// In the order of `names`. A name that nothing has is refused with the list of all, each with its `remark`.
template <class Thing, class Remark>
Result<std::vector<const Thing*>> choose(const std::vector<Thing>& known, const std::vector<std::string>& names,
                                         const std::string& what, const Remark& remark) {
  std::vector<const Thing*> chosen;
  for (const std::string& name : names) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const Thing& each) { return each.name == name; });
    if (found == known.end()) {
      std::string list;
      for (const Thing& each : known) list += (list.empty() ? " " : ", ") + each.name + remark(each);
      return Error{ErrorCode::BadInput, "there is no " + what + " '" + name + "'; there are:" + list, ""};
    }
    chosen.push_back(&*found);
  }
  return chosen;
}

}  // namespace filum::app
