// Channel files in, channel results out. docs/channel-format.md describes both.
#pragma once

#include <filum/channel.hpp>
#include <filum/tube.hpp>

#include <string>
#include <string_view>
#include <variant>

namespace filum::io {

// A file describes a planar channel or a tube in space.
using ChannelFile = std::variant<ChannelProblem, TubeProblem>;

// Reads and checks a channel file. Every error names file, line and column.
Result<ChannelFile> read_channel(const std::string& path);
Result<ChannelFile> parse_channel(std::string_view text, const std::string& name);

// result.json as text.
std::string channel_json(const ChannelProblem& problem, const std::string& file, const ChannelOutcome& outcome);
std::string tube_json(const TubeProblem& problem, const std::string& file, const TubeOutcome& outcome);

// One line per node of every shape, and, of a load path, one line per load.
std::string shapes_csv(const ChannelOutcome& outcome);
std::string path_csv(const ChannelOutcome& outcome);
std::string tube_csv(const TubeOutcome& outcome);

// A self-contained page: the channel with its shapes, contact forces, energies, the insertion curve.
std::string channel_html(const ChannelProblem& problem, const ChannelOutcome& outcome);

// result.json, report.html, shapes.csv and path.csv in `folder`, which is made if needed. Of a tube result.json and
// shapes.csv.
Status write_channel(const ChannelProblem& problem, const std::string& file, const ChannelOutcome& outcome,
                     const std::string& folder);
Status write_tube(const TubeProblem& problem, const std::string& file, const TubeOutcome& outcome,
                  const std::string& folder);

}  // namespace filum::io
