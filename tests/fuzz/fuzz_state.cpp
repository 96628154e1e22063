// state.bin and checkpoints: the file, with its own checksum and with the right one; the numbers in it, given to every
// formulation.
#include "fuzz.hpp"

#include "io/binary.hpp"

#include <filum/result_file.hpp>
#include <filum/scene_file.hpp>
#include <filum/session.hpp>
#include <filum/state_file.hpp>

#include <cstring>
#include <vector>

using namespace filum;

namespace {

constexpr int kMostLooks = 200;

Session session_of(const char* formulation) {
  const Result<Scene> scene = parse_scene(std::string(R"(filum: 1
sections: {w: {shape: given, EA: 1e5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.1, radius: 3 mm}}
rods: {c: {section: w, segments: 2, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}}
bodies: {b: {box: [0.1, 0.1, 0.1], mass: 1, position: [0.4, 0, 0], motion: free}}
holds: [{name: a, rod: c, at: start, fix: [position, orientation]}, {name: e, rod: c, at: end, fix: [position], body: b}]
simulation: {mode: dynamics, step: 0.01, end: 1, formulation: )") +
                                              formulation + "}\n",
                                          "fuzz");
  fuzz::demand(scene.ok());
  Result<Session> session = Session::begin(*scene);
  fuzz::demand(session.ok());
  return std::move(*session);
}

// A saved state whose numbers are changed: every eight bytes a place and every eight a number.
void load_changed(Session& session, const SavedState& own, std::string_view bytes) {
  SavedState changed = own;
  io::ByteReader in(bytes);
  while (in.left() >= 2 * sizeof(double)) {
    const auto place = in.take<std::uint64_t>();
    const auto value = in.take<double>();
    if (place % 7 == 6)
      changed.values.resize(place % (2 * own.values.size()), value);
    else if (!changed.values.empty())
      changed.values[place % changed.values.size()] = value;
  }
  (void)session.load(changed);
  // whatever was loaded: a step is taken or refused, or stopped where it would be split into millions
  int looks = 0;
  session.watch([&looks](double, const char*) { return ++looks < kMostLooks; });
  (void)session.step();
  session.watch({});
  (void)session.pose();
  fuzz::demand(session.load(own).ok());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const std::string_view bytes = fuzz::text_of(data, size);
  (void)read_state(folder.put("state.bin", bytes));
  std::string sealed(bytes.substr(0, size - std::min(size, sizeof(std::uint64_t))));
  io::put_bytes(sealed, io::checksum(sealed));
  (void)read_state(folder.put("state.bin", sealed));

  struct Loaded {
    explicit Loaded(const char* formulation) : session(session_of(formulation)), own(session.save()) {}
    Session session;
    SavedState own;
  };
  static std::vector<Loaded> sessions = [] {
    std::vector<Loaded> list;
    for (const char* formulation : {"kirchhoff", "cosserat", "chain"}) list.emplace_back(formulation);
    return list;
  }();
  if (size > 512) return 0;
  for (Loaded& each : sessions) load_changed(each.session, each.own, bytes);
  return 0;
}
