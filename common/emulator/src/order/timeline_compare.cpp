// SPDX-License-Identifier: MIT
// Comparisons of an operation with those that were submitted before it.
#include <algorithm>

#include "order/timeline.h"

namespace d2l::emulator {
namespace {

bool any_use(std::uint8_t, std::uint8_t) { return true; }
bool both_atomic(std::uint8_t a, std::uint8_t b) { return (a & b & atomic_use) != 0; }

}  // namespace

std::uint64_t Timeline::key_of(const Allocation& memory, int device) {
  const bool own = memory.kind == MemoryKind::symbol && !memory.managed;
  return memory.id * 64 + static_cast<std::uint64_t>(own ? device : 63);
}

void Timeline::compare(const std::shared_ptr<Operation>& operation) {
  if (!operation->compared) return;
  for (MemoryAccesses& accesses : operation->accesses) {
    const Allocation& memory = *accesses.allocation;
    if (memory.of_tensor) continue;
    auto& uses = uses_[key_of(memory, operation->device)];
    for (std::size_t i = uses.size(); i-- > 0;) {  // the latest first
      const Use& use = uses[i];
      const Operation& earlier = *use.operation;
      const bool ordered = earlier.before(*operation);
      const bool freed = earlier.kind == Operation::Kind::release && operation->kind != Operation::Kind::allocation;
      if (ordered && !freed) continue;
      const auto overlap = find_overlap(use.intervals, accesses.intervals, ordered ? any_use : need_order);
      if (!overlap || (operation->kind == Operation::Kind::host && talk(earlier, *operation))) continue;
      reports_.add(earlier, *operation, memory, *overlap, ordered);
      break;
    }
    std::erase_if(uses, [&](const Use& use) {
      const Operation& earlier = *use.operation;
      if (earlier.kind == Operation::Kind::release) return false;
      if (earlier.time <= operation->host->of(earlier.agent)) return true;
      return earlier.agent == operation->agent && use.intervals.size() <= 1024 &&
             covers(accesses.intervals, use.intervals);
    });
    constexpr std::size_t most = 512;
    if (uses.size() >= most) uses.erase(uses.begin());
    // What is submitted later comes after accesses of the host.
    const bool release = operation->kind == Operation::Kind::release;
    // Memory that a graph frees and allocates again.
    if (operation->kind == Operation::Kind::allocation) {
      std::erase_if(uses, [&](const Use& use) { return use.operation->before(*operation); });
    }
    if (release || operation->agent != host_agent) uses.push_back({operation, std::move(accesses.intervals)});
    if (!release) continue;
    constexpr std::size_t most_released = 4096;
    released_.push_back(key_of(memory, operation->device));
    if (released_.size() <= most_released) continue;
    uses_.erase(released_.front());
    released_.pop_front();
  }
  operation->accesses.clear();
  forget_old_uses(*operation->host);
}

/// True if the host and a kernel use a variable atomically: they may order by it what else they use.
bool Timeline::talk(const Operation& kernel, const Operation& host) const {
  return std::any_of(host.accesses.begin(), host.accesses.end(), [&](const MemoryAccesses& accesses) {
    const auto uses = uses_.find(key_of(*accesses.allocation, host.device));
    return uses != uses_.end() && std::any_of(uses->second.begin(), uses->second.end(), [&](const Use& use) {
             return use.operation.get() == &kernel && find_overlap(use.intervals, accesses.intervals, both_atomic);
           });
  });
}

/// Uses that the host has waited for are forgotten when their memory is used again, or here.
void Timeline::forget_old_uses(const VectorClock& host) {
  constexpr std::size_t least = 4096;
  if (uses_.size() < std::max(least, forget_at_)) return;
  for (auto& [key, uses] : uses_) {
    std::erase_if(uses, [&](const Use& use) {
      return use.operation->kind != Operation::Kind::release && use.operation->time <= host.of(use.operation->agent);
    });
  }
  std::erase_if(uses_, [](const auto& entry) { return entry.second.empty(); });
  forget_at_ = 2 * uses_.size();
}

}  // namespace d2l::emulator
