// result.json as text: docs/result-format.md says what each key means.
//
// Written by hand rather than through a JSON tree, because a long run holds millions of numbers: each goes straight
// into the text, shortest form that reads back to the same double. What JSON cannot say (NaN, infinity) becomes null.
#include <filum/result_file.hpp>
#include <filum/scene.hpp>
#include <filum/words.hpp>

#include "io/json_text.hpp"
#include "io/number_text.hpp"
#include "io/result/result_names.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace filum {
namespace {

using io::name_or;

void put(std::string& out, double value) {
  if (std::isfinite(value))
    io::put_number(out, value);
  else
    out += "null";
}

void put(std::string& out, const std::string& text) {
  out += io::json_text(text);
}

void put(std::string& out, bool value) {
  out += value ? "true" : "false";
}

template <class Vector>
void put(std::string& out, const Eigen::MatrixBase<Vector>& vector) {
  out += '[';
  for (int i = 0; i < vector.size(); ++i) {
    if (i > 0) out += ", ";
    put(out, vector[i]);
  }
  out += ']';
}

void put(std::string& out, const Quat& q) {
  put(out, Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
}

template <class T>
void put(std::string& out, const std::vector<T>& list) {
  out += '[';
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ", ";
    put(out, list[i]);
  }
  out += ']';
}

// `"name": value` with what stands before it: a comma and a new line, or nothing for the first of an object.
template <class T>
void field(std::string& out, const char* before, const char* name, const T& value) {
  out += before;
  out += '"';
  out += name;
  out += "\": ";
  put(out, value);
}

// An object with one named entry per thing, each entry written by `entry(index)`.
template <class Entry>
void named(std::string& out, const std::vector<std::string>& names, size_t count, const char* kind, const char* indent,
           Entry entry) {
  out += '{';
  for (size_t i = 0; i < count; ++i) {
    out += i == 0 ? "\n" : ",\n";
    out += indent;
    put(out, name_or(names, i, kind));
    out += ": ";
    entry(i);
  }
  out += '}';
}

void put_outline(std::string& out, const std::vector<Vec2>& outline) {
  // a rod of one section says it once
  bool constant = !outline.empty();
  for (const Vec2& o : outline) constant = constant && o == outline.front();
  if (constant) {
    field(out, ",\n       ", "outline", outline.front());
  } else {
    field(out, ",\n       ", "outline", outline);
  }
}

void put_rod(std::string& out, const RodPose& rod) {
  const char* next = ",\n       ";
  field(out, "{", "s", rod.s);
  field(out, next, "positions", rod.position);
  field(out, next, "frames", rod.frame);
  field(out, next, "curvature", rod.curvature);
  field(out, next, "twist", rod.twist);
  field(out, next, "axial_force", rod.axial_force);
  field(out, next, "moment", rod.moment);
  if (!rod.velocity.empty()) field(out, next, "velocity", rod.velocity);
  if (!rod.plastic.empty()) field(out, next, "plastic", rod.plastic);
  if (!rod.yield.empty()) field(out, next, "yield", rod.yield);
  put_outline(out, rod.outline);
  field(out, next, "closed", rod.closed);
  field(out, next, "length", rod.length);
  field(out, ", ", "turns", rod.turns);
  field(out, ", ", "writhe", rod.writhe);
  out += ",\n       \"min_bend_radius\": ";
  field(out, "{", "value", rod.min_bend_radius.value);
  field(out, ", ", "s", rod.min_bend_radius.s);
  out += '}';
  if (rod.peak_tension.value > 0) {
    field(out, ",\n       \"peak_tension\": {", "value", rod.peak_tension.value);
    field(out, ", ", "s", rod.peak_tension.s);
    out += '}';
  }
  out += '}';
}

void put_body(std::string& out, const BodyPose& body) {
  field(out, "{", "position", body.position);
  field(out, ", ", "orientation", body.orientation);
  field(out, ", ", "velocity", body.velocity);
  field(out, ", ", "spin", body.spin);
  out += '}';
}

void put_hold(std::string& out, const HoldPose& hold) {
  field(out, "{", "force", hold.force);
  field(out, ", ", "moment", hold.moment);
  field(out, ", ", "position", hold.position);
  field(out, ", ", "s", hold.s);
  field(out, ", ", "popped", hold.popped);
  out += '}';
}

void put_rope(std::string& out, const RopePose& rope) {
  field(out, "{", "path", rope.path);
  field(out, ", ", "tension", rope.tension);
  field(out, ", ", "length", rope.length);
  field(out, ", ", "broken", rope.broken);
  if (rope.peak_tension > 0) field(out, ", ", "peak_tension", rope.peak_tension);
  out += '}';
}

void put_winch(std::string& out, const WinchPose& winch) {
  field(out, "{", "force", winch.force);
  field(out, ", ", "torque", winch.torque);
  field(out, ", ", "paid_out", winch.paid_out);
  field(out, ", ", "speed", winch.speed);
  out += '}';
}

void put_sheave(std::string& out, const SheavePose& sheave) {
  field(out, "{", "tension_before", sheave.tension_before);
  field(out, ", ", "tension_after", sheave.tension_after);
  field(out, ", ", "angle", sheave.angle);
  field(out, ", ", "slip", sheave.slip);
  out += '}';
}

// Only where the scene has any.
void put_reeving(std::string& out, const Pose& pose, const ResultNames& names) {
  const auto part = [&](const char* key, const std::vector<std::string>& list, const char* kind, const auto& things,
                        const auto& entry) {
    if (things.empty()) return;
    out += std::string(",\n   \"") + key + "\": ";
    named(out, list, things.size(), kind, "     ", [&](size_t i) { entry(out, things[i]); });
  };
  part("ropes", names.ropes, "rope", pose.ropes, put_rope);
  part("winches", names.winches, "winch", pose.winches, put_winch);
  part("sheaves", names.sheaves, "sheave", pose.sheaves, put_sheave);
}

void put_contact_side(std::string& out, const ContactSide& side, const ResultNames& names) {
  if (side.body >= 0) {
    field(out, "{", "body", name_or(names.bodies, static_cast<size_t>(side.body), "body"));
  } else if (side.rod < 0) {
    field(out, "{", "obstacle", name_or(names.obstacles, static_cast<size_t>(side.obstacle), "obstacle"));
  } else {
    field(out, "{", "rod", name_or(names.rods, static_cast<size_t>(side.rod), "rod"));
    field(out, ", ", "s", side.s);
  }
  out += '}';
}

void put_contacts(std::string& out, const std::vector<ContactPose>& contacts, const ResultNames& names) {
  out += '[';
  for (size_t i = 0; i < contacts.size(); ++i) {
    const ContactPose& contact = contacts[i];
    out += i == 0 ? "\n     {\"a\": " : ",\n     {\"a\": ";
    put_contact_side(out, contact.a, names);
    out += ", \"b\": ";
    put_contact_side(out, contact.b, names);
    field(out, ", ", "position", contact.position);
    field(out, ", ", "normal", contact.normal);
    field(out, ", ", "force", contact.force);
    field(out, ", ", "gap", contact.gap);
    field(out, ", ", "slip", contact.slip);
    field(out, ", ", "stick", contact.stick);
    field(out, ", ", "chafing", contact.chafing);
    out += '}';
  }
  out += ']';
}

void put_energy(std::string& out, const Energy& energy) {
  field(out, "{", "elastic", energy.elastic);
  field(out, ", ", "gravity", energy.gravity);
  field(out, ", ", "kinetic", energy.kinetic);
  field(out, ", ", "work", energy.work);
  field(out, ", ", "dissipated", energy.dissipated);
  field(out, ", ", "drained", energy.drained);
  out += '}';
}

void put_solve(std::string& out, const SolveReport& solve) {
  field(out, " \"solve\": {", "converged", solve.converged);
  out += ", \"stable\": ";
  out += solve.stable ? (*solve.stable ? "true" : "false") : "null";
  if (!solve.why.empty()) field(out, ", ", "why", solve.why);
  out += ", \"iterations\": " + std::to_string(solve.iterations);
  field(out, ", ", "residual", solve.residual);
  field(out, ", ", "floor", solve.floor);
  field(out, ", ", "seconds", solve.seconds);
  out += ", \"leaps\": " + std::to_string(solve.leaps);
  out += ", \"load_steps\": " + std::to_string(solve.load_steps);
  field(out, ", ", "nudged", solve.nudged);
  if (!solve.begun_from.empty()) field(out, ", ", "begun_from", solve.begun_from);
  out += "},\n";
}

void put_run(std::string& out, const RunReport& run, const std::string& id) {
  const auto count = [&](const char* name, long value) {
    out += std::string(", \"") + name + "\": " + std::to_string(value);
  };
  field(out, " \"run\": {", "completed", run.completed);
  if (!id.empty()) field(out, ", ", "id", id);
  if (!run.why.empty()) field(out, ", ", "why", run.why);
  field(out, ", ", "start", run.start);
  field(out, ", ", "end", run.end);
  count("steps", run.steps);
  count("failed_steps", run.failed_steps);
  count("halvings", run.halvings);
  count("rejected_steps", run.rejected_steps);
  count("unconverged_steps", run.unconverged_steps);
  count("iterations", run.iterations);
  field(out, ", ", "smallest_step", run.smallest_step);
  field(out, ", ", "largest_step", run.largest_step);
  field(out, ",\n  ", "max_energy_error", run.max_energy_error);
  field(out, ", ", "energy_scale", run.energy_scale);
  field(out, ", ", "neglected_strain", run.neglected_strain);
  field(out, ", ", "residual_left", run.residual_left);
  field(out, ", ", "seconds", run.seconds);
  out += "},\n";
}

void put_state(std::string& out, const Snapshot& state, const ResultNames& names) {
  const Pose& pose = state.pose;
  field(out, "  {", "t", state.t);
  out += ",\n   \"rods\": ";
  named(out, names.rods, pose.rods.size(), "rod", "     ", [&](size_t i) { put_rod(out, pose.rods[i]); });
  out += ",\n   \"bodies\": ";
  named(out, names.bodies, pose.bodies.size(), "body", "     ", [&](size_t i) { put_body(out, pose.bodies[i]); });
  out += ",\n   \"holds\": ";
  named(out, names.holds, pose.holds.size(), "hold", "     ", [&](size_t i) { put_hold(out, pose.holds[i]); });
  put_reeving(out, pose, names);
  out += ",\n   \"contacts\": ";
  put_contacts(out, pose.contacts, names);
  out += ",\n   \"energy\": ";
  put_energy(out, pose.energy);
  out += '}';
}

void put_checks(std::string& out, const std::vector<Check>& checks) {
  out += " \"checks\": [";
  for (size_t i = 0; i < checks.size(); ++i) {
    const Check& check = checks[i];
    field(out, i == 0 ? "\n  {" : ",\n  {", "name", std::string(words(check.kind)));
    field(out, ", ", "object", words(check.object));
    field(out, ", ", "value", check.value);
    field(out, ", ", "limit", check.limit);
    field(out, ", ", "s", check.s);
    field(out, ", ", "t", check.t);
    if (check.other)
      field(out, ", ", check.kind == CheckKind::InsideBendRadius ? "centre_line" : "inside", *check.other);
    field(out, ", ", "violated", check.violated);
    if (check.near.kind != ObjectKind::None) {
      field(out, ", ", "near", words(check.near));
      field(out, ", ", "near_s", check.near_s);
    }
    out += '}';
  }
  out += "],\n";
}

void put_events(std::string& out, const std::vector<Event>& events) {
  out += " \"events\": [";
  for (size_t i = 0; i < events.size(); ++i) {
    field(out, i == 0 ? "\n  {" : ",\n  {", "t", events[i].t);
    field(out, ", ", "what", words(events[i]));
    out += '}';
  }
  out += "],\n";
}

void put_lengths(std::string& out, const std::vector<FoundLength>& lengths) {
  if (lengths.empty()) return;
  out += " \"lengths\": [";
  for (size_t i = 0; i < lengths.size(); ++i) {
    const FoundLength& length = lengths[i];
    field(out, i == 0 ? "\n  {" : ",\n  {", "rod", length.rod);
    field(out, ", ", "from", words(length.from));
    field(out, ", ", "to", words(length.to));
    field(out, ", ", "length", length.length);
    field(out, ", ", "added", length.added);
    field(out, ", ", "force", length.force);
    field(out, ", ", "pull", length.pull);
    field(out, ", ", "verdict", std::string(words(length.verdict)));
    out += '}';
  }
  out += "],\n";
}

void put_shortages(std::string& out, const std::vector<Shortage>& shortages) {
  if (shortages.empty()) return;
  out += " \"shortages\": [";
  for (size_t i = 0; i < shortages.size(); ++i) {
    const Shortage& shortage = shortages[i];
    field(out, i == 0 ? "\n  {" : ",\n  {", "rod", shortage.rod);
    field(out, ", ", "from", words(shortage.from));
    field(out, ", ", "to", words(shortage.to));
    field(out, ", ", "missing", shortage.missing);
    field(out, ", ", "t", shortage.t);
    field(out, ", ", "stopped", shortage.stopped);
    field(out, ", ", "tension", shortage.tension);
    field(out, ", ", "limit", shortage.limit);
    out += '}';
  }
  out += "],\n";
}

// One array over the rows of the history; `value(row)` picks its entry.
template <class Value>
void put_column(std::string& out, const std::vector<HistoryRow>& rows, Value value) {
  out += '[';
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) out += ", ";
    put(out, value(rows[i]));
  }
  out += ']';
}

// The entry of a list that may be short: a row then says so by nulls.
Vec3 entry_or_nan(const std::vector<Vec3>& list, size_t i) {
  return i < list.size() ? list[i] : Vec3::Constant(std::nan(""));
}

// Where the turns of each rod's ends went.
void put_balance(std::string& out, const std::vector<HistoryRow>& rows, const ResultNames& names) {
  out += ",\n  \"balance\": ";
  named(out, names.rods, names.rods.size(), "rod", "   ", [&](size_t i) {
    const auto part = [&](const char* before, const char* name, auto value) {
      out += std::string(before) + "\"" + name + "\": ";
      put_column(out, rows, [&](const HistoryRow& row) {
        return i < row.balance.size() ? static_cast<double>(value(row.balance[i])) : std::nan("");
      });
    };
    part("{", "turns", [](const TurnBalance& b) { return b.turns; });
    part(", ", "twist", [](const TurnBalance& b) { return b.twist; });
    part(", ", "writhe", [](const TurnBalance& b) { return b.writhe; });
    part(", ", "crossings", [](const TurnBalance& b) { return b.crossings; });
    part(", ", "remainder", [](const TurnBalance& b) { return b.remainder; });
    out += '}';
  });
}

// Of each entry of `lengths`.
void put_found_lengths(std::string& out, const std::vector<HistoryRow>& rows) {
  out += ",\n  \"lengths\": [";
  for (size_t i = 0; i < rows.front().found_length.size(); ++i) {
    if (i > 0) out += ", ";
    put_column(out, rows,
               [i](const HistoryRow& row) { return i < row.found_length.size() ? row.found_length[i] : std::nan(""); });
  }
  out += ']';
}

// One list of numbers per named thing, each under `quantity`.
void put_numbers(std::string& out, const char* key, const char* quantity, const std::vector<std::string>& names,
                 const std::vector<HistoryRow>& rows, std::vector<double> HistoryRow::*list) {
  if (rows.empty() || (rows.front().*list).empty()) return;
  out += std::string(",\n  \"") + key + "\": ";
  named(out, names, names.size(), key, "   ", [&](size_t i) {
    out += std::string("{\"") + quantity + "\": ";
    put_column(out, rows,
               [&](const HistoryRow& row) { return i < (row.*list).size() ? (row.*list)[i] : std::nan(""); });
    out += '}';
  });
}

void put_sheaves(std::string& out, const std::vector<HistoryRow>& rows, const ResultNames& names) {
  const auto entry = [](const std::vector<double>& list, size_t i) { return i < list.size() ? list[i] : std::nan(""); };
  out += ",\n  \"sheaves\": ";
  named(out, names.sheaves, names.sheaves.size(), "sheave", "   ", [&](size_t i) {
    out += "{\"tension_before\": ";
    put_column(out, rows, [&](const HistoryRow& row) { return entry(row.sheave_before, i); });
    out += ", \"tension_after\": ";
    put_column(out, rows, [&](const HistoryRow& row) { return entry(row.sheave_after, i); });
    out += '}';
  });
}

void put_history(std::string& out, const std::vector<HistoryRow>& rows, const ResultNames& names) {
  out += " \"history\": {\"t\": ";
  put_column(out, rows, [](const HistoryRow& row) { return row.t; });
  out += ",\n  \"energy\": {\"elastic\": ";
  put_column(out, rows, [](const HistoryRow& row) { return row.energy.elastic; });
  out += ",\n   \"gravity\": ";
  put_column(out, rows, [](const HistoryRow& row) { return row.energy.gravity; });
  out += ",\n   \"kinetic\": ";
  put_column(out, rows, [](const HistoryRow& row) { return row.energy.kinetic; });
  out += ",\n   \"work\": ";
  put_column(out, rows, [](const HistoryRow& row) { return row.energy.work; });
  out += ",\n   \"dissipated\": ";
  put_column(out, rows, [](const HistoryRow& row) { return row.energy.dissipated; });
  out += ",\n   \"drained\": ";
  put_column(out, rows, [](const HistoryRow& row) { return row.energy.drained; });
  out += "},\n  \"holds\": ";
  named(out, names.holds, names.holds.size(), "hold", "   ", [&](size_t i) {
    out += "{\"force\": ";
    put_column(out, rows, [i](const HistoryRow& row) { return entry_or_nan(row.hold_force, i); });
    out += ", \"moment\": ";
    put_column(out, rows, [i](const HistoryRow& row) { return entry_or_nan(row.hold_moment, i); });
    out += '}';
  });
  out += ",\n  \"probes\": ";
  named(out, names.probes, names.probes.size(), "probe", "   ",
        [&](size_t i) { put_column(out, rows, [i](const HistoryRow& row) { return entry_or_nan(row.probe, i); }); });
  // only a run has them
  if (!rows.empty() && !rows.front().probe_velocity.empty()) {
    out += ",\n  \"probe_velocity\": ";
    named(out, names.probes, names.probes.size(), "probe", "   ", [&](size_t i) {
      put_column(out, rows, [i](const HistoryRow& row) { return entry_or_nan(row.probe_velocity, i); });
    });
  }
  if (!rows.empty() && !rows.front().turns.empty()) {
    out += ",\n  \"turns\": ";
    named(out, names.rods, names.rods.size(), "rod", "   ", [&](size_t i) {
      put_column(out, rows, [i](const HistoryRow& row) { return i < row.turns.size() ? row.turns[i] : std::nan(""); });
    });
  }
  if (!rows.empty() && !rows.front().balance.empty()) put_balance(out, rows, names);
  if (!rows.empty() && !rows.front().found_length.empty()) put_found_lengths(out, rows);
  put_numbers(out, "ropes", "tension", names.ropes, rows, &HistoryRow::rope_tension);
  put_numbers(out, "winches", "force", names.winches, rows, &HistoryRow::winch_force);
  if (!rows.empty() && !rows.front().sheave_before.empty()) put_sheaves(out, rows, names);
  out += '}';
}

}  // namespace

std::string result_json(const Scene& scene, const std::string& scene_file, const Outcome& outcome,
                        const std::string& id) {
  const ResultNames names = io::names_of(scene, outcome);
  std::string out = "{\"filum\": 1";
  field(out, ", ", "title", scene.title);
  field(out, ", ", "scene", scene_file);
  out += ",\n";
  put_solve(out, outcome.solve);
  if (outcome.run) put_run(out, *outcome.run, id);
  if (!names.obstacles.empty()) {
    field(out, " ", "obstacles", names.obstacles);
    out += ",\n";
  }
  out += " \"states\": [\n";
  for (size_t i = 0; i < outcome.states.size(); ++i) {
    if (i > 0) out += ",\n";
    put_state(out, outcome.states[i], names);
  }
  out += "],\n";
  put_checks(out, outcome.checks);
  put_events(out, outcome.events);
  put_lengths(out, outcome.lengths);
  put_shortages(out, outcome.shortages);
  put_history(out, outcome.history, names);
  out += "}\n";
  return out;
}

}  // namespace filum
