// The token of a server that was not ended but broke off: the next one on the same address takes it over, so that the pages of
// the first find in again. It lies in the folder of the journal, for the owner's eyes alone, and goes when a server ends.
#pragma once

#include <filesystem>
#include <string>

namespace filum::serve {

class KeptToken {
 public:
  // Without a folder nothing is kept, and every token is new.
  KeptToken(const std::filesystem::path& folder, const std::string& host, unsigned short port);
  // As it was left, or a new one that is now kept.
  [[nodiscard]] std::string take() const;
  void forget() const;

 private:
  std::filesystem::path file_;
};

}  // namespace filum::serve
