// SPDX-License-Identifier: MIT
#include "distributed/group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/message.h"
#include "d2l/device.h"
#include "distributed/store/environment.h"
#include "ledger/ledger.h"

namespace d2l::distributed {

namespace detail {

namespace {

thread_local World* world_of_thread = nullptr;

std::unique_ptr<World>& world_of_process() {
  static std::unique_ptr<World> world;
  return world;
}

using d2l::detail::fail;

/// Several processes of one machine see the same cards, so each gets its share; virtual GPUs in host memory belong to
/// the process.
std::vector<Device> share_of_gpus(const RankEnvironment& environment) {
  const int count = num_gpus();
  std::vector<Device> all = gpus(count);
  if (count == 0 || environment.local_world_size == 1 ||
      device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host) {
    return all;
  }
  const int each = std::max(count / environment.local_world_size, 1);
  const int first = environment.local_rank * each % count;
  return {all.begin() + first, all.begin() + std::min(first + each, count)};
}

std::string choose_backend(const std::string& asked, const RankEnvironment& environment) {
  if (asked.empty()) return environment.world_size > 1 ? "gloo" : "local";
  if (asked == "local" && environment.world_size > 1) {
    fail<ConfigurationError>("init_process_group", "local joins the GPUs of one process",
                             fmt::format("(there are {} processes)", environment.world_size), "use gloo for several");
  }
  if (asked != "local" && asked != "gloo" && asked != "nccl") {
    fail<ConfigurationError>("init_process_group", fmt::format("there is no backend \"{}\"", asked), {},
                             "the backends are local, gloo and nccl");
  }
  return asked;
}

void check_gpus(const std::vector<Device>& devices) {
  for (auto device = devices.begin(); device != devices.end(); ++device) {
    if (device->is_cpu() || device->index() >= num_gpus()) {
      fail<DeviceError>("init_process_group", fmt::format("{} is not a GPU of this machine", device->str()),
                        fmt::format("(found {})", num_gpus()), "name GPUs below num_gpus()");
    }
    if (std::find(devices.begin(), device, *device) != device) {
      fail<ValueError>("init_process_group", fmt::format("{} is there twice", device->str()), {}, "name each GPU once");
    }
  }
}

std::vector<int> numbers(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  return all;
}

/// Joins the cards if nccl was asked for, or is the best; if it cannot be used, says why, and what is used instead.
std::unique_ptr<Cards> cards_of(const std::string& asked, Engine* engine, const std::vector<Device>& devices,
                                std::chrono::milliseconds timeout) {
  const bool is_asked = asked == "nccl";
  const int processes = engine == nullptr ? 1 : engine->size();
  if (!is_asked && !(asked.empty() && prefers_cards(processes, devices))) return nullptr;
  std::string obstacle;
  auto cards = join_cards(engine, devices, timeout, obstacle);
  if (is_asked && cards == nullptr && (engine == nullptr || engine->rank() == 0)) {
    std::fputs(fmt::format("process group: nccl cannot be used ({}); {} is used instead\n", obstacle,
                           engine == nullptr ? "local" : "gloo")
                   .c_str(),
               stderr);
  }
  return cards;
}

void say_backend(const GroupState& group, std::size_t devices) {
  std::fputs(fmt::format("process group: {}, {} process{}, {} GPU{} each\n", group.backend, group.size(),
                         group.size() == 1 ? "" : "es", devices, devices == 1 ? "" : "s")
                 .c_str(),
             stderr);
}

/// Compares the ranks that each process gives for a new group; DistributedError, on all, unless they are the same.
void compare_ranks(Engine& engine, const std::vector<int>& ranks) {
  const auto size = static_cast<std::size_t>(engine.size());
  std::vector<int> own = ranks;
  own.resize(size, -1);
  std::vector<int> all(size * size);
  const d2l::detail::Unrecorded agreement;
  engine.all_gather(all.data(), own.data(), size * sizeof(int));
  for (std::size_t other = 0; other < size; ++other) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(other * size);
    const std::vector<int> theirs(first, std::find(first, first + static_cast<std::ptrdiff_t>(size), -1));
    if (theirs == ranks) continue;
    fail<DistributedError>(
        "new_group", "the processes give different ranks",
        fmt::format("(rank {}: {}; rank {}: {})", engine.rank(), fmt::join(ranks, ", "), other,
                    fmt::join(theirs, ", ")),
        "give the same ranks in the same order on all processes, including those that are not in the new group");
  }
}

}  // namespace

GroupState::~GroupState() {
  is_leaving = true;
  if (engine != nullptr) engine->leave({});  // a collective that waits for other ranks ends now
}

World* world() { return world_of_thread != nullptr ? world_of_thread : world_of_process().get(); }

World& joined(const char* operation) {
  World* const own = world();
  if (own == nullptr) {
    fail<ValueError>(operation,
                     "Default process group has not been initialized, please make sure to call init_process_group.", {},
                     "call distributed::init_process_group() first");
  }
  return *own;
}

GroupState& state_of(const ProcessGroup& group, const char* operation) {
  World& own = joined(operation);
  return group.state() != nullptr ? *group.state() : *own.all;
}

GroupState& member_of(const ProcessGroup& group, const char* operation) {
  GroupState& state = state_of(group, operation);
  if (state.rank < 0) {
    fail<ValueError>(operation, "this process is not a member of the group", {}, "call it on the group's ranks only");
  }
  return state;
}

bool on_cards(const GroupState& state, const std::vector<Tensor>& tensors) {
  return state.cards != nullptr && state.cards->have(tensors);
}

ThreadWorld::ThreadWorld(World& own) { world_of_thread = &own; }
ThreadWorld::~ThreadWorld() { world_of_thread = nullptr; }

}  // namespace detail

using detail::fail;
using detail::GroupState;

void init_process_group(const std::string& backend, const InitOptions& options) {
  if (is_initialized()) {
    fail<ValueError>("init_process_group", "trying to initialize the default process group twice!", {},
                     "call destroy_process_group() first");
  }
  if (options.timeout.count() <= 0) {
    fail<ValueError>("init_process_group", fmt::format("the timeout is {} ms", options.timeout.count()), {},
                     "give one above 0");
  }
  const auto environment =
      detail::find_rank_environment({options.rank, options.world_size, options.master_addr, options.master_port});
  const auto name = detail::choose_backend(backend, environment);
  detail::check_gpus(options.devices);
  auto world = std::make_unique<detail::World>();
  world->devices = options.devices.empty() ? detail::share_of_gpus(environment) : options.devices;
  world->local_rank = environment.local_rank;
  const detail::EngineOptions engine_options{environment.rank, environment.world_size, environment.master_addr,
                                             environment.master_port, options.timeout};
  std::unique_ptr<detail::Engine> engine;
  if (name == "gloo" || (name == "nccl" && environment.world_size > 1))
    engine = detail::make_gloo_engine(engine_options);
  auto cards = detail::cards_of(backend, engine.get(), world->devices, options.timeout);
  const std::string used = cards != nullptr ? "nccl" : name != "nccl" ? name : engine == nullptr ? "local" : "gloo";
  const int rank = engine == nullptr ? 0 : engine->rank();
  const int size = engine == nullptr ? 1 : engine->size();
  world->all = std::make_shared<GroupState>(used, detail::numbers(size), rank, std::move(engine));
  world->all->cards = std::move(cards);
  if (backend.empty() && rank == 0) detail::say_backend(*world->all, world->devices.size());
  detail::world_of_process() = std::move(world);
}

void destroy_process_group() {
  auto& process = detail::world_of_process();
  if (process == nullptr) return;
  // The handles of a program may live longer than the group.
  for (const auto& weak : process->further) {
    if (const auto group = weak.lock(); group != nullptr && group->engine != nullptr) group->engine->leave({});
  }
  process.reset();
}

bool is_initialized() { return detail::world() != nullptr; }

std::string get_backend(const ProcessGroup& group) { return detail::state_of(group, "get_backend").backend; }

int get_rank(const ProcessGroup& group) { return detail::state_of(group, "get_rank").rank; }

int get_world_size(const ProcessGroup& group) {
  const GroupState& state = detail::state_of(group, "get_world_size");
  return state.rank < 0 ? -1 : state.size();
}

int get_global_rank(const ProcessGroup& group, int group_rank) {
  const GroupState& state = detail::state_of(group, "get_global_rank");
  if (group_rank < 0 || group_rank >= state.size()) {
    fail<ValueError>("get_global_rank", fmt::format("the group has no rank {}", group_rank),
                     fmt::format("(it has {})", state.size()), "give 0 to the size less 1");
  }
  return state.global_ranks[static_cast<std::size_t>(group_rank)];
}

int get_local_rank() { return detail::joined("get_local_rank").local_rank; }

const std::vector<Device>& local_devices() { return detail::joined("local_devices").devices; }

ProcessGroup new_group(const std::vector<int>& ranks) {
  detail::World& world = detail::joined("new_group");
  GroupState& all = *world.all;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] < 0 || ranks[i] >= all.size()) {
      fail<ValueError>("new_group", fmt::format("there is no rank {}", ranks[i]),
                       fmt::format("(the world size is {})", all.size()), "give ranks from 0 to the world size less 1");
    }
    if (std::find(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(i), ranks[i]) !=
        ranks.begin() + static_cast<std::ptrdiff_t>(i)) {
      fail<ValueError>("new_group", fmt::format("rank {} is there twice", ranks[i]), {}, "give each rank once");
    }
  }
  if (ranks.empty()) fail<ValueError>("new_group", "there are no ranks", {}, "give at least one");
  const auto key = fmt::format("group{}", all.groups++);
  const auto place = std::find(ranks.begin(), ranks.end(), all.rank);
  const int own = place == ranks.end() ? -1 : static_cast<int>(place - ranks.begin());
  std::unique_ptr<detail::Engine> engine;
  std::unique_ptr<detail::Cards> cards;
  const auto join_cards = [&] {
    std::string obstacle;
    if (own >= 0 && all.cards != nullptr) {
      cards = detail::join_cards(engine.get(), world.devices, all.cards->timeout, obstacle);
    }
  };
  if (all.engine == nullptr) {
    join_cards();
  } else {
    // In the order of the collectives that were begun before.
    const auto work = std::make_shared<detail::WorkState>(nullptr);
    all.worker.add({}, work, [&] {
      all.engine->agree({.collective = detail::Collective::new_group});
      detail::compare_ranks(*all.engine, ranks);
      if (own >= 0) engine = all.engine->split(ranks, key);
      join_cards();
    });
    work->wait();
  }
  auto state = std::make_shared<GroupState>(all.backend, ranks, own, std::move(engine));
  state->cards = std::move(cards);
  world.further.push_back(state);
  return ProcessGroup(std::move(state));
}

}  // namespace d2l::distributed
