// filum serve: the workbench. Serves the page, runs the simulation behind it, and ends with Ctrl-C.
#include "command.hpp"
#include "example_scenes.hpp"
#include "interrupt.hpp"
#include "notice.hpp"
#include "page_files.hpp"
#include "terminal.hpp"

#include "serve/commands/workbench.hpp"
#include "serve/net/access.hpp"
#include "serve/net/server.hpp"

#include <filum/version.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

extern char** environ;  // NOLINT: POSIX names it so

namespace filum::app {
namespace {

struct ServeArguments {
  std::vector<std::string> scene;
  int port = 0;
  std::string host = "127.0.0.1";
  std::vector<std::string> origins;
  std::vector<std::string> names;
  std::vector<std::string> folders;
  bool any_folder = false;
  int time_limit = 60;
  bool no_open = false;
};

// The desktop's own way to open an address, if there is a desktop. What it says is not ours to show.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string program = "xdg-open";
  std::string argument = address;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  posix_spawnp(&child, "xdg-open", &quiet, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quiet);
}

std::vector<serve::Example> all_examples() {
  std::vector<serve::Example> examples;
  for (const ExampleScene& scene : example_scenes()) examples.push_back({scene.name, scene.text, scene.picture});
  return examples;
}

// Where pages may open and save: where the scene lies, where we stand, and what was named. None: anywhere.
Result<std::vector<std::filesystem::path>> folders_of(const ServeArguments& arguments) {
  if (arguments.any_folder) return std::vector<std::filesystem::path>{};
  std::vector<std::filesystem::path> folders;
  std::error_code code;
  if (!arguments.scene.empty())
    if (const auto scene = std::filesystem::canonical(arguments.scene.front(), code); !code)
      folders.push_back(scene.parent_path());
  if (auto here = std::filesystem::current_path(code); !code) folders.push_back(std::move(here));
  for (const std::string& folder : arguments.folders) {
    folders.push_back(std::filesystem::canonical(folder, code));
    if (code || !std::filesystem::is_directory(folders.back(), code)) return file_error(folder, "is not a folder");
  }
  return folders;
}

// What somebody should know who lets other machines in.
void warn_of_others(const ServeArguments& arguments) {
  fmt::print(
      stderr,
      "filum: warning: other machines can reach this server. Whoever has the token can open and save scenes with "
      "your rights\n"
      "filum: warning: the line is not encrypted: who can listen on the network can read the token and the scene\n");
  if (arguments.names.empty())
    fmt::print(stderr, "filum: warning: it answers to {} and this machine's own names alone; say others by --name\n",
               arguments.host);
}

// What still computes then goes with the program.
void end_soon() {
  constexpr std::chrono::milliseconds kPatience(1500);
  std::thread([kPatience] {
    std::this_thread::sleep_for(kPatience);
    std::_Exit(kDone);
  }).detach();
}

int run_serve(const ServeArguments& arguments) {
  if (arguments.scene.size() > 1) return fail("serve takes one scene");
  // the scene first: a mistake in it is told before anything listens
  auto bench = std::make_unique<serve::Workbench>(all_examples(), kVersion);
  auto folders = folders_of(arguments);
  if (!folders) return fail(folders.error());
  bench->allow(*folders);
  if (!arguments.scene.empty()) {
    auto document = serve::Document::from_file(arguments.scene.front(), *folders);
    if (!document) return fail(document.error());
    if (auto opened = bench->editor().open(std::move(*document), "open"); !opened) return fail(opened.error());
    bench->editor().forget();
  }
  const std::filesystem::path journal = serve::usual_journal_folder();
  if (auto left = serve::find_left_behind(journal, bench->editor().document().path())) {
    fmt::print(stderr, "filum: there is unsaved work of {} that was not ended properly: the page offers it\n",
               left->when);
    bench->offer(std::move(*left));
  }
  if (journal.empty()) fmt::print(stderr, "filum: there is no home folder: unsaved work is not kept\n");

  serve::ServerOptions options;
  options.host = arguments.host;
  options.other_port = arguments.port == 0;
  if (arguments.port != 0) options.port = static_cast<unsigned short>(arguments.port);
  options.names = arguments.names;
  options.origins = arguments.origins;
  options.journal = journal;
  options.notice = notice();
  options.time_limit = std::chrono::seconds(arguments.time_limit);
  auto page = page_files();
  if (!page) return fail(page.error());
  options.assets = std::move(*page);
  const InterruptGuard guard;
  auto server = serve::Server::start(std::move(options), std::move(bench));
  if (!server) return fail(server.error());

  const std::vector<std::string> addresses = (*server)->addresses();
  if (!serve::is_loopback(arguments.host)) warn_of_others(arguments);
  for (std::size_t k = 1; k < addresses.size(); ++k) fmt::print(stderr, "filum: from elsewhere {}\n", addresses[k]);
  fmt::print(stderr, "filum: the workbench is at {}\nfilum: Ctrl-C ends it\n", addresses.front());
  std::fflush(stderr);
  if (!arguments.no_open) open_browser(addresses.front());
  while (!InterruptGuard::interrupted() && !(*server)->stopping())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  end_soon();
  return kDone;
}

}  // namespace

void add_serve(CommandLine& line) {
  auto arguments = std::make_shared<ServeArguments>();
  Command command = line.add("serve", "Open the workbench in the browser");
  command.positional("SCENE", arguments->scene, "Scene file to begin with");
  command.option("--port", arguments->port, 1, 65535, "N", "Port to listen on (default: 8420, or the next free one)");
  command.option("--host", arguments->host, "ADDRESS", "Address to listen on (default: 127.0.0.1, this machine alone)");
  command.repeated_option("--name", arguments->names, "NAME", "Name or address by which other machines call this one");
  command.repeated_option("--origin", arguments->origins, "URL", "Page from elsewhere that may connect");
  command.repeated_option("--folder", arguments->folders, "DIR",
                          "Folder where pages and scenes may find and save files, besides that of SCENE and this one");
  command.flag("--any-folder", arguments->any_folder, "Pages may open and save files anywhere");
  command.option("--time-limit", arguments->time_limit, 1, 86400, "S", "Seconds that one command of a page may take");
  command.flag("--no-open", arguments->no_open, "Do not open the browser");
  command.action([arguments] { return run_serve(*arguments); });
}

}  // namespace filum::app
