// The thread that owns the workbench: commands one after the other, time in even ticks, frames out.
//
// Nobody else touches the workbench; who wants something of it posts a job. While it plays, ticks come at a fixed rate
// and how late each begins is measured. While it is paused the thread sleeps until there is something to do, and a
// command's frame goes out at once. Of several moves of one hand that wait, the last is carried out; all are answered.
//
// A command or a tick has a limit of time and can be cancelled from another thread; then everything is as before it.
// Whatever is thrown ends there too: after a tick it is as at most a second before. Who only reads does not wait for the thread:
// what it has published last is there for all.
#pragma once

#include "serve/commands/request.hpp"
#include "serve/editor/mesh_store.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace filum::serve {

class Document;
class Workbench;
struct Example;
struct Frame;
struct LoopFacts;
struct Present;

using Message = std::shared_ptr<const std::string>;

// The document as it is now, the meshes that were dropped on it, and how much of what each page has said is in it: the
// last of the page's own numbers.
struct DocumentNews {
  std::shared_ptr<const Document> document;
  std::vector<MeshStore::File> meshes;
  std::map<std::string, double> done;
};

// Where the loop's news go: called on its thread, `news` on that of `tell_if_busy` too; must return at once.
struct Audience {
  std::function<void(std::shared_ptr<const Frame>)> frame;
  std::function<void(Message)> scene;
  std::function<void(Message)> state;
  std::function<void(Message)> news;  // each of them counts
  std::function<void(DocumentNews)> document;
};

// Everything a page must know when it comes.
struct Welcome {
  Message hello;
  Message scene;
  Message state;
  Message events;  // null: none yet
  std::shared_ptr<const Frame> frame;
};

// What was published last.
struct Published {
  Message scene;
  Message state;
  Message events;  // all that are kept; null: none yet
  std::shared_ptr<const Frame> frame;
  std::shared_ptr<const Present> present;
  std::shared_ptr<const MeshStore> meshes;
};

class SimulationThread {
 public:
  // `limit`: how long a command may take.
  SimulationThread(std::unique_ptr<Workbench> bench, Audience audience, std::chrono::seconds limit);
  // Waits for the job at hand and stops.
  ~SimulationThread();
  SimulationThread(const SimulationThread&) = delete;
  SimulationThread& operator=(const SimulationThread&) = delete;

  void start();
  // In the order in which they come.
  void post(std::function<void(Workbench&)> job);
  // `reply` is called on the loop's thread.
  void command(Request request, std::function<void(Message)> reply);
  Welcome enter(int client);
  void leave(int client);
  // Stops the command at hand; false: there was none.
  bool cancel();
  // For a clock that ticks some ten times a second: tells pages what the loop is at, if it takes long.
  void tell_if_busy();
  // Takes no more work and stops what is at hand, as soon as it looks up.
  void quit();
  [[nodiscard]] bool stopping() const { return stopped_; }
  // For jobs: who reads or comes from now on sees what they did.
  void publish();
  // Likewise: pages are told that the document has what they said.
  void tell_done();
  // From any thread.
  [[nodiscard]] Published published() const;
  [[nodiscard]] const std::vector<Example>& examples() const;

 private:
  struct Asking {
    Json id;
    std::function<void(Message)> reply;
  };
  struct Task {
    std::function<void(Workbench&)> job;  // or
    std::optional<Request> request;
    std::vector<Asking> asking;  // who made it, and whose moves it has overtaken
  };
  using Clock = std::chrono::steady_clock;

  void run();
  void go_round();
  void wait();
  void work();
  void answer(Task& task);
  void tick(Clock::time_point now);
  void share_present();
  void tell_document(const std::shared_ptr<const Document>& document);
  // While it lasts the thread counts as at work and the solvers ask `watch` whether to stop, and why.
  class Work;
  std::string watch();
  void tell_busy(const std::string& what, double seconds);
  void measure(Clock::time_point now);
  [[nodiscard]] LoopFacts facts() const;

  std::unique_ptr<Workbench> bench_;
  Audience audience_;
  std::thread thread_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  Published published_;
  std::atomic<bool> quit_ = false;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> at_work_ = false;
  std::atomic<bool> cancelled_ = false;
  std::mutex work_mutex_;  // of what is at hand, for pages that wait for it
  std::string work_;
  Clock::time_point work_began_;
  Clock::time_point told_busy_;
  bool busy_told_ = false;

  // the loop's own
  std::chrono::seconds limit_;
  struct Kept;
  std::unique_ptr<const Kept> kept_;  // to go back to if a tick must be stopped
  Clock::time_point kept_at_;
  int clients_ = 0;
  bool ticking_ = false;
  Clock::time_point next_;
  Clock::time_point last_tick_;
  std::deque<double> jitter_;  // ms, of the last ticks
  long late_ = 0;
  std::deque<std::pair<Clock::time_point, double>> pace_;  // clock and simulation over the last second
  std::shared_ptr<const Document> told_document_;
  bool done_waits_ = false;  // some page has come or said something: it is told how much of it the document has
  std::uint32_t told_revision_ = 0;
  std::uint64_t told_changes_ = 0;
  long told_events_ = 0;
  bool urgent_ = true;  // somebody waits for `state`
  Clock::time_point told_state_;
};

}  // namespace filum::serve
