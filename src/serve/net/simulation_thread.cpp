#include "serve/net/simulation_thread.hpp"

#include "io/json_text.hpp"
#include "io/mesh/read_apart.hpp"
#include "serve/commands/workbench.hpp"
#include "serve/editor/page_frame.hpp"
#include "serve/editor/present.hpp"
#include "serve/editor/stopped.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace filum::serve {

namespace {

constexpr double kRate = 60;  // ticks a second
constexpr std::chrono::nanoseconds kPeriod(static_cast<long>(1e9 / kRate));
constexpr double kBudget = 0.75 / kRate;  // s of a tick that stepping may take
constexpr std::chrono::milliseconds kStatePeriod(100);
constexpr std::size_t kJitterSamples = 600;           // ten seconds
constexpr std::chrono::milliseconds kBusyAfter(400);  // work that takes longer is told of
constexpr std::chrono::milliseconds kBusyPeriod(500);
constexpr std::chrono::seconds kKeepPeriod(1);

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

Message message_of(std::string text) {
  return text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text));
}

}  // namespace

class SimulationThread::Work {
 public:
  Work(SimulationThread& thread, std::string what) : thread_(thread), reading_(thread.bench_->editor().watcher()) {
    thread_.cancelled_ = false;
    thread_.bench_->editor().forget_stop();
    const std::lock_guard lock(thread_.work_mutex_);
    thread_.work_ = std::move(what);
    thread_.work_began_ = Clock::now();
    thread_.at_work_ = true;
  }
  ~Work() {
    const std::lock_guard lock(thread_.work_mutex_);
    thread_.at_work_ = false;
    if (std::exchange(thread_.busy_told_, false)) thread_.tell_busy({}, 0);
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

 private:
  SimulationThread& thread_;
  io::WatchedReading reading_;
};

struct SimulationThread::Kept {
  Editor::Point point;
};

SimulationThread::SimulationThread(std::unique_ptr<Workbench> bench, Audience audience, std::chrono::seconds limit)
    : bench_(std::move(bench)), audience_(std::move(audience)), limit_(limit) {
  bench_->editor().watch([this] { return watch(); });
}

void SimulationThread::start() {
  // there is something to read from the beginning
  publish();
  thread_ = std::thread([this] { run(); });
}

SimulationThread::~SimulationThread() {
  quit();
  if (thread_.joinable()) thread_.join();
}

void SimulationThread::quit() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
}

bool SimulationThread::cancel() {
  if (at_work_) cancelled_ = true;
  return at_work_;
}

// Called by the solvers, on the loop's thread.
std::string SimulationThread::watch() {
  if (!at_work_) return {};
  if (quit_) return "the server is ending";
  if (cancelled_.exchange(false)) return "it was cancelled";
  if (Clock::now() - work_began_ > limit_)
    return "it took longer than " + std::to_string(limit_.count()) + " s, which is the limit";
  return {};
}

// From the network's thread: what the loop is at may be something that does not look up for a while.
void SimulationThread::tell_if_busy() {
  const std::lock_guard lock(work_mutex_);
  const Clock::time_point now = Clock::now();
  if (!at_work_ || now - work_began_ < kBusyAfter || (busy_told_ && now - told_busy_ < kBusyPeriod)) return;
  busy_told_ = true;
  told_busy_ = now;
  tell_busy(work_, seconds(now - work_began_));
}

// An empty name: no longer.
void SimulationThread::tell_busy(const std::string& what, double seconds) {
  audience_.news(message_of(io::json_text({{"type", "busy"},
                                           {"cmd", what.empty() ? Json(nullptr) : Json(what)},
                                           {"seconds", seconds},
                                           {"limit", limit_.count()}})));
}

const std::vector<Example>& SimulationThread::examples() const {
  return bench_->examples();
}

Published SimulationThread::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

void SimulationThread::share_present() {
  std::shared_ptr<const Present> present = bench_->editor().present();
  tell_document(present->document);
  const std::lock_guard lock(mutex_);
  published_.present = std::move(present);
}

void SimulationThread::tell_done() {
  done_waits_ = true;
  share_present();
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

void SimulationThread::tell_document(const std::shared_ptr<const Document>& document) {
  const bool changed = std::exchange(told_document_, document) != document;
  if (std::exchange(done_waits_, false) || changed)
    audience_.document({document, bench_->meshes().dropped(document->scene()), bench_->ledger().done()});
}

// What was published last is told at once, however long the loop is at work.
Welcome SimulationThread::enter(int client) {
  post([this](Workbench&) {
    ++clients_;
    urgent_ = true;
    tell_done();
  });
  const Published now = published();
  return {message_of(bench_->hello(client)), now.scene, now.state, now.events, now.frame};
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
    if (quit_) return;
    go_round();
    if (bench_->stopping()) stopped_ = true;
  }
}

// Once: what waits, the tick that is due, what there is to tell. Whatever breaks here is told and the loop goes on.
void SimulationThread::go_round() {
  try {
    work();
    const Clock::time_point now = Clock::now();
    const bool playing = bench_->editor().playing();
    if (playing && !ticking_) {
      // the first tick of a stretch of play
      kept_.reset();
      last_tick_ = now;
      next_ = now + kPeriod;
      pace_.clear();
    }
    ticking_ = playing;
    if (playing && now >= next_) tick(now);
    // while it plays a frame goes out with each tick; while it is paused, with what was done
    if (!playing || now == last_tick_) publish();
  } catch (...) {
    bench_->editor().note(Level::Error, words_of_exception());
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
    if (quit_) return;
    if (task.job) {
      const Work work(*this, "a job");
      try {
        task.job(*bench_);
      } catch (...) {
        bench_->editor().note(Level::Error, words_of_exception());
      }
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
  if (task.request->hand().empty()) urgent_ = done_waits_ = true;
  Json reply;
  {
    const Work work(*this, task.request->command());
    reply = bench_->answer(*task.request);
  }
  // who reads after the reply reads what it told of
  share_present();
  kept_.reset();
  for (Asking& asking : task.asking) {
    reply["id"] = asking.id;
    asking.reply(message_of(io::json_text(reply)));
  }
}

void SimulationThread::tick(Clock::time_point now) {
  jitter_.push_back(1e3 * seconds(now - next_));
  if (jitter_.size() > kJitterSamples) jitter_.pop_front();
  if (now >= next_ + kPeriod) ++late_;
  // ticks that were missed are not made up for
  next_ = std::max(next_ + kPeriod, now + kPeriod / 2);
  Editor& editor = bench_->editor();
  if (!kept_ || now - kept_at_ >= kKeepPeriod) {
    kept_ = std::make_unique<Kept>(Kept{editor.point()});
    kept_at_ = now;
  }
  try {
    const Work work(*this, "play");
    editor.advance(seconds(now - last_tick_), kBudget);
  } catch (...) {
    const std::string why = words_of_exception();
    editor.go_back(kept_->point);
    editor.pause();
    editor.note(Level::Error, "it does not go on: " + why);
  }
  // what is stopped has not been begun
  if (!editor.stopped().empty()) editor.note(Level::Error, "it does not go on: " + editor.stopped());
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
  Published now = published();
  Message events;
  const bool new_scene = editor.revision() != told_revision_;
  if (new_scene) {
    told_revision_ = editor.revision();
    now.scene = message_of(bench_->scene_message());
    now.meshes = std::make_shared<const MeshStore>(bench_->meshes());
  }
  const bool new_frame = editor.changed() || !now.frame;
  if (new_frame) {
    now.frame = editor.frame(facts().real_time);
    now.present = editor.present();
    tell_document(now.present->document);
  }
  if (editor.notices().last() != told_events_) {
    events = message_of(bench_->events_message(told_events_));
    told_events_ = editor.notices().last();
    now.events = message_of(bench_->events_message(0));
  }
  const Clock::time_point clock = Clock::now();
  const bool news = told_changes_ != bench_->changes() || ticking_;
  const bool new_state = urgent_ || (news && clock - told_state_ >= kStatePeriod);
  if (new_state) {
    urgent_ = false;
    told_changes_ = bench_->changes();
    told_state_ = clock;
    now.state = message_of(bench_->state_message(facts()));
  }
  // first for those who come, then for those who are there: nobody misses it
  {
    const std::lock_guard lock(mutex_);
    published_ = now;
  }
  if (new_scene) audience_.scene(now.scene);
  if (new_frame) audience_.frame(now.frame);
  if (events) audience_.news(events);
  if (new_state) audience_.state(now.state);
}

}  // namespace filum::serve
