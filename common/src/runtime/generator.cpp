// SPDX-License-Identifier: MIT
// The random number generator of the process.
#include "runtime/generator.h"

#include <mutex>
#include <random>

namespace d2l::detail {
namespace {

struct Generator {
  std::mutex mutex;
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;

  /// The operating system provides the seed until seed_generator() is called.
  Generator() {
    std::random_device device;
    seed = (std::uint64_t{device()} << 32U) | device();
  }
};

Generator& generator() {
  static Generator instance;
  return instance;
}

}  // namespace

RandomRange take_random(std::int64_t count) {
  constexpr std::uint64_t block = 4;
  auto& state = generator();
  const std::lock_guard lock(state.mutex);
  const RandomRange range{state.seed, state.offset};
  state.offset += (static_cast<std::uint64_t>(count) + block - 1) / block * block;
  return range;
}

void seed_generator(std::uint64_t seed) {
  auto& state = generator();
  const std::lock_guard lock(state.mutex);
  state.seed = seed;
  state.offset = 0;
}

}  // namespace d2l::detail
