// filum check: are the limits kept? Of a stored result, or of a scene, which is solved first.
#include "command.hpp"
#include "quantity.hpp"
#include "scene_arguments.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <filum/result_file.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace filum::app {
namespace {

struct CheckArguments {
  std::string subject;
  Overrides overrides;
};

// A folder or a .json file is a result; anything else is taken for a scene.
bool is_result(const std::string& path) {
  std::error_code code;
  return std::filesystem::is_directory(path, code) || std::filesystem::path(path).extension() == ".json";
}

Result<Outcome> outcome_of(const CheckArguments& arguments) {
  if (is_result(arguments.subject)) {
    auto stored = read_result(arguments.subject);
    if (!stored) return stored.error();
    if (stored->unfinished)
      return file_error(arguments.subject,
                        stored->notice + ", so no limit can be checked; filum run --continue goes on");
    if (!stored->notice.empty()) warn(stored->notice);
    return std::move(stored->outcome);
  }
  const auto scene = load_scene(arguments.subject, arguments.overrides);
  if (!scene) return scene.error();
  return solve_with_progress(*scene, {});
}

int run_check(const CheckArguments& arguments) {
  if (is_result(arguments.subject) && !arguments.overrides.settings.empty())
    return fail("--set changes a scene; '" + arguments.subject + "' is a result");
  const auto outcome = outcome_of(arguments);
  if (!outcome) return fail(outcome.error());

  // a state that is no equilibrium proves nothing
  if (!outcome->solve.converged) {
    warn("did not converge, so nothing was checked: " + outcome->solve.why);
    return kNotConverged;
  }
  if (outcome->run && !outcome->run->completed)
    warn("the run stopped at t = " + quantity(outcome->run->end, "s") + ": the limits are those until then");
  if (outcome->checks.empty())
    return emit("no limits are set, so none is violated; nothing passes through anything\n", kDone);
  const auto& checks = outcome->checks;
  const bool violated = std::any_of(checks.begin(), checks.end(), [](const Check& check) { return check.violated; });
  return emit(limits_table(checks, ""), violated ? kCheckFailed : kDone);
}

}  // namespace

void add_check(CommandLine& line) {
  const auto arguments = std::make_shared<CheckArguments>();
  Command command = line.add("check", "Check the limits of a result, or of a scene, which is solved first");
  command.positional("RESULT|SCENE", arguments->subject, "A result folder or a scene file");
  add_overrides(command, arguments->overrides);
  command.action([arguments] { return run_check(*arguments); });
}

}  // namespace filum::app
