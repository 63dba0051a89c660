// SPDX-License-Identifier: MIT
// StagingBuffer: a cache of a few buffers.
#include "backend/virtual_gpu/staging.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace d2l::backend {
namespace {

constexpr std::size_t smallest_kept = std::size_t{128} << 10;  // malloc caches smaller blocks itself
constexpr std::size_t most_bytes_kept = std::size_t{64} << 20;

struct Buffer {
  std::unique_ptr<std::byte[]> memory;
  std::size_t capacity = 0;
};

struct KeptBuffers {
  std::mutex mutex;
  std::vector<Buffer> buffers;
  std::size_t bytes = 0;
};

/// Never destroyed, because copies may be pending when the process ends.
KeptBuffers& kept_buffers() {
  static auto* const kept = new KeptBuffers;
  return *kept;
}

/// A cached buffer of at least `bytes` bytes and at most twice as many; an empty buffer if there is none.
Buffer take_kept(std::size_t bytes) {
  if (bytes < smallest_kept) return {};
  auto& kept = kept_buffers();
  const std::lock_guard lock(kept.mutex);
  const auto found = std::find_if(kept.buffers.begin(), kept.buffers.end(), [bytes](const Buffer& buffer) {
    return buffer.capacity >= bytes && buffer.capacity / 2 <= bytes;
  });
  if (found == kept.buffers.end()) return {};
  Buffer taken = std::move(*found);
  kept.buffers.erase(found);
  kept.bytes -= taken.capacity;
  return taken;
}

void keep(Buffer buffer) {
  auto& kept = kept_buffers();
  const std::lock_guard lock(kept.mutex);
  if (buffer.capacity > most_bytes_kept - kept.bytes) return;
  kept.bytes += buffer.capacity;
  kept.buffers.push_back(std::move(buffer));
}

}  // namespace

StagingBuffer::StagingBuffer(const void* source, std::size_t bytes) {
  Buffer buffer = take_kept(bytes);
  if (!buffer.memory) buffer = {std::unique_ptr<std::byte[]>(new std::byte[bytes]), bytes};
  memory_ = std::move(buffer.memory);
  capacity_ = buffer.capacity;
  std::memcpy(memory_.get(), source, bytes);
}

StagingBuffer::~StagingBuffer() {
  if (memory_ && capacity_ >= smallest_kept) keep({std::move(memory_), capacity_});
}

}  // namespace d2l::backend
