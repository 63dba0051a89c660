// SPDX-License-Identifier: MIT
// faults_program PART: a process with an odd environment, limit or end. CTest expects its exit code, in time.
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "backend/resident_memory.h"
#include "d2l/d2l.h"
#include "d2l/testing.h"
#include "parts.h"

namespace d2l::faults {
namespace {

/// A smaller limit of the process in this scope.
class Limit {
 public:
  Limit(__rlimit_resource resource, rlim_t limit) : resource_(resource) {
    getrlimit(resource, &before_);
    const rlimit smaller{limit, before_.rlim_max};
    setrlimit(resource, &smaller);
  }
  ~Limit() { setrlimit(resource_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  __rlimit_resource resource_;
  rlimit before_{};
};

int right(bool is_right) { return is_right ? 0 : 1; }

bool product_is_right() { return full({256, 256}, 2.0).matmul(ones({256, 256})).equal(full({256, 256}, 512.0)); }

int product() {
  set_num_threads(std::max(get_num_threads(), 4));
  return right(product_is_right());
}

int thread_limit() {
  static_cast<void>(num_gpus());
  std::string message;
  {
    std::int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const Limit limit(RLIMIT_AS, static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE) + (1 << 20)));
    try {
      static_cast<void>(ones({2}, gpu(0)));
    } catch (const Error& error) {
      message = error.what();
    }
  }
  std::puts(message.c_str());
  synchronize();
  return right(message.find("cannot start the thread") != std::string::npos && memory_info(gpu(0)).blocks == 0 &&
               ones({2}, gpu(0)).sum().item<float>() == 2);
}

int gpu_with(__rlimit_resource resource, rlim_t most) {
  const Limit limit(resource, most);
  return right(ones({2}, gpu(0)).sum().item<float>() == 2);
}
int file_size_limit() { return gpu_with(RLIMIT_FSIZE, 1 << 20); }
int file_count_limit() { return gpu_with(RLIMIT_NOFILE, 3); }

/// Queues 100 copies of 8 MiB behind work of some seconds; returns the growth of the resident memory.
template <class Copy>
std::int64_t growth_while_queued(const Copy& copy) {
  const auto slow = ones({2048, 2048}, gpu(1));
  for (int i = 0; i < 6; ++i) static_cast<void>(slow.matmul(slow));
  const auto before = testing::resident_bytes();
  std::int64_t most = 0;
  for (int i = 0; i < 100; ++i) {
    copy();
    most = std::max(most, testing::resident_bytes() - before);
  }
  synchronize();
  return most;
}

int queued_copies() {
  constexpr std::int64_t most = std::int64_t{450} << 20;
  const auto host = ones({2 << 20});
  auto target = ones({2 << 20}, gpu(1));
  const auto pageable = growth_while_queued([&] { target.copy_(host); });
  testing::set_peer_access(false);
  const auto source = ones({2 << 20}, gpu(0));
  const auto staged = growth_while_queued([&] {
    target.copy_(source);
    synchronize(gpu(0));
  });
  std::printf("%lld MiB, %lld MiB\n", static_cast<long long>(pageable >> 20), static_cast<long long>(staged >> 20));
  return right(pageable < most && staged < most);
}

/// Threads that use the CPU and the GPUs until they are stopped.
class Busy {
 public:
  Busy() {
    for (int i = 0; i < 2; ++i) {
      threads_.emplace_back([this, device = gpu(i)] {
        while (!stopped_) {
          const TransferLedger ledger;
          static_cast<void>((ones({50'000}, device) + 1).cpu() * 2);
        }
      });
    }
  }
  void stop() {
    stopped_ = true;
    for (auto& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> stopped_{false};
  std::vector<std::thread> threads_;
};

int fork_while_working() {
  static const Tensor kept_on_gpu = ones({64}, gpu(0));
  static const Tensor kept = ones({100'000});
  set_num_threads(4);
  bool all_right = product_is_right();
  Busy busy;
  for (int round = 0; round < 100 && all_right; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      std::exit(right(product_is_right() && kept.sum().item<float>() == 100'000));
    }
    int status = 0;
    waitpid(child, &status, 0);
    all_right = status == 0;
  }
  busy.stop();
  return right(all_right);
}

int exit_while_working() {
  static const auto& busy = *new Busy;
  static_cast<void>(busy);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::exit(7);
}

int end_of_main() {
  std::thread([] { static_cast<void>(ones({2}, gpu(0)) + 1); }).join();
  static_cast<void>(ones({2}, gpu(0)) + 1);
  static_cast<void>(product_is_right());
  pthread_exit(nullptr);
}

const std::map<std::string, int (*)()> parts{{"product", product},
                                             {"thread_limit", thread_limit},
                                             {"file_size_limit", file_size_limit},
                                             {"file_count_limit", file_count_limit},
                                             {"queued_copies", queued_copies},
                                             {"fork", fork_while_working},
                                             {"exit", exit_while_working},
                                             {"end_of_main", end_of_main},
                                             {"no_memory", no_memory},
                                             {"no_memory_at_all", no_memory_at_all}};

}  // namespace
}  // namespace d2l::faults

int main(int count, char** arguments) { return count == 2 ? d2l::faults::parts.at(arguments[1])() : 2; }
