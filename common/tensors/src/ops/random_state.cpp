// SPDX-License-Identifier: MIT
#include "ops/random_state.h"

#include <mutex>
#include <random>

namespace d2l::detail {

namespace {

struct Generator {
  std::mutex mutex;
  RandomState state;

  /// The operating system provides the seed until manual_seed() is called.
  Generator() {
    std::random_device device;
    state.seed = (std::uint64_t{device()} << 32U) | device();
  }
};

Generator& generator() {
  static Generator instance;
  return instance;
}

}  // namespace

RandomState random_state() {
  auto& own = generator();
  const std::lock_guard lock(own.mutex);
  return own.state;
}

void set_random_state(const RandomState& state) {
  auto& own = generator();
  const std::lock_guard lock(own.mutex);
  own.state = state;
}

RandomState take_random(std::int64_t count) {
  constexpr std::uint64_t block = 4;
  auto& own = generator();
  const std::lock_guard lock(own.mutex);
  const RandomState before = own.state;
  own.state.offset += (static_cast<std::uint64_t>(count) + block - 1) / block * block;
  return before;
}

}  // namespace d2l::detail
