// SPDX-License-Identifier: MIT
// Copies and fills.
#include <cstring>
#include <memory>
#include <optional>

#include "backend/virtual_gpu/work.h"
#include "d2l_emulator/awkward.h"
#include "ledger/ledger.h"
#include "runtime/blocking.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/memory.h"
#include "runtime/recorded_wait.h"
#include "runtime/symbols.h"

namespace d2l::emulator {
namespace {

/// Where one end of a copy is.
struct Side {
  std::shared_ptr<Allocation> allocation;  ///< null: pageable memory of the host

  [[nodiscard]] bool on_device() const {
    return allocation && (allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::symbol);
  }
  [[nodiscard]] bool symbol() const { return allocation && allocation->kind == MemoryKind::symbol; }
  [[nodiscard]] bool managed() const { return allocation && allocation->kind == MemoryKind::managed; }
  [[nodiscard]] bool pageable() const { return !allocation; }
  [[nodiscard]] d2l::Device device() const {
    return on_device() ? d2l::Device(kCUDA, allocation->device) : d2l::Device(kCPU);
  }
};

/// Rows of bytes, in planes; a plain copy is one row.
struct Shape {
  std::size_t width = 0;
  std::size_t rows = 1;
  std::size_t planes = 1;

  [[nodiscard]] std::size_t bytes() const { return width * rows * planes; }
};
struct Layout {
  std::size_t pitch = 0;  ///< from row to row
  std::size_t plane = 0;  ///< from plane to plane
  /// From the first byte to the end of the last one.
  [[nodiscard]] std::size_t extent(const Shape& shape) const {
    return (shape.planes - 1) * plane + (shape.rows - 1) * pitch + shape.width;
  }
};

Side side_of(const void* address, std::size_t bytes) {
  add_memory_of_tensor(address);
  Side side{live_allocation(address)};
  if (!side.allocation) {
    require(contents_of(address) == address);  // memory of a device that is not allocated
    return side;
  }
  require(bytes <= side.allocation->bytes - side.allocation->offset_of(address));
  return side;
}

/// Failure if the direction contradicts the addresses.
void check_direction(cudaMemcpyKind kind, const Side& to, const Side& from) {
  const auto fits = [](const Side& side, bool device) { return side.managed() || side.on_device() == device; };
  const auto may_be_device = [](const Side& side) { return side.allocation != nullptr; };
  switch (kind) {
    case cudaMemcpyHostToHost:
      return require(fits(to, false) && fits(from, false), cudaErrorInvalidValue);
    case cudaMemcpyHostToDevice:
      return require(may_be_device(to) && fits(from, false), cudaErrorInvalidValue);
    case cudaMemcpyDeviceToHost:
      return require(fits(to, false) && may_be_device(from), cudaErrorInvalidValue);
    case cudaMemcpyDeviceToDevice:
      return require(may_be_device(to) && may_be_device(from), cudaErrorInvalidValue);
    case cudaMemcpyDefault:
      return;
  }
  throw Failure{cudaErrorInvalidMemcpyDirection};
}

std::shared_ptr<backend::Span> record_copy(const Side& to, const Side& from, std::size_t bytes, int device,
                                           bool staged) {
  if (!ledger_is_open()) return nullptr;
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::copy;
  entry.name = "cudaMemcpy";
  entry.queue = d2l::Device(kCUDA, device);
  entry.source = from.device();
  entry.destination = to.device();
  entry.bytes = static_cast<std::int64_t>(bytes);
  entry.staged = staged;
  return detail::record(entry);
}

void wait_for(Stream& stream, const char* call) {
  const RecordedWait waiting(call, d2l::Device(kCUDA, stream.device().number()));
  stream.synchronize();
}

void copy(void* to, const Layout& to_layout, const void* from, const Layout& from_layout, const Shape& shape,
          cudaMemcpyKind kind, cudaStream_t handle, bool wait) {
  const auto stream = stream_of(handle);
  if (shape.bytes() == 0) return;
  require(to != nullptr && from != nullptr);
  require(to_layout.pitch >= shape.width && from_layout.pitch >= shape.width, cudaErrorInvalidPitchValue);
  const Side to_side = side_of(to, to_layout.extent(shape));
  const Side from_side = side_of(from, from_layout.extent(shape));
  check_direction(kind, to_side, from_side);
  // The host waits for a copy to pageable memory, and a copy from it begins with the contents of now.
  const bool uses_pageable = awkward().uses_pageable_memory;
  const bool waits = wait || (to_side.pageable() && !uses_pageable);
  const bool staged = !waits && from_side.pageable() && !uses_pageable;
  // The driver waits for earlier work before it stages more than this.
  constexpr std::size_t staged_at_once = std::size_t{64} << 10;
  if (waits || (staged && shape.bytes() > staged_at_once)) note_blocking_call();
  auto staging = std::make_shared<backend::StagingBuffer>();
  if (staged && shape.bytes() > staged_at_once) stream->synchronize();
  if (staged) *staging = backend::StagingBuffer(from, from_layout.extent(shape));
  auto span = record_copy(to_side, from_side, shape.bytes(), stream->device().number(),
                          to_side.pageable() || from_side.pageable());
  const bool track = allocations().tracks_initialised();
  stream->push(
      [=, device = stream->device().number()] {
        std::optional<SymbolsInPlace> symbols;
        if (to_side.symbol() || from_side.symbol()) symbols.emplace(device);
        auto* const target = static_cast<std::byte*>(contents_of(to));
        const auto* const source = static_cast<const std::byte*>(staged ? staging->data() : contents_of(from));
        for (std::size_t plane = 0; plane < shape.planes; ++plane) {
          for (std::size_t row = 0; row < shape.rows; ++row) {
            const std::size_t to_offset = plane * to_layout.plane + row * to_layout.pitch;
            const std::size_t from_offset = plane * from_layout.plane + row * from_layout.pitch;
            std::memmove(target + to_offset, source + from_offset, shape.width);
            if (!track) continue;
            const auto* const written = static_cast<const std::byte*>(to) + to_offset;
            if (from_side.on_device()) {
              allocations().copy_initialised(written, static_cast<const std::byte*>(from) + from_offset, shape.width);
            } else {
              allocations().mark_initialised(written, shape.width);
            }
          }
        }
      },
      std::move(span));
  if (waits) wait_for(*stream, "cudaMemcpy");
}

void fill(void* memory, const Layout& layout, int value, const Shape& shape, cudaStream_t handle) {
  const auto stream = stream_of(handle);
  if (shape.bytes() == 0) return;
  require(layout.pitch >= shape.width, cudaErrorInvalidPitchValue);
  const Side side = side_of(memory, layout.extent(shape));
  require(!side.pageable());
  stream->push([=, device = stream->device().number()] {
    std::optional<SymbolsInPlace> symbols;
    if (side.symbol()) symbols.emplace(device);
    auto* const target = static_cast<std::byte*>(contents_of(memory));
    for (std::size_t plane = 0; plane < shape.planes; ++plane) {
      for (std::size_t row = 0; row < shape.rows; ++row) {
        const std::size_t offset = plane * layout.plane + row * layout.pitch;
        std::memset(target + offset, value, shape.width);
        allocations().mark_initialised(static_cast<const std::byte*>(memory) + offset, shape.width);
      }
    }
  });
}

cudaError_t copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                      cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  return device_call([&] { copy(to, {to_pitch, 0}, from, {from_pitch, 0}, {width, height}, kind, stream, wait); });
}

cudaError_t copy_bytes(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  return copy_rows(to, bytes, from, bytes, bytes, 1, kind, stream, wait);
}

cudaError_t copy_box(const cudaMemcpy3DParms* box, cudaStream_t stream, bool wait) {
  return device_call([&] {
    require(box != nullptr && box->srcArray == nullptr && box->dstArray == nullptr, cudaErrorNotSupported);
    const auto layout = [](const cudaPitchedPtr& memory) { return Layout{memory.pitch, memory.pitch * memory.ysize}; };
    const auto begin = [&](const cudaPitchedPtr& memory, const cudaPos& at) {
      return static_cast<std::byte*>(memory.ptr) + at.z * layout(memory).plane + at.y * memory.pitch + at.x;
    };
    copy(begin(box->dstPtr, box->dstPos), layout(box->dstPtr), begin(box->srcPtr, box->srcPos), layout(box->srcPtr),
         {box->extent.width, box->extent.height, box->extent.depth}, box->kind, stream, wait);
  });
}

}  // namespace

cudaError_t copy_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset, bool to_symbol,
                        cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  const auto variable = live_allocation(symbol);
  if (!variable || variable->kind != MemoryKind::symbol) return note(cudaErrorInvalidSymbol);
  if (offset > variable->bytes || bytes > variable->bytes - offset) return note(cudaErrorInvalidValue);
  auto* const inside = static_cast<std::byte*>(const_cast<void*>(symbol)) + offset;
  return to_symbol ? copy_bytes(inside, other, bytes, kind, stream, wait)
                   : copy_bytes(const_cast<void*>(other), inside, bytes, kind, stream, wait);
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_bytes(to, from, bytes, kind, nullptr, true);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes(to, from, bytes, kind, stream, false);
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return device_call([&] {
    device_at(to_device);
    device_at(from_device);
    copy(to, {bytes, 0}, from, {bytes, 0}, {bytes}, cudaMemcpyDeviceToDevice, nullptr, true);
  });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  return device_call([&] {
    device_at(to_device);
    device_at(from_device);
    copy(to, {bytes, 0}, from, {bytes, 0}, {bytes}, cudaMemcpyDeviceToDevice, stream, false);
  });
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, nullptr, true);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream, false);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) { return copy_box(parameters, nullptr, true); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy_box(parameters, stream, false);
}

cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  return device_call([&] { fill(memory, {bytes, 0}, value, {bytes}, nullptr); });
}
cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  return device_call([&] { fill(memory, {bytes, 0}, value, {bytes}, stream); });
}
cudaError_t cudaMemset2D(void* memory, size_t pitch, int value, size_t width, size_t height) {
  return device_call([&] { fill(memory, {pitch, 0}, value, {width, height}, nullptr); });
}
cudaError_t cudaMemset2DAsync(void* memory, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return device_call([&] { fill(memory, {pitch, 0}, value, {width, height}, stream); });
}
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return device_call([&] {
    fill(memory.ptr, {memory.pitch, memory.pitch * memory.ysize}, value, {extent.width, extent.height, extent.depth},
         nullptr);
  });
}
