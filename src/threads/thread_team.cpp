#include "threads/thread_team.hpp"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace filum {
namespace {

class Team {
 public:
  explicit Team(int threads) {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~Team() {
    {
      const std::scoped_lock lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  void run(int count, const std::function<void(int)>& body) {
    {
      const std::scoped_lock lock(mutex_);
      body_ = &body;
      count_ = count;
      next_ = 0;
      open_ = count;
    }
    wake_.notify_all();
    // the caller works along, then waits for the others' last pieces
    std::unique_lock lock(mutex_);
    work(lock);
    done_.wait(lock, [this] { return open_ == 0; });
    body_ = nullptr;
  }

 private:
  // Takes pieces until there are none. Called and left with the lock held.
  void work(std::unique_lock<std::mutex>& lock) {
    while (body_ != nullptr && next_ < count_) {
      const int piece = next_++;
      const std::function<void(int)>& body = *body_;
      lock.unlock();
      body(piece);
      lock.lock();
      if (--open_ == 0) done_.notify_all();
    }
  }

  void serve() {
    std::unique_lock lock(mutex_);
    while (!ending_) {
      wake_.wait(lock, [this] { return ending_ || (body_ != nullptr && next_ < count_); });
      work(lock);
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int)>* body_ = nullptr;
  int count_ = 0, next_ = 0, open_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

ParallelFor thread_team(int threads) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const auto team = std::make_shared<Team>(threads);
  return [team](int count, const std::function<void(int)>& body) { team->run(count, body); };
}

}  // namespace filum
