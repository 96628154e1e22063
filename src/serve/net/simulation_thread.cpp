#include "serve/net/simulation_thread.hpp"

#include "serve/commands/workbench.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace filum::serve {

namespace {

constexpr double kRate = 60;  // ticks a second
constexpr std::chrono::nanoseconds kPeriod(static_cast<long>(1e9 / kRate));
constexpr double kBudget = 0.75 / kRate;  // s of a tick that stepping may take
constexpr std::chrono::milliseconds kStatePeriod(100);
constexpr std::size_t kJitterSamples = 600;  // ten seconds

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

Message message_of(std::string text) {
  return text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text));
}

}  // namespace

SimulationThread::SimulationThread(std::unique_ptr<Workbench> bench, Audience audience)
    : bench_(std::move(bench)), audience_(std::move(audience)) {}

void SimulationThread::start() {
  thread_ = std::thread([this] { run(); });
}

SimulationThread::~SimulationThread() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SimulationThread::post(std::function<void(Workbench&)> job) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back({std::move(job), {}, {}});
  }
  wake_.notify_one();
}

void SimulationThread::command(Request request, std::function<void(Message)> reply) {
  {
    const std::lock_guard lock(mutex_);
    Task& task = tasks_.emplace_back();
    task.asking.push_back({request.id(), std::move(reply)});
    task.request = std::move(request);
  }
  wake_.notify_one();
}

void SimulationThread::enter(int client, std::function<void(Welcome)> welcome) {
  post([this, client, welcome = std::move(welcome)](Workbench& bench) {
    ++clients_;
    urgent_ = true;
    if (!frame_ || bench.editor().changed()) publish();
    Welcome all{message_of(bench.hello(client)), message_of(bench.scene_message()),
                message_of(bench.state_message(facts())), message_of(bench.events_message(0)), frame_};
    welcome(std::move(all));
  });
}

void SimulationThread::leave(int client) {
  post([this, client](Workbench& bench) {
    --clients_;
    urgent_ = true;
    bench.editor().leave(client);
  });
}

void SimulationThread::run() {
  last_tick_ = next_ = Clock::now();
  while (true) {
    wait();
    {
      const std::lock_guard lock(mutex_);
      if (quit_) return;
    }
    work();
    const Clock::time_point now = Clock::now();
    const bool playing = bench_->editor().playing();
    if (playing && !ticking_) {
      // the first tick of a stretch of play
      last_tick_ = now;
      next_ = now + kPeriod;
      pace_.clear();
    }
    ticking_ = playing;
    if (playing && now >= next_) tick(now);
    // while it plays a frame goes out with each tick; while it is paused, with what was done
    if (!playing || now == last_tick_) publish();
    if (bench_->stopping()) stopped_ = true;
  }
}

// For a job, the next tick, or the next time to tell the state.
void SimulationThread::wait() {
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return quit_ || !tasks_.empty(); };
  Clock::time_point until = Clock::now() + std::chrono::seconds(1);
  if (ticking_) until = std::min(until, next_);
  if (told_changes_ != bench_->changes()) until = std::min(until, told_state_ + kStatePeriod);
  wake_.wait_until(lock, until, ready);
}

// All that waits by now.
void SimulationThread::work() {
  std::deque<Task> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    Task& task = tasks[i];
    if (task.job) {
      task.job(*bench_);
      continue;
    }
    // answered with the one that counts
    Task* next = i + 1 < tasks.size() ? &tasks[i + 1] : nullptr;
    if (next != nullptr && next->request && next->request->overtakes(*task.request)) {
      next->asking.insert(next->asking.begin(), std::make_move_iterator(task.asking.begin()),
                          std::make_move_iterator(task.asking.end()));
      continue;
    }
    answer(task);
  }
}

// Everybody who asked gets the reply under the number that it was asked with.
void SimulationThread::answer(Task& task) {
  if (task.request->hand().empty()) urgent_ = true;
  Json reply = bench_->answer(*task.request);
  for (Asking& asking : task.asking) {
    reply["id"] = asking.id;
    asking.reply(message_of(dumped(reply)));
  }
}

void SimulationThread::tick(Clock::time_point now) {
  jitter_.push_back(1e3 * seconds(now - next_));
  if (jitter_.size() > kJitterSamples) jitter_.pop_front();
  if (now >= next_ + kPeriod) ++late_;
  // ticks that were missed are not made up for
  next_ = std::max(next_ + kPeriod, now + kPeriod / 2);
  bench_->editor().advance(seconds(now - last_tick_), kBudget);
  last_tick_ = now;
  measure(now);
}

void SimulationThread::measure(Clock::time_point now) {
  pace_.emplace_back(now, bench_->editor().time());
  while (pace_.size() > 2 && now - pace_.front().first > std::chrono::seconds(1)) pace_.pop_front();
}

LoopFacts SimulationThread::facts() const {
  LoopFacts facts;
  facts.rate = kRate;
  facts.clients = clients_;
  facts.late = late_;
  if (ticking_ && pace_.size() > 1) {
    const double clock = seconds(pace_.back().first - pace_.front().first);
    facts.real_time = clock > 0 ? (pace_.back().second - pace_.front().second) / clock : 0;
  }
  if (!jitter_.empty()) {
    std::vector<double> sorted(jitter_.begin(), jitter_.end());
    std::sort(sorted.begin(), sorted.end());
    facts.jitter_median = sorted[sorted.size() / 2];
    facts.jitter_p99 = sorted[std::min(sorted.size() - 1, sorted.size() * 99 / 100)];
    facts.jitter_max = sorted.back();
  }
  return facts;
}

// What has changed: the scene before the first frame of it.
void SimulationThread::publish() {
  Editor& editor = bench_->editor();
  if (editor.revision() != told_revision_) {
    told_revision_ = editor.revision();
    audience_.scene(message_of(bench_->scene_message()));
  }
  if (editor.changed() || !frame_) {
    frame_ = editor.frame(facts().real_time);
    audience_.frame(frame_);
  }
  if (Message events = message_of(bench_->events_message(told_events_))) {
    told_events_ = editor.notices().last();
    audience_.events(events);
  }
  const Clock::time_point now = Clock::now();
  const bool news = told_changes_ != bench_->changes() || ticking_;
  if (urgent_ || (news && now - told_state_ >= kStatePeriod)) {
    urgent_ = false;
    told_changes_ = bench_->changes();
    told_state_ = now;
    audience_.state(message_of(bench_->state_message(facts())));
  }
}

}  // namespace filum::serve
