// SPDX-License-Identifier: MIT
#include "d2l/distributed/ranks.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/message.h"
#include "d2l/device.h"
#include "distributed/group.h"

namespace d2l::distributed {

namespace {

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

}  // namespace

void run_ranks(int ranks, const std::function<void(int)>& work, std::chrono::milliseconds timeout) {
  if (ranks < 1 || ranks > 64) {
    d2l::detail::fail<ValueError>("run_ranks", fmt::format("asked for {} ranks", ranks), {}, "give 1 to 64");
  }
  if (is_initialized()) {
    d2l::detail::fail<ValueError>("run_ranks", "this process has joined a process group", {},
                                  "call destroy_process_group() first");
  }
  auto engines = detail::make_thread_engines(ranks, timeout);
  const std::vector<Device> devices = gpus(num_gpus());
  std::mutex mutex;
  std::exception_ptr first;
  const auto be_rank = [&](int rank) {
    detail::World world;
    world.devices = devices;
    world.local_rank = rank;
    std::vector<int> all;
    for (int i = 0; i < ranks; ++i) all.push_back(i);
    world.all =
        std::make_shared<detail::GroupState>("gloo", all, rank, std::move(engines[static_cast<std::size_t>(rank)]));
    const detail::ThreadWorld scope(world);
    try {
      work(rank);
    } catch (...) {
      const auto error = std::current_exception();
      {
        const std::lock_guard lock(mutex);
        if (first == nullptr) first = error;
      }
      world.all->engine->leave(text_of(error));
      for (const auto& weak : world.further) {
        if (const auto group = weak.lock(); group != nullptr && group->engine != nullptr) group->engine->leave("");
      }
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(be_rank, rank);
  for (auto& thread : threads) thread.join();
  if (first != nullptr) std::rethrow_exception(first);
}

}  // namespace d2l::distributed
