// The thread that owns the workbench: commands one after the other, time in even ticks, frames out.
//
// Nobody else touches the workbench; who wants something of it posts a job. While it plays, ticks come at a fixed rate
// and how late each begins is measured. While it is paused the thread sleeps until there is something to do, and a
// command's frame goes out at once. Of several moves of one hand that wait, the last is carried out; all are answered.
#pragma once

#include "serve/commands/request.hpp"
#include "serve/editor/page_frame.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace filum::serve {

class Workbench;
struct LoopFacts;

using Message = std::shared_ptr<const std::string>;

// Where the loop's news go: called on its thread, must return at once.
struct Audience {
  std::function<void(std::shared_ptr<const Frame>)> frame;
  std::function<void(Message)> scene;
  std::function<void(Message)> state;
  std::function<void(Message)> events;
};

// Everything a page must know when it comes.
struct Welcome {
  Message hello;
  Message scene;
  Message state;
  Message events;  // null: none yet
  std::shared_ptr<const Frame> frame;
};

class SimulationThread {
 public:
  SimulationThread(std::unique_ptr<Workbench> bench, Audience audience);
  // Waits for the job at hand and stops.
  ~SimulationThread();
  SimulationThread(const SimulationThread&) = delete;
  SimulationThread& operator=(const SimulationThread&) = delete;

  void start();
  // In the order in which they come.
  void post(std::function<void(Workbench&)> job);
  // `reply` is called on the loop's thread.
  void command(Request request, std::function<void(Message)> reply);
  void enter(int client, std::function<void(Welcome)> welcome);
  void leave(int client);
  [[nodiscard]] bool stopping() const { return stopped_; }

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
  void wait();
  void work();
  void answer(Task& task);
  void tick(Clock::time_point now);
  void publish();
  void measure(Clock::time_point now);
  [[nodiscard]] LoopFacts facts() const;

  std::unique_ptr<Workbench> bench_;
  Audience audience_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  bool quit_ = false;
  std::atomic<bool> stopped_ = false;

  // the loop's own
  int clients_ = 0;
  bool ticking_ = false;
  Clock::time_point next_;
  Clock::time_point last_tick_;
  std::deque<double> jitter_;  // ms, of the last ticks
  long late_ = 0;
  std::deque<std::pair<Clock::time_point, double>> pace_;  // clock and simulation over the last second
  std::shared_ptr<const Frame> frame_;
  std::uint32_t told_revision_ = 0;
  std::uint64_t told_changes_ = 0;
  long told_events_ = 0;
  bool urgent_ = true;  // somebody waits for `state`
  Clock::time_point told_state_;
};

}  // namespace filum::serve
