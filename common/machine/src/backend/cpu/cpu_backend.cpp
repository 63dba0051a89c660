// SPDX-License-Identifier: MIT
// The backend of the CPU: the calling thread and its OpenMP team do the work before a call returns.
#include <fmt/format.h>
#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <string>

#include "backend/backend.h"
#include "backend/cpu/host_context.h"
#include "backend/cpu/host_memory.h"
#include "d2l/error.h"

namespace d2l {
namespace {

constexpr int max_threads = 1024;

std::atomic<int>& thread_count() {
  static std::atomic<int> count{std::clamp(omp_get_max_threads(), 1, max_threads)};
  return count;
}

/// A child of fork() has none of its parent's OpenMP threads, and a team would wait for them without end.
std::atomic<bool> in_forked_child{false};
[[maybe_unused]] const int forks_are_noticed = pthread_atfork(nullptr, nullptr, [] { in_forked_child = true; });

}  // namespace

void set_num_threads(int count) {
  if (count < 1 || count > max_threads) {
    throw ValueError(fmt::format("[set_num_threads] expected a positive number of threads, at most {}, but got {}",
                                 max_threads, count));
  }
  thread_count().store(count, std::memory_order_relaxed);
}

int get_num_threads() { return in_forked_child ? 1 : thread_count().load(std::memory_order_relaxed); }

namespace backend {
namespace {

/// Runs `work` and records its times in `span`, which may be null.
template <class Work>
void timed(const std::shared_ptr<Span>& span, const Work& work) {
  if (span != nullptr) span->began = steady_nanoseconds();
  work();
  if (span != nullptr) span->ended = steady_nanoseconds();
}

class Done final : public Mark {
 public:
  [[nodiscard]] bool done() const override { return true; }
  void wait() const override {}
};

/// "AMD EPYC 9B45", or "CPU" if the system does not report a name.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

[[noreturn]] void refuse_graph() { throw DeviceError("[capture_end] the CPU has no graphs"); }

class CpuBackend final : public Backend {
 public:
  [[nodiscard]] int device_count() const noexcept override { return 1; }
  [[nodiscard]] Processor processor() const noexcept override { return Processor::host; }

  [[nodiscard]] DeviceProperties properties(int) const override {
    DeviceProperties result;
    result.name = processor_name();
    result.total_memory = host_memory::system_memory().total;
    result.multiprocessors = omp_get_num_procs();
    return result;
  }

  [[nodiscard]] MemoryInfo memory(int) const override {
    const auto system = host_memory::system_memory();
    const auto usage = host_memory::usage();
    const auto idle = std::max<std::int64_t>(usage.reserved - usage.requested, 0);
    return {.total = system.total,
            .free = std::min(system.available + idle, system.total),
            .used = system.total - system.available,
            .reserved = usage.reserved,
            .requested = usage.requested};
  }

  void* allocate(int, std::size_t bytes) override { return host_memory::allocate(bytes); }
  void release(int, void* memory, std::size_t bytes) noexcept override { host_memory::release(memory, bytes); }
  void* allocate_pinned(std::size_t bytes) override { return host_memory::allocate(bytes); }
  void release_pinned(void* memory, std::size_t bytes) noexcept override { host_memory::release(memory, bytes); }

  void launch(int, NamedKernel kernel, const KernelArguments& arguments, std::shared_ptr<Span> span) override {
    const KernelContext context = host_context(get_num_threads());
    timed(span, [&] { kernel.run(context, arguments); });
  }

  std::shared_ptr<Graph> make_graph(int, std::vector<GraphLaunch>) override { refuse_graph(); }
  void replay(int, const std::shared_ptr<Graph>&, GraphSpans) override { refuse_graph(); }

  void copy_to_device(int, void* destination, const void* host, std::size_t bytes, HostMemory,
                      std::shared_ptr<Span> span) override {
    timed(span, [=] { std::memmove(destination, host, bytes); });
  }
  void copy_to_host(int, void* host, const void* source, std::size_t bytes, HostMemory,
                    std::shared_ptr<Span> span) override {
    timed(span, [=] { std::memmove(host, source, bytes); });
  }
  void copy_to_peer(int, int, void* destination, const void* source, std::size_t bytes,
                    std::shared_ptr<Span> span) override {
    timed(span, [=] { std::memmove(destination, source, bytes); });
  }
  [[nodiscard]] bool can_access_peer(int, int) override { return true; }

  [[nodiscard]] std::shared_ptr<Mark> record(int) override {
    static const auto done = std::make_shared<Done>();
    return done;
  }
  void wait(int, const std::shared_ptr<Mark>& mark) override { mark->wait(); }
  void synchronize(int) override {}

  [[nodiscard]] std::optional<int> owner(const void*) const override { return std::nullopt; }
};

}  // namespace

Backend& cpu_backend() {
  static CpuBackend* const made = new CpuBackend;
  return *made;
}

}  // namespace backend
}  // namespace d2l
