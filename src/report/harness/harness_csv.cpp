// The tables of a harness as CSV. First line: names with units. Comma and point; lengths in millimetres, as drawings have
// them.
#include "io/csv_text.hpp"
#include "io/number_text.hpp"
#include "report/harness/harness_report.hpp"

#include <filum/words.hpp>

#include <cmath>

namespace filum::io {
namespace {

void put_cell(std::string& out, const std::string& text) {
  out += csv_text(text) + ",";
}
void put_cell(std::string& out, double value) {
  if (std::isfinite(value)) put_number(out, value);
  out += ',';
}
void end_row(std::string& out) {
  out.back() = '\n';
}

}  // namespace

std::string segments_csv(const HarnessReport& report) {
  std::string out =
      "rod,from,to,diameter [mm],source,drawn [mm],found [mm],adapted [mm],smallest radius [mm],at s [mm],limit "
      "[mm],use [%],tension [N],twist [turns],t [s]\n";
  for (const SegmentRow& row : report.segments) {
    put_cell(out, row.rod);
    put_cell(out, words(row.from));
    put_cell(out, words(row.to));
    put_cell(out, 1e3 * row.diameter);
    put_cell(out, row.source);
    for (const double metres : {row.drawn, row.found, row.adapted, row.radius, row.radius_s})
      put_cell(out, 1e3 * metres);
    put_cell(out, row.limit ? 1e3 * *row.limit : std::nan(""));
    put_cell(out, row.limit ? 100 * row.use : std::nan(""));
    for (const double value : {row.tension, row.turns, row.t}) put_cell(out, value);
    end_row(out);
  }
  return out;
}

std::string clips_csv(const HarnessReport& report) {
  std::string out = "clip,rod,s [mm],along [N],across [N],moment [N.m],worst at t [s],use [%]\n";
  for (const ClipRow& row : report.clips) {
    put_cell(out, row.hold);
    put_cell(out, row.rod);
    for (const double value : {1e3 * row.s, row.along, row.across, row.moment, row.t}) put_cell(out, value);
    put_cell(out, row.use > 0 ? 100 * row.use : std::nan(""));
    end_row(out);
  }
  return out;
}

std::string wires_csv(const HarnessReport& report) {
  std::string out = "wire,along,found [mm],cut [mm]\n";
  for (const WireRow& row : report.wires) {
    put_cell(out, row.wire);
    put_cell(out, row.along);
    for (const double metres : {row.found, row.cut}) put_cell(out, 1e3 * metres);
    end_row(out);
  }
  return out;
}

std::string gaps_csv(const HarnessReport& report) {
  std::string out = "rod,s [mm],nearest,its s [mm],gap [mm],limit [mm],use [%],smallest at t [s]\n";
  for (const GapRow& row : report.gaps) {
    put_cell(out, row.rod);
    put_cell(out, 1e3 * row.s);
    put_cell(out, row.other);
    for (const double metres : {row.other_s, row.gap}) put_cell(out, 1e3 * metres);
    put_cell(out, row.limit ? 1e3 * *row.limit : std::nan(""));
    put_cell(out, row.limit ? 100 * row.use : std::nan(""));
    put_cell(out, row.t);
    end_row(out);
  }
  return out;
}

}  // namespace filum::io
