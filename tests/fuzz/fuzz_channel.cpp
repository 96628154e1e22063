// Channel files.
#include "fuzz.hpp"

#include "io/channel/channel_files.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)filum::io::parse_channel(filum::fuzz::text_of(data, size), "fuzz");
  return 0;
}
