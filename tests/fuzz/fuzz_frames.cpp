// frames.bin: every frame that is whole, none that is not.
#include "fuzz.hpp"

#include <filum/result_file.hpp>

using namespace filum;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  Result<FrameReader> reader = FrameReader::open(folder.put("frames.bin", fuzz::text_of(data, size)));
  if (!reader) return 0;
  Snapshot frame;
  for (Result<bool> got = true; got && *got;) got = reader->next(frame);
  return 0;
}
