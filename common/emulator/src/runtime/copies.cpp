// SPDX-License-Identifier: MIT
// Copies and fills.
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "backend/virtual_gpu/work.h"
#include "calls/call_site.h"
#include "calls/explanations.h"
#include "calls/unread_errors.h"
#include "d2l_emulator/awkward.h"
#include "ledger/ledger.h"
#include "order/timeline.h"
#include "runtime/blocking.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/memory.h"
#include "runtime/recorded_wait.h"
#include "runtime/report.h"
#include "runtime/symbols.h"
#include "textures/boxes.h"

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
    if (contents_of(address) != address) {  // memory of a device that is not allocated
      const auto freed = allocations().find(address);
      explain_failure(freed ? fmt::format("The address is in memory that is freed: {}", freed->name)
                            : "The address is in memory of a device that is not allocated");
      throw Failure{cudaErrorInvalidValue};
    }
    return side;
  }
  const std::size_t offset = side.allocation->offset_of(address);
  if (bytes > side.allocation->bytes - offset) {
    explain_failure(why_outside(*side.allocation, offset, bytes));
    throw Failure{cudaErrorInvalidValue};
  }
  return side;
}

const char* where(const Side& side) {
  if (side.pageable()) return "pageable memory of the host";
  return side.on_device() ? "memory of a device" : (side.managed() ? "managed memory" : "pinned memory of the host");
}

/// Failure if the direction contradicts the addresses.
void check_direction(cudaMemcpyKind kind, const Side& to, const Side& from) {
  explain_failure(
      fmt::format("The destination is {}, and the source {}: the kind must say so, or be cudaMemcpyDefault. "
                  "Are the arguments in the right order (to, from)?",
                  where(to), where(from)));
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

/// `certain`: programs may rely on the wait.
void wait_for(Stream& stream, const char* call, bool certain) {
  const RecordedWait waiting(call, d2l::Device(kCUDA, stream.device().number()));
  certain ? stream.synchronize() : stream.wait_unnoticed();
}

/// The bytes of one end of a copy, or of a fill.
MemoryAccesses accesses_of(const Side& side, const void* begin, const Layout& layout, const Shape& shape, bool write) {
  MemoryAccesses accesses{side.allocation, {}};
  std::size_t first = 0;
  if (side.pageable()) {
    accesses.allocation = timeline().pageable();
    first = reinterpret_cast<std::uintptr_t>(begin);
  } else {
    first = side.allocation->offset_of(begin);
  }
  auto& intervals = accesses.intervals;
  for (std::size_t plane = 0; plane < shape.planes; ++plane) {
    for (std::size_t row = 0; row < shape.rows; ++row) {
      const std::size_t offset = first + plane * layout.plane + row * layout.pitch;
      if (!intervals.empty() && intervals.back().end == offset) {
        intervals.back().end += shape.width;
      } else {
        intervals.push_back({offset, offset + shape.width, write ? plain_write : plain_read, nullptr, nullptr});
      }
    }
  }
  return accesses;
}

Operation operation_of(Operation::Kind kind) {
  Operation operation;
  operation.kind = kind;
  operation.site = current_call();
  operation.reports = reports_of_this_thread();
  return operation;
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
  if (staged && shape.bytes() > staged_at_once) stream->wait_unnoticed();
  if (staged) *staging = backend::StagingBuffer(from, from_layout.extent(shape));
  auto span = record_copy(to_side, from_side, shape.bytes(), stream->device().number(),
                          to_side.pageable() || from_side.pageable());
  const bool track = allocations().tracks_initialised();
  Operation operation;
  if (timeline().active()) {
    operation = operation_of(Operation::Kind::copy);
    operation.accesses = {accesses_of(from_side, from, from_layout, shape, false),
                          accesses_of(to_side, to, to_layout, shape, true)};
  }
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
      std::move(span), std::move(operation));
  if (!waits) return;
  // A card waits only if the call says so, and not for a copy within device memory.
  const bool certain = wait && !(to_side.on_device() && from_side.on_device());
  wait_for(*stream, "cudaMemcpy", certain);
}

void fill(void* memory, const Layout& layout, int value, const Shape& shape, cudaStream_t handle) {
  const auto stream = stream_of(handle);
  if (shape.bytes() == 0) return;
  require(layout.pitch >= shape.width, cudaErrorInvalidPitchValue);
  const Side side = side_of(memory, layout.extent(shape));
  if (side.pageable()) {
    explain_failure("The address is not memory of the device: cudaMemset needs memory of cudaMalloc");
    throw Failure{cudaErrorInvalidValue};
  }
  Operation operation;
  if (timeline().active()) {
    operation = operation_of(Operation::Kind::fill);
    operation.accesses = {accesses_of(side, memory, layout, shape, true)};
  }
  stream->push(
      [=, device = stream->device().number()] {
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
      },
      nullptr, std::move(operation));
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
    require(box != nullptr);
    const cudaExtent& extent = box->extent;
    const std::size_t width = extent.width * unit_of_box(*box);
    if (width == 0 || extent.height == 0 || extent.depth == 0) return;
    const BoxEnd to = end_of_box(box->dstArray, box->dstPtr, box->dstPos, extent);
    const BoxEnd from = end_of_box(box->srcArray, box->srcPtr, box->srcPos, extent);
    copy(to.begin, {to.pitch, to.plane}, from.begin, {from.pitch, from.plane}, {width, extent.height, extent.depth},
         box->kind, stream, wait);
  });
}

const char* name_of_symbol_copy(bool to_symbol, bool wait) {
  if (to_symbol) return wait ? "cudaMemcpyToSymbol" : "cudaMemcpyToSymbolAsync";
  return wait ? "cudaMemcpyFromSymbol" : "cudaMemcpyFromSymbolAsync";
}

}  // namespace

cudaError_t copy_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset, bool to_symbol,
                        cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  const ApiCall call(__builtin_return_address(0), name_of_symbol_copy(to_symbol, wait));
  const auto variable = live_allocation(symbol);
  if (!variable || variable->kind != MemoryKind::symbol) {
    explain_failure(no_symbol);
    return note(cudaErrorInvalidSymbol);
  }
  if (offset > variable->bytes || bytes > variable->bytes - offset) {
    explain_failure(why_outside(*variable, offset, bytes));
    return note(cudaErrorInvalidValue);
  }
  auto* const inside = static_cast<std::byte*>(const_cast<void*>(symbol)) + offset;
  return to_symbol ? copy_bytes(inside, other, bytes, kind, stream, wait)
                   : copy_bytes(const_cast<void*>(other), inside, bytes, kind, stream, wait);
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return copy_bytes(to, from, bytes, kind, nullptr, true);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return copy_bytes(to, from, bytes, kind, stream, false);
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    device_at(to_device);
    device_at(from_device);
    for (const int device : {to_device, from_device}) device_at(device).synchronize();
    copy(to, {bytes, 0}, from, {bytes, 0}, {bytes}, cudaMemcpyDeviceToDevice, nullptr, true);
    if (timeline().active()) timeline().host_knows(timeline().clock_of(current_device().default_stream()->role()));
  });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    device_at(to_device);
    device_at(from_device);
    copy(to, {bytes, 0}, from, {bytes, 0}, {bytes}, cudaMemcpyDeviceToDevice, stream, false);
  });
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, nullptr, true);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream, false);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return copy_box(parameters, nullptr, true);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return copy_box(parameters, stream, false);
}

cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { fill(memory, {bytes, 0}, value, {bytes}, nullptr); });
}
cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { fill(memory, {bytes, 0}, value, {bytes}, stream); });
}
cudaError_t cudaMemset2D(void* memory, size_t pitch, int value, size_t width, size_t height) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { fill(memory, {pitch, 0}, value, {width, height}, nullptr); });
}
cudaError_t cudaMemset2DAsync(void* memory, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { fill(memory, {pitch, 0}, value, {width, height}, stream); });
}
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    fill(memory.ptr, {memory.pitch, memory.pitch * memory.ysize}, value, {extent.width, extent.height, extent.depth},
         nullptr);
  });
}
