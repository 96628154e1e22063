// filum examples: the example scenes and what each shows.
#include "command.hpp"
#include "example_scenes.hpp"
#include "table.hpp"
#include "terminal.hpp"

#include <sstream>

namespace filum::app {
namespace {

// The sentence of a scene: the comment it opens with, up to the first full stop.
std::string sentence_of(const std::string& text) {
  std::istringstream lines(text);
  std::string sentence;
  std::string line;
  while (std::getline(lines, line) && line.starts_with('#')) {
    const auto start = line.find_first_not_of("# \t\r");
    if (start == std::string::npos) continue;
    if (!sentence.empty()) sentence += ' ';
    sentence += line.substr(start);
    if (sentence.ends_with('.')) break;
  }
  return sentence;
}

int run_examples() {
  Table table({}, {Align::Left, Align::Left});
  for (const ExampleScene& scene : example_scenes()) table.add({bold(scene.name), sentence_of(scene.text)});
  return emit(table.text() + "\nfilum new NAME copies one here.\n", kDone);
}

}  // namespace

void add_examples(CommandLine& line) {
  line.add("examples", "List the example scenes").action(run_examples);
}

}  // namespace filum::app
