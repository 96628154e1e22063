#include "report/harness/harness_tables.hpp"

#include "report/report_units.hpp"

#include <filum/words.hpp>

namespace filum::io {
namespace {

std::string percent(double share) {
  return digits(100 * share, 3) + " %";
}
std::string length(double metres) {
  return with_unit(metres, Quantity::Length);
}
std::string stiffness_text(double value) {
  return digits(value, 3);
}

}  // namespace

Table segment_table(const HarnessReport& report) {
  Table table{{{"Segment", false},
               {"from", false},
               {"to", false},
               {"diameter"},
               {"source", false},
               {"drawn"},
               {"found"},
               {"adapted"},
               {"radius"},
               {"at s"},
               {"limit"},
               {"use"},
               {"tension"},
               {"twist, turns"}},
              {}};
  for (const SegmentRow& row : report.segments)
    table.rows.push_back({{row.rod, words(row.from), words(row.to), length(row.diameter), row.source, length(row.drawn),
                           length(row.found), length(row.adapted), length(row.radius), length(row.radius_s),
                           row.limit ? length(*row.limit) : "–", row.limit ? percent(row.use) : "–",
                           with_unit(row.tension, Quantity::Force), digits(row.turns, 3)},
                          row.use > 1});
  return table;
}

Table clip_table(const HarnessReport& report) {
  Table table{{{"Clip", false}, {"rod", false}, {"at s"}, {"along"}, {"across"}, {"moment"}, {"worst at t"}, {"use"}},
              {}};
  for (const ClipRow& row : report.clips)
    table.rows.push_back({{row.hold, row.rod, length(row.s), with_unit(row.along, Quantity::Force),
                           with_unit(row.across, Quantity::Force), with_unit(row.moment, Quantity::Moment),
                           with_unit(row.t, Quantity::Time), row.use > 0 ? percent(row.use) : "–"},
                          row.use > 1});
  return table;
}

Table wire_table(const HarnessReport& report) {
  Table table{{{"Wire", false}, {"along", false}, {"found"}, {"cut length"}}, {}};
  for (const WireRow& row : report.wires)
    table.rows.push_back({{row.wire, row.along, length(row.found), length(row.cut)}});
  return table;
}

Table gap_table(const HarnessReport& report) {
  Table table{
      {{"Cable", false}, {"at s"}, {"nearest", false}, {"at s"}, {"gap"}, {"limit"}, {"use"}, {"smallest at t"}}, {}};
  for (const GapRow& row : report.gaps)
    table.rows.push_back({{row.rod, length(row.s), row.other == row.rod ? "itself" : row.other, length(row.other_s),
                           length(row.gap), row.limit ? length(*row.limit) : "–",
                           !row.limit    ? "–"
                           : row.gap > 0 ? percent(row.use)
                                         : "touches",
                           with_unit(row.t, Quantity::Time)},
                          row.limit ? row.use > 1 : row.gap < 0});
  return table;
}

Table bundle_table(const HarnessReport& report) {
  Table table{{{"Bundle", false},
               {"wires"},
               {"diameter"},
               {"g/m"},
               {"EI slipping, N·m²"},
               {"EI taken, N·m²"},
               {"EI bonded, N·m²"},
               {"GJ slipping, N·m²"},
               {"GJ taken, N·m²"},
               {"GJ bonded, N·m²"}},
              {}};
  for (const auto& [section, facts] : report.bundles)
    table.rows.push_back(
        {{section, std::to_string(facts.wires), length(facts.diameter), digits(1e3 * facts.mass_per_length),
          stiffness_text(facts.slipping.EI), stiffness_text(facts.chosen.EI), stiffness_text(facts.bonded.EI),
          stiffness_text(facts.slipping.GJ), stiffness_text(facts.chosen.GJ), stiffness_text(facts.bonded.GJ)}});
  return table;
}

}  // namespace filum::io
