// result.json and the tables of a channel: docs/channel-format.md says what each key means.
#include "io/channel/channel_files.hpp"
#include "io/json_text.hpp"
#include "io/yaml/units.hpp"

#include <nlohmann/json.hpp>

namespace filum::io {
namespace {

using Json = nlohmann::ordered_json;

template <class Vector>
Json vector_json(const Vector& v) {
  Json out = Json::array();
  for (int i = 0; i < v.size(); ++i) out.push_back(v[i]);
  return out;
}

template <class List>
Json list_json(const List& list) {
  Json out = Json::array();
  for (const auto& v : list) out.push_back(vector_json(v));
  return out;
}

Json contacts_json(const std::vector<WallContact>& contacts) {
  Json out = Json::array();
  for (const WallContact& contact : contacts)
    out.push_back({{"s", contact.s},
                   {"along", contact.along},
                   {"side", contact.left ? "left" : "right"},
                   {"point", vector_json(contact.point)},
                   {"force", vector_json(contact.force)},
                   {"magnitude", contact.normal},
                   {"friction", contact.friction}});
  return out;
}

Json state_json(const ChannelState& state) {
  Json out = {{"converged", state.converged}, {"stable", state.stable}};
  if (!state.why.empty()) out["why"] = state.why;
  out["energy"] = state.energy;
  out["bending_energy"] = state.bending;
  if (state.wall_energy > 0) out["wall_energy"] = state.wall_energy;
  out["U"] = state.dimensionless;
  out["s"] = state.s;
  out["positions"] = list_json(state.positions);
  out["angles"] = state.angles;
  out["moments"] = state.moments;
  out["contacts"] = contacts_json(state.contacts);
  out["end_force"] = vector_json(state.end_force);
  out["push_force"] = state.push_force;
  out["insertion_force"] = state.insertion_force;
  out["feed_force"] = state.feed_force;
  out["clamp"] = {{"force", vector_json(state.clamp_force)}, {"moment", state.clamp_moment}};
  out["tip"] = {{"along", state.tip_along}, {"offset", state.tip_offset}};
  out["breach"] = state.breach;
  out["link_breach"] = state.link_breach;
  if (state.indentation > 0) out["indentation"] = state.indentation;
  out["kkt_residual"] = state.kkt;
  out["balance_residual"] = state.balance;
  out["iterations"] = state.iterations;
  Json& steps = out["refinement"] = Json::array();
  for (const ChannelRefinement& step : state.refinement)
    steps.push_back({{"what", step.what}, {"spacing", step.spacing}, {"energy", step.energy}, {"breach", step.breach}});
  return out;
}

Json tube_shape_json(const TubeShape& shape) {
  Json contacts = Json::array();
  for (const TubeContact& contact : shape.contacts)
    contacts.push_back({{"s", contact.s},
                        {"along", contact.along},
                        {"point", vector_json(contact.point)},
                        {"force", vector_json(contact.force)},
                        {"magnitude", contact.normal},
                        {"friction", contact.friction}});
  Json out = {
      {"converged", shape.converged},
      {"stable", shape.stable},
      {"energy", shape.energy},
      {"bending_energy", shape.bending},
      {"U", shape.dimensionless},
      {"planar", shape.planar},
      {"positions", list_json(shape.positions)},
      {"contacts", contacts},
      {"clamp", {{"force", vector_json(shape.clamp_force)}}},
      {"insertion_force", shape.insertion_force},
      {"tip", {{"along", shape.tip_along}, {"force", vector_json(shape.end_force)}, {"push_force", shape.push_force}}}};
  if (shape.torque != 0) {
    out["twist"] = shape.twist;
    out["torque"] = shape.torque;
    out["twist_energy"] = shape.twist_energy;
  }
  if (shape.wall_energy > 0) {
    out["wall_energy"] = shape.wall_energy;
    out["indentation"] = shape.indentation;
  }
  out["breach"] = shape.breach;
  out["kkt_residual"] = shape.kkt;
  out["balance_residual"] = shape.balance;
  out["iterations"] = shape.iterations;
  return out;
}

Json load_json(const ChannelLoad& load) {
  if (load.push) return {{"push", *load.push}};
  if (load.insert) return {{"insert", *load.insert}, {"resist", load.resist}};
  return {{"force", vector_json(load.force)}};
}

Json load_json(const TubeLoad& load) {
  Json out = load.push ? Json{{"push", *load.push}} : Json{{"force", vector_json(load.force)}};
  if (load.turn) out["turn"] = *load.turn;
  return out;
}

// What a step of a path has beside its shape.
template <class Step>
Json step_json(const Step& step, bool rubs) {
  Json item = {{"load", load_json(step.load)}, {"snapped", step.snapped}};
  if (step.snapped) {
    item["snap_share"] = step.snap_share;
    item["snap_release"] = step.snap_release;
    Json& snaps = item["snaps"] = Json::array();
    for (const auto& snap : step.snaps)
      snaps.push_back({{"load", load_json(snap.load)}, {"within", snap.within}, {"release", snap.release}});
  }
  item["work"] = step.work;
  if (rubs) item["friction_heat"] = step.heat;
  return item;
}

std::string lines_of(const char* key, const std::vector<Json>& items) {
  std::string out = std::string("\"") + key + "\": [";
  for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "\n " : ",\n ") + ordered_json_text(items[i]);
  return out + "]";
}

std::string head(const std::string& title, const std::string& file) {
  return "{\"filum\": 1, \"title\": " + ordered_json_text(title) + ", \"channel\": " + ordered_json_text(file) + ",\n";
}

std::string whole(const Json& solve, const Json& search, const Json& load, const std::vector<Json>& shapes,
                  const std::vector<Json>& path) {
  std::string out = "\"solve\": " + ordered_json_text(solve) + ",\n\"search\": " + ordered_json_text(search);
  out += ",\n\"load\": " + ordered_json_text(load) + ",\n" + lines_of("shapes", shapes);
  if (!path.empty()) out += ",\n" + lines_of("path", path);
  return out + "}\n";
}

}  // namespace

std::string channel_json(const ChannelProblem& problem, const std::string& file, const ChannelOutcome& outcome) {
  Json solve = {{"converged", outcome.converged}};
  if (!outcome.why.empty()) solve["why"] = outcome.why;
  solve["seconds"] = outcome.seconds;
  const ChannelCost& cost = outcome.cost;
  const bool in_sections = problem.search.method == ChannelMethod::Sections;
  const ChannelCatalogue& catalogue = outcome.catalogue;
  Json search = {{"method", in_sections ? "sections" : "lattice"},
                       {"links", cost.links},
                       {"levels", cost.levels},
                       {in_sections ? "sections" : "stations", cost.stations},
                       {"states", cost.states},
                       {"visited", cost.visited},
                       {"bytes", cost.bytes}};
  if (catalogue.links > 0)
    search["catalogue"] = {{"links", catalogue.links},
                           {"levels", catalogue.levels},
                           {"chains", catalogue.chains},
                           {"starts", catalogue.starts},
                           {"rested", catalogue.rested},
                           {"met_once", catalogue.met_once},
                           {"complete", catalogue.complete}};
  std::vector<Json> shapes, path;
  for (const ChannelState& state : outcome.shapes) shapes.push_back(state_json(state));
  for (const ChannelStep& step : outcome.path) {
    Json item = step_json(step, problem.channel.friction > 0);
    item.update(state_json(step.state));
    path.push_back(std::move(item));
  }
  return head(problem.title, file) + whole(solve, search, load_json(problem.loads.front()), shapes, path);
}

std::string tube_json(const TubeProblem& problem, const std::string& file, const TubeOutcome& outcome) {
  Json solve = {{"converged", outcome.found}};
  if (!outcome.why.empty()) solve["why"] = outcome.why;
  solve["seconds"] = outcome.seconds;
  Json rings = Json::array();
  for (const TubeRings& each : outcome.rings)
    rings.push_back({{"rings", each.rings}, {"lattice_energy", each.lattice}, {"energy", each.energy}});
  const Json search = {{"links", problem.links},      {"rings", rings},
                       {"settled", outcome.settled},  {"states", outcome.states},
                       {"visited", outcome.visited},  {"pruned", outcome.pruned}};
  std::vector<Json> shapes, path;
  for (const TubeShape& shape : outcome.shapes) shapes.push_back(tube_shape_json(shape));
  for (const TubeStep& step : outcome.path) {
    Json item = step_json(step, problem.friction > 0);
    item.update(tube_shape_json(step.state));
    path.push_back(std::move(item));
  }
  return head(problem.title, file) + whole(solve, search, load_json(problem.loads.front()), shapes, path);
}

std::string shapes_csv(const ChannelOutcome& outcome) {
  std::string out = "shape,node,s,x,y,angle,wall,force_x,force_y\n";
  for (std::size_t k = 0; k < outcome.shapes.size(); ++k) {
    const ChannelState& state = outcome.shapes[k];
    auto contact = state.contacts.begin();
    for (std::size_t i = 0; i < state.positions.size(); ++i) {
      out += std::to_string(k + 1) + "," + std::to_string(i) + "," + number_text(state.s[i]) + "," +
             number_text(state.positions[i][0]) + "," + number_text(state.positions[i][1]) + ",";
      // the angle of the link that follows
      if (i < state.angles.size()) out += number_text(state.angles[i]);
      if (contact != state.contacts.end() && contact->node == static_cast<int>(i)) {
        out += contact->left ? ",left," : ",right,";
        out += number_text(contact->force[0]) + "," + number_text(contact->force[1]) + "\n";
        ++contact;
      } else {
        out += ",,,\n";
      }
    }
  }
  return out;
}

std::string path_csv(const ChannelOutcome& outcome) {
  std::string out = "step,push,insert,force_x,force_y,energy,push_force,insertion_force,feed_force,tip_along,tip_offset,contacts,work,heat,converged,"
                    "snapped\n";
  for (std::size_t i = 0; i < outcome.path.size(); ++i) {
    const ChannelStep& step = outcome.path[i];
    out += std::to_string(i) + "," + (step.load.push ? number_text(*step.load.push) : "") + "," +
           (step.load.insert ? number_text(*step.load.insert) : "") + "," + number_text(step.state.end_force[0]) + "," + number_text(step.state.end_force[1]) + "," +
           number_text(step.state.energy) + "," + number_text(step.state.push_force) + "," +
           number_text(step.state.insertion_force) + "," + number_text(step.state.feed_force) + "," +
           number_text(step.state.tip_along) + "," + number_text(step.state.tip_offset) + "," +
           std::to_string(step.state.contacts.size()) + "," + number_text(step.work) + "," + number_text(step.heat) +
           "," + (step.state.converged ? "1," : "0,") +
           (step.snapped ? "1\n" : "0\n");
  }
  return out;
}

std::string tube_csv(const TubeOutcome& outcome) {
  std::string out = "shape,node,x,y,z\n";
  for (std::size_t k = 0; k < outcome.shapes.size(); ++k)
    for (std::size_t i = 0; i < outcome.shapes[k].positions.size(); ++i) {
      const Vec3& p = outcome.shapes[k].positions[i];
      out += std::to_string(k + 1) + "," + std::to_string(i) + "," + number_text(p[0]) + "," + number_text(p[1]) + "," +
             number_text(p[2]) + "\n";
    }
  return out;
}

}  // namespace filum::io
