// filum new: a copy of an example scene to start from.
#include "command.hpp"
#include "example_scenes.hpp"
#include "io/file_write.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace filum::app {
namespace {

struct NewArguments {
  std::string name;
  std::string file;
};

int run_new(const NewArguments& arguments) {
  const auto& all = example_scenes();
  const auto scene =
      std::find_if(all.begin(), all.end(), [&](const ExampleScene& each) { return each.name == arguments.name; });
  if (scene == all.end()) return fail("there is no example '" + arguments.name + "'; `filum examples` lists them");

  // never over somebody's work
  const std::string file = arguments.file.empty() ? arguments.name + ".yaml" : arguments.file;
  std::error_code code;
  if (std::filesystem::exists(std::filesystem::symlink_status(file, code)))
    return fail(file + ": exists already and is left as it is");
  const auto written = io::write_files({{file, scene->text}});
  if (!written) return fail(written.error());
  return emit(file + "\n", kDone);
}

}  // namespace

void add_new(CommandLine& line) {
  const auto arguments = std::make_shared<NewArguments>();
  Command command = line.add("new", "Copy an example scene to start from");
  command.positional("NAME", arguments->name, "The example's name");
  command.option("-o,--output", arguments->file, "FILE", "File to write (default: NAME.yaml)");
  command.action([arguments] { return run_new(*arguments); });
}

}  // namespace filum::app
