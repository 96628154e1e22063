// The harness report as tables for people.
#pragma once

#include "report/harness/harness_report.hpp"
#include "report/html/html_text.hpp"

namespace filum::io {

Table segment_table(const HarnessReport& report);
Table clip_table(const HarnessReport& report);
Table wire_table(const HarnessReport& report);
Table gap_table(const HarnessReport& report);
Table bundle_table(const HarnessReport& report);

}  // namespace filum::io
