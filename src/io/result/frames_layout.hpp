// frames.bin, the recorded frames of a run: docs/result-format.md says what its bytes mean.
//
// Magic, version, a JSON header that names everything and lays out a frame, then one record after the other: its
// length, its bytes and, since version 2, their checksum (3: by words). The layout in the header is for whoever reads the file
// without this code.
#pragma once

#include <cstdint>
#include <string_view>

namespace filum::io {

inline constexpr std::string_view kFramesMagic = "FILUMFRM";
inline constexpr std::uint32_t kFramesVersion = 3;
inline constexpr std::uint32_t kFramesByBytes = 2;    // with checksums byte by byte; still read
inline constexpr std::uint32_t kFramesUnchecked = 1;  // without checksums; likewise

// The layout of a frame as the header tells it. `points` and `moving` are counts that stand in the frame itself, so
// they may differ from frame to frame.
inline constexpr const char* kFrameLayout = R"({
"frame": [["t", "f64", []], ["energy", "f64", [5]]],
"energy": ["elastic", "gravity", "kinetic", "work", "dissipated"],
"body": [["position", "f64", [3]], ["orientation", "f64", [4]], ["velocity", "f64", [3]], ["spin", "f64", [3]]],
"hold": [["force", "f64", [3]], ["moment", "f64", [3]], ["position", "f64", [3]], ["s", "f64", []], ["popped", "u32", []]],
"rod": [["points", "u32", []], ["moving", "u32", []], ["closed", "u32", []], ["length", "f64", []], ["turns", "f64", []],
 ["writhe", "f64", []], ["min_bend_radius", "f64", [2]], ["s", "f64", ["points"]], ["positions", "f64", ["points", 3]],
 ["frames", "f64", ["points", 4]], ["velocity", "f32", ["moving", 3]], ["curvature", "f32", ["points", 2]],
 ["twist", "f32", ["points"]], ["axial_force", "f32", ["points"]], ["moment", "f32", ["points", 3]],
 ["outline", "f32", ["points", 2]]]})";

// What comes behind the rods where a scene has ropes, winches or sheaves; other files are as they always were.
inline constexpr const char* kReevingLayout = R"({
"rope": [["points", "u32", []], ["parts", "u32", []], ["broken", "u32", []], ["length", "f64", []],
 ["path", "f64", ["points", 3]], ["tension", "f64", ["parts"]]],
"winch": [["force", "f64", []], ["torque", "f64", []], ["paid_out", "f64", []], ["speed", "f64", []]],
"sheave": [["tension_before", "f64", []], ["tension_after", "f64", []], ["angle", "f64", []], ["slip", "f64", []]]})";

// And behind those, where something may touch, the contacts: each an entry of every list. What the rod touches is the
// obstacle (`kind` 0), the rod (1) or the body (2) with this number in the header's names.
inline constexpr const char* kContactLayout = R"({
"contacts": [["count", "u32", []], ["rod", "u32", ["count"]], ["s", "f64", ["count"]], ["kind", "u32", ["count"]],
 ["other", "u32", ["count"]], ["other_s", "f64", ["count"]], ["stick", "u32", ["count"]], ["position", "f64", ["count", 3]],
 ["normal", "f64", ["count", 3]], ["force", "f64", ["count", 3]], ["slip", "f64", ["count", 3]], ["gap", "f64", ["count"]],
 ["chafing", "f64", ["count"]]]})";

}  // namespace filum::io
