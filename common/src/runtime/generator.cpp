// SPDX-License-Identifier: MIT
// The process's random numbers.
#include "runtime/generator.h"

#include <mutex>
#include <random>

namespace d2l::detail {

namespace {

/// Seeded by the operating system until manual_seed is called.
class Generator {
 public:
  Generator() {
    std::random_device device;
    seed_ = (std::uint64_t{device()} << 32U) | device();
  }

  void seed(std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    seed_ = seed;
    offset_ = 0;
  }

  RandomRange take(std::uint64_t count) {
    constexpr std::uint64_t block = 4;
    const std::lock_guard lock(mutex_);
    const RandomRange range{seed_, offset_};
    offset_ += (count + block - 1) / block * block;
    return range;
  }

 private:
  std::mutex mutex_;
  std::uint64_t seed_ = 0;
  std::uint64_t offset_ = 0;
};

Generator& generator() {
  static Generator instance;
  return instance;
}

}  // namespace

detail::RandomRange take_random(std::int64_t count) { return generator().take(static_cast<std::uint64_t>(count)); }

void seed_generator(std::uint64_t seed) { generator().seed(seed); }

}  // namespace d2l::detail
