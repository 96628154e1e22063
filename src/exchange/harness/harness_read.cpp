// Harness files: bytes, be they packed or not, and which of the formats they are.
#include "exchange/harness/harness_readers.hpp"

#include "io/file_read.hpp"
#include "io/yaml/yaml_scalar.hpp"

#include <zip.h>

#include <memory>

namespace filum::exchange {
namespace {

// What a package may unfold to: beyond it nobody drew it.
constexpr zip_uint64_t kMostUnpacked = 512u << 20;

bool is_harness_name(std::string_view name) {
  for (const std::string_view ending : {".vec", ".kbl", ".xml"})
    if (name.ends_with(ending)) return true;
  return false;
}

// The first harness file of a ZIP package.
Result<std::string> unpacked(const std::string& bytes, const std::string& file) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* opened = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (!opened) {
    if (source) zip_source_free(source);
    return file_error(file, "no ZIP package that can be read");
  }
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(opened, zip_discard);
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
    zip_stat_t about;
    if (zip_stat_index(archive.get(), static_cast<zip_uint64_t>(i), 0, &about) != 0) continue;
    if (!about.name || !is_harness_name(about.name)) continue;
    if (about.size > kMostUnpacked)
      return file_error(file, std::string(about.name) + " unpacks to more than 512 MB and is not read");
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> packed(
        zip_fopen_index(archive.get(), static_cast<zip_uint64_t>(i), 0), zip_fclose);
    std::string text(about.size, '\0');
    if (!packed || zip_fread(packed.get(), text.data(), about.size) != static_cast<zip_int64_t>(about.size))
      return file_error(file, std::string(about.name) + " in the package cannot be unpacked");
    return text;
  }
  return file_error(file, "the package holds no file .vec, .kbl or .xml");
}

// Every segment is as long as something that can be made.
Status check_lengths(const Harness& harness, const std::string& file) {
  constexpr double kLongest = 1e5;  // m
  for (const HarnessSegment& segment : harness.segments) {
    const auto refused = [&](const std::string& why) {
      return Error{ErrorCode::BadInput, "segment " + io::shown(segment.id) + why, file, segment.line, 0};
    };
    if (segment.start < 0 || segment.end < 0) continue;
    const auto given = segment.physical_length ? segment.physical_length : segment.virtual_length;
    if (given && *given > kLongest) return refused(" is longer than 100 km");
    Vec3 low = harness.nodes[static_cast<std::size_t>(segment.start)].position;
    Vec3 high = low;
    const auto reach = [&](const Vec3& p) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    };
    reach(harness.nodes[static_cast<std::size_t>(segment.end)].position);
    for (const HarnessCurve& curve : segment.curves)
      for (const Vec3& p : curve.points) reach(p);
    if ((high - low).norm() > kLongest) return refused(" reaches farther than 100 km");
    if (!((high - low).norm() > 0)) return refused(" has no length: its ends and its curve are one point");
  }
  return Done{};
}

}  // namespace

Result<Harness> parse_harness(std::string_view bytes, const std::string& file) {
  if (bytes.starts_with("PK\x03\x04")) {
    const Result<std::string> text = unpacked(std::string(bytes), file);
    if (!text) return text.error();
    if (text->starts_with("PK\x03\x04")) return file_error(file, "a ZIP package within a ZIP package");
    return parse_harness(*text, file);
  }
  const Result<XmlNode> root = parse_xml(bytes, file);
  if (!root) return root.error();
  try {
    const HarnessDocument document(*root, file);
    const bool kbl = root->name == "KBL_container" || root->name == "KBL_schema";
    if (!kbl && root->name != "VecContent")
      document.refuse(*root, "expected a KBL_container or a VecContent, found " + io::shown(root->name));
    Harness harness = kbl ? read_kbl(document) : read_vec(document);
    if (Status sane = check_lengths(harness, file); !sane) return sane.error();
    return harness;
  } catch (const Refused& refused) {
    return refused.error;
  }
}

Result<Harness> read_harness(const std::string& path) {
  const Result<std::string> bytes = io::read_text_file(path, io::kMaxResultBytes);
  if (!bytes) return bytes.error();
  return parse_harness(*bytes, path);
}

}  // namespace filum::exchange
