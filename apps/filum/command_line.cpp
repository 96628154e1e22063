#include "command.hpp"
#include "notice.hpp"
#include "terminal.hpp"

#include <filum/version.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <sstream>

namespace filum::app {
namespace {

// What is wrong with a value, as CLI11 asks for it: an empty text is no name, and often a shell variable that is not
// set.
std::string not_empty(const std::string& value) {
  return value.empty() ? "expected a name, found nothing" : "";
}

}  // namespace

void Command::positional(const char* name, std::string& target, const char* help) {
  parser_.add_option(name, target, help)->required()->type_name("");
}

void Command::positional(const char* name, std::vector<std::string>& target, const char* help) {
  parser_.add_option(name, target, help)->type_name("");
}

void Command::option(const char* flags, std::string& target, const char* value, const char* help) {
  parser_.add_option(flags, target, help)->check(not_empty)->type_name(value);
}

void Command::option(const char* flags, std::optional<double>& target, const char* value, const char* help) {
  parser_.add_option(flags, target, help)->type_name(value);
}

void Command::option(const char* flags, int& target, int least, int most, const char* value, const char* help) {
  parser_.add_option(flags, target, help)->check(CLI::Range(least, most))->type_name(value);
}

void Command::required_option(const char* flags, std::string& target, const char* value, const char* help) {
  parser_.add_option(flags, target, help)->type_name(value)->required();
}

void Command::repeated_option(const char* flags, std::vector<std::string>& target, const char* value,
                              const char* help) {
  parser_.add_option(flags, target, help)->type_name(value)->allow_extra_args(false);
}

void Command::flag(const char* flags, bool& target, const char* help) {
  parser_.add_flag(flags, target, help);
}

void Command::action(std::function<int()> run) {
  parser_.callback([&chosen = chosen_, run = std::move(run)] { chosen = run; });
}

CommandLine::CommandLine()
    : parser_(std::make_unique<CLI::App>("Filum simulates slender flexible parts: cables, hoses, harnesses, ropes.",
                                         "filum")) {
  parser_->set_version_flag("--version", std::string("filum ") + kVersion, "Print the version");
  parser_->add_flag_callback(
      "--licences", [] { throw CLI::CallForVersion(notice(), 0); }, "Print the licences of what the program contains");
  parser_->set_help_flag("-h,--help", "Print this help");
  parser_->require_subcommand(0, 1);
  parser_->footer(
      "Exit codes: 0 done, 1 a check failed, 2 bad input, 3 did not converge or did not go to its end.\n"
      "Start with:  filum new brake-hose && filum solve brake-hose.yaml");
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const char* name, const char* summary) {
  return Command(*parser_->add_subcommand(name, summary), chosen_);
}

int CommandLine::run(int argc, char** argv) {
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return refuse(error.what(), argc, argv);
    // --help and --version come as exceptions too
    std::ostringstream out;
    parser_->exit(error, out, out);
    return emit(out.str(), kDone);
  }
  if (!chosen_) return fail("a command is needed; `filum --help` lists them");
  return chosen_();
}

// What to say about arguments that do not parse.
int CommandLine::refuse(const char* why, int argc, char** argv) const {
  std::string help = "filum --help";
  if (argc > 1 && argv[1][0] != '-') {
    const std::string command = argv[1];
    const CLI::App& parser = *parser_;
    const auto known = parser.get_subcommands([&](const CLI::App* each) { return each->get_name() == command; });
    if (known.empty()) return fail("unknown command '" + command + "'; `filum --help` lists them");
    help = "filum " + command + " --help";
  }
  return fail(std::string(why) + " (see `" + help + "`)");
}

}  // namespace filum::app
