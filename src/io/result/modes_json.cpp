// modes.json as text: docs/result-format.md says what each key means.
#include <filum/result_file.hpp>
#include <filum/scene.hpp>

#include "io/json_text.hpp"

#include <nlohmann/json.hpp>

namespace filum {
namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const Vec3& v) {
  return Json::array({v[0], v[1], v[2]});
}

template <class List>
Json vectors_json(const List& list) {
  Json out = Json::array();
  for (const Vec3& v : list) out.push_back(vector_json(v));
  return out;
}

Json mode_json(const Scene& scene, const NaturalMode& mode, std::size_t number) {
  Json out;
  out["number"] = number;
  out["frequency"] = mode.frequency;
  out["eigenvalue"] = mode.eigenvalue;
  if (*mode.remark() != '\0') out["remark"] = mode.remark();
  Json& rods = out["rods"] = Json::object();
  for (std::size_t r = 0; r < mode.rods.size(); ++r)
    rods[scene.rods[r].name] = {{"displacement", vectors_json(mode.rods[r].displacement)}, {"turn", mode.rods[r].turn}};
  Json& bodies = out["bodies"] = Json::object();
  for (std::size_t b = 0; b < mode.body_displacement.size(); ++b)
    if (scene.bodies[b].motion == BodyMotion::Free)
      bodies[scene.bodies[b].name] = {{"displacement", vector_json(mode.body_displacement[b])},
                                      {"rotation", vector_json(mode.body_rotation[b])}};
  return out;
}

}  // namespace

std::string modes_json(const Scene& scene, const std::string& scene_file, const ModesOutcome& outcome) {
  const SolveReport& report = outcome.solve;
  Json solve = {{"converged", report.converged}};
  solve["stable"] = report.stable ? Json(*report.stable) : Json();
  if (!report.why.empty()) solve["why"] = report.why;
  solve["iterations"] = report.iterations;
  solve["residual"] = report.residual;
  solve["seconds"] = report.seconds;
  Json rods = Json::object();
  for (std::size_t r = 0; r < outcome.pose.rods.size(); ++r)
    rods[scene.rods[r].name] = {{"s", outcome.pose.rods[r].s},
                                {"positions", vectors_json(outcome.pose.rods[r].position)}};

  // a line for each mode: a person can still find the numbers
  std::string out = "{\"filum\": 1, \"title\": " + io::ordered_json_text(scene.title) +
                    ", \"scene\": " + io::ordered_json_text(scene_file) + ",\n";
  out += " \"solve\": " + io::ordered_json_text(solve) + ",\n \"rods\": " + io::ordered_json_text(rods) +
         ",\n \"modes\": [";
  for (std::size_t k = 0; k < outcome.modes.size(); ++k)
    out += (k == 0 ? "\n  " : ",\n  ") + io::ordered_json_text(mode_json(scene, outcome.modes[k], k + 1));
  return out + "]}\n";
}

}  // namespace filum
