#include "io/export/motion_lines.hpp"

#include "io/export/export_skin.hpp"
#include "io/export/line_names.hpp"

#include <algorithm>

namespace filum::io {
namespace {

class MotionBuilder {
 public:
  explicit MotionBuilder(const StoredResult& result) : result_(result) {}

  Status add(const Snapshot& snapshot) {
    // the start of a run is its first frame too
    if (!motion_.times.empty() && !(snapshot.t > motion_.times.back())) return Done{};
    const std::vector<RodPose> rods = rods_and_ropes(snapshot.pose);
    if (motion_.times.empty()) begin(rods, snapshot.pose.rods.size());
    motion_.times.push_back(snapshot.t);
    for (std::size_t i = 0; i < motion_.lines.size(); ++i) {
      MovingLine& line = motion_.lines[i];
      const std::size_t count = line.section.size();
      if (i >= rods.size() || rods[i].position.size() < count || rods[i].frame.size() < count ||
          rods[i].position.size() - count > 1)
        return bad_input("'" + line.name + "' changes its number of points at t = " + std::to_string(snapshot.t) +
                         " s: no animation can show that");
      std::vector<Vec3> positions(rods[i].position.begin(), rods[i].position.begin() + static_cast<long>(count));
      std::vector<Quat> frames(rods[i].frame.begin(), rods[i].frame.begin() + static_cast<long>(count));
      if (!std::all_of(positions.begin(), positions.end(), [](const Vec3& p) { return p.allFinite(); }))
        return bad_input("'" + line.name + "' is not finite at t = " + std::to_string(snapshot.t) + " s");
      if (!line.frames.empty())
        for (std::size_t k = 0; k < count; ++k)
          if (frames[k].dot(line.frames.back()[k]) < 0) frames[k].coeffs() = -frames[k].coeffs();
      line.positions.push_back(std::move(positions));
      line.frames.push_back(std::move(frames));
    }
    return Done{};
  }

  Motion finish() { return std::move(motion_); }

 private:
  void begin(const std::vector<RodPose>& rods, std::size_t own) {
    for (std::size_t i = 0; i < rods.size(); ++i) {
      const RodPose& rod = rods[i];
      MovingLine& line = motion_.lines.emplace_back();
      line.name = line_name(result_, own, i);
      line.closed = rod.closed;
      line.section = sections_along(result_, i, rod);
      line.piece = pieces_along(rod);
    }
  }

  const StoredResult& result_;
  Motion motion_;
};

}  // namespace

Result<Motion> motion_of(const StoredResult& result) {
  MotionBuilder builder(result);
  if (result.frames.empty()) {
    for (const Snapshot& state : result.outcome.states)
      if (const Status added = builder.add(state); !added) return added.error();
    return builder.finish();
  }
  auto frames = FrameReader::open(result.frames);
  if (!frames) return frames.error();
  Snapshot frame;
  while (true) {
    const auto more = frames->next(frame);
    if (!more) return more.error();
    if (!*more) return builder.finish();
    if (const Status added = builder.add(frame); !added) return added.error();
  }
}

}  // namespace filum::io
