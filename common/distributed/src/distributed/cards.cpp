// SPDX-License-Identifier: MIT
#include "distributed/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "d2l/device.h"
#include "runtime/runtime.h"

namespace d2l::distributed::detail {

namespace {

/// What a process says before the cards are joined.
struct Ability {
  std::int32_t cards = 0;
  std::array<char, 252> obstacle{};  ///< with a 0 at its end
};

bool are_whole_cards(const std::vector<Device>& devices) {
  return !devices.empty() && std::all_of(devices.begin(), devices.end(), [](Device device) {
    return device_properties(device).kind == DeviceKind::physical_gpu;
  });
}

std::string own_obstacle(int processes, const std::vector<Device>& devices) {
  if (!devices.empty() && !are_whole_cards(devices)) return "the GPUs are virtual";
  return backend::card_collectives_obstacle(processes);
}

/// What keeps the processes from joining; empty if nothing does.
std::string common_obstacle(const std::vector<Ability>& abilities) {
  for (std::size_t rank = 0; rank < abilities.size(); ++rank) {
    if (abilities[rank].obstacle[0] != 0) return fmt::format("rank {}: {}", rank, abilities[rank].obstacle.data());
    if (abilities[rank].cards != abilities[0].cards) {
      return fmt::format("rank {} drives {} cards and rank 0 drives {}", rank, abilities[rank].cards,
                         abilities[0].cards);
    }
  }
  return {};
}

}  // namespace

bool Cards::have(const std::vector<Tensor>& tensors) const {
  return std::equal(tensors.begin(), tensors.end(), devices.begin(), devices.end(),
                    [](const Tensor& tensor, Device device) { return tensor.device() == device; });
}

bool prefers_cards(int processes, const std::vector<Device>& devices) {
  if (!backend::has_card_collectives() || !backend::prefers_card_collectives()) return false;
  return processes > 1 || (devices.size() > 1 && are_whole_cards(devices));
}

std::unique_ptr<Cards> join_cards(Engine* engine, const std::vector<Device>& devices, std::chrono::milliseconds timeout,
                                  std::string& obstacle) {
  const int processes = engine == nullptr ? 1 : engine->size();
  const int rank = engine == nullptr ? 0 : engine->rank();
  obstacle = own_obstacle(processes, devices);
  if (!backend::has_card_collectives()) return nullptr;  // on all, as they run one program
  if (engine != nullptr) {
    Ability own;
    own.cards = static_cast<std::int32_t>(devices.size());
    std::strncpy(own.obstacle.data(), obstacle.c_str(), own.obstacle.size() - 1);
    std::vector<Ability> abilities(static_cast<std::size_t>(processes));
    engine->all_gather(abilities.data(), &own, sizeof own);
    obstacle = common_obstacle(abilities);
  }
  if (!obstacle.empty()) return nullptr;
  backend::CardGroupId id{};
  if (rank == 0) id = backend::make_card_group_id();
  if (engine != nullptr) engine->broadcast(id.data(), id.size(), 0);
  std::vector<int> numbers;
  for (const Device device : devices) numbers.push_back(device.index());
  const int each = static_cast<int>(numbers.size());
  auto cards = std::make_unique<Cards>();
  cards->devices = devices;
  cards->count = each * processes;
  cards->timeout = timeout;
  cards->group = backend::join_card_group(d2l::detail::gpu_backend(), id, numbers, rank * each, cards->count, timeout);
  return cards;
}

}  // namespace d2l::distributed::detail
