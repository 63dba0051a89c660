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
#include "copies/copy_parts.h"
#include "d2l_emulator/awkward.h"
#include "execution/run_kernel.h"
#include "graphs/capture.h"
#include "graphs/graph_memory.h"
#include "ledger/ledger.h"
#include "nested/in_kernel.h"
#include "order/timeline.h"
#include "report/report.h"
#include "runtime/blocking.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/memory.h"
#include "runtime/recorded_wait.h"
#include "runtime/symbols.h"
#include "textures/boxes.h"

namespace d2l::emulator {
namespace {

/// `certain`: programs may rely on the wait.
void wait_for(Stream& stream, const char* call, bool certain) {
  const RecordedWait waiting(call, d2l::gpu(stream.device().number()));
  certain ? stream.synchronize() : stream.wait_unnoticed();
}

/// Copies from `source`, which holds the bytes of `ends.from`.
void copy_now(const Ends& ends, const std::byte* source, int device) {
  std::optional<SymbolsInPlace> symbols;
  if (ends.to_side.symbol() || ends.from_side.symbol()) symbols.emplace(device);
  auto* const target = static_cast<std::byte*>(contents_of(ends.to));
  if (source == nullptr) source = static_cast<const std::byte*>(contents_of(ends.from));
  for (std::size_t plane = 0; plane < ends.shape.planes; ++plane) {
    for (std::size_t row = 0; row < ends.shape.rows; ++row) {
      const std::size_t to_offset = plane * ends.to_layout.plane + row * ends.to_layout.pitch;
      const std::size_t from_offset = plane * ends.from_layout.plane + row * ends.from_layout.pitch;
      std::memmove(target + to_offset, source + from_offset, ends.shape.width);
      if (!ends.track) continue;
      const auto* const written = static_cast<const std::byte*>(ends.to) + to_offset;
      if (ends.from_side.on_device()) {
        const auto* const read = static_cast<const std::byte*>(ends.from) + from_offset;
        allocations().copy_initialised(written, read, ends.shape.width);
      } else {
        allocations().mark_initialised(written, ends.shape.width);
      }
    }
  }
}

Operation operation_of_copy(const Ends& ends) {
  if (!timeline().active()) return {};
  Operation operation = operation_of(Operation::Kind::copy);
  operation.accesses = {accesses_of(ends.from_side, ends.from, ends.from_layout, ends.shape, false),
                        accesses_of(ends.to_side, ends.to, ends.to_layout, ends.shape, true)};
  return operation;
}

/// A copy as a node of a graph: it reads its source when it runs.
Work work_of(const Ends& ends, cudaMemcpyKind kind) {
  Work work;
  work.type = cudaGraphNodeTypeMemcpy;
  work.name = fmt::format("copy of {} bytes", ends.shape.bytes());
  const auto end = [](const void* begin, const Layout& layout) {
    const std::size_t rows = layout.pitch == 0 ? 0 : layout.plane / layout.pitch;
    return make_cudaPitchedPtr(const_cast<void*>(begin), layout.pitch, layout.pitch, rows);
  };
  cudaMemcpy3DParms parameters{};
  parameters.dstPtr = end(ends.to, ends.to_layout);
  parameters.srcPtr = end(ends.from, ends.from_layout);
  parameters.extent = make_cudaExtent(ends.shape.width, ends.shape.rows, ends.shape.planes);
  parameters.kind = kind;
  work.parameters = parameters;
  work.enqueue = [ends, site = current_call()](Stream& stream, const StreamRole& role) {
    const int device = stream.device().number();
    auto span = record_copy(ends.to_side, ends.from_side, ends.shape.bytes(), device, false);
    Operation operation = operation_of_copy(ends);
    operation.site = site;
    return stream.enqueue(
        role,
        [ends, device, site] {
          const WorkOfCall of_call(site);
          copy_now(ends, nullptr, device);
        },
        std::move(span), std::move(operation));
  };
  return work;
}

/// A copy of one row does not use the pitch, and a card accepts 0 there: NVIDIA's sample volumeRender passes it.
void require_pitch(std::size_t pitch, const Shape& shape) {
  const bool one_row = shape.rows == 1 && shape.planes == 1;
  require(pitch >= shape.width || (one_row && pitch == 0), cudaErrorInvalidPitchValue);
}

void copy(void* to, const Layout& to_layout, const void* from, const Layout& from_layout, const Shape& shape,
          cudaMemcpyKind kind, cudaStream_t handle, bool wait) {
  const auto stream = stream_of(handle);
  if (wait) forbid_wait(*stream), forbid_unsafe_call();
  if (shape.bytes() == 0) return;
  require(to != nullptr && from != nullptr);
  require_pitch(to_layout.pitch, shape);
  require_pitch(from_layout.pitch, shape);
  const Side to_side = side_of(to, to_layout.extent(shape));
  const Side from_side = side_of(from, from_layout.extent(shape));
  check_direction(kind, to_side, from_side);
  const Ends ends{to, to_layout, from, from_layout, shape, to_side, from_side, allocations().tracks_initialised()};
  if (any_capture() && record_work(*stream, work_of(ends, kind))) return;
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
  stream->push(
      [=, site = current_call(), device = stream->device().number()] {
        const WorkOfCall of_call(site);
        copy_now(ends, staged ? static_cast<const std::byte*>(staging->data()) : nullptr, device);
      },
      std::move(span), operation_of_copy(ends));
  if (!waits) return;
  // A card waits only if the call says so, and not for a copy within device memory.
  const bool certain = wait && !(to_side.on_device() && from_side.on_device());
  wait_for(*stream, "cudaMemcpy", certain);
}

/// Fills rows with copies of an element.
void fill_now(const Side& side, const FillOf& what, int device) {
  std::optional<SymbolsInPlace> symbols;
  if (side.symbol()) symbols.emplace(device);
  auto* const target = static_cast<std::byte*>(contents_of(what.memory));
  for (std::size_t plane = 0; plane < what.shape.planes; ++plane) {
    for (std::size_t row = 0; row < what.shape.rows; ++row) {
      const std::size_t offset = plane * what.layout.plane + row * what.layout.pitch;
      if (what.element == 1) {
        std::memset(target + offset, static_cast<int>(what.value), what.shape.width);
      } else {
        for (std::size_t at = 0; at < what.shape.width; at += what.element) {
          std::memcpy(target + offset + at, &what.value, what.element);  // the lowest bytes
        }
      }
      allocations().mark_initialised(static_cast<const std::byte*>(what.memory) + offset, what.shape.width);
    }
  }
}

Work work_of(const FillOf& what) {
  require(what.layout.pitch >= what.shape.width, cudaErrorInvalidPitchValue);
  const Side side = side_of(what.memory, what.layout.extent(what.shape));
  if (side.pageable()) {
    explain_failure("The address is not memory of the device: cudaMemset needs memory of cudaMalloc");
    throw Failure{cudaErrorInvalidValue};
  }
  Work work;
  work.type = cudaGraphNodeTypeMemset;
  work.name = fmt::format("memset of {} bytes", what.shape.bytes());
  work.parameters = cudaMemsetParams{what.memory,
                                     what.layout.pitch,
                                     what.value,
                                     static_cast<unsigned>(what.element),
                                     what.shape.width / what.element,
                                     what.shape.rows * what.shape.planes};
  work.enqueue = [=, site = current_call()](Stream& stream, const StreamRole& role) {
    Operation operation;
    if (timeline().active()) {
      operation = operation_of(Operation::Kind::fill);
      operation.site = site;
      operation.accesses = {accesses_of(side, what.memory, what.layout, what.shape, true)};
    }
    return stream.enqueue(
        role, [=, device = stream.device().number()] { fill_now(side, what, device); }, nullptr, std::move(operation));
  };
  return work;
}

void fill(void* memory, const Layout& layout, int value, const Shape& shape, cudaStream_t handle) {
  const auto stream = stream_of(handle);
  if (shape.bytes() == 0) return;
  stream->submit(work_of(FillOf{memory, layout, static_cast<unsigned char>(value), 1, shape}));
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

void* part_of_symbol(const void* symbol, std::size_t bytes, std::size_t offset) {
  const auto variable = live_allocation(symbol);
  if (!variable || variable->kind != MemoryKind::symbol) {
    explain_failure(no_symbol);
    throw Failure{cudaErrorInvalidSymbol};
  }
  if (offset > variable->bytes || bytes > variable->bytes - offset) {
    explain_failure(why_outside(*variable, offset, bytes));
    throw Failure{cudaErrorInvalidValue};
  }
  return static_cast<std::byte*>(const_cast<void*>(symbol)) + offset;
}

Work copy_work(const cudaMemcpy3DParms& box) {
  const Shape shape{box.extent.width * unit_of_box(box), box.extent.height, box.extent.depth};
  require(shape.bytes() > 0);
  const BoxEnd to = end_of_box(box.dstArray, box.dstPtr, box.dstPos, box.extent);
  const BoxEnd from = end_of_box(box.srcArray, box.srcPtr, box.srcPos, box.extent);
  require(to.begin != nullptr && from.begin != nullptr);
  require_pitch(to.pitch, shape);
  require_pitch(from.pitch, shape);
  const Layout to_layout{to.pitch, to.plane};
  const Layout from_layout{from.pitch, from.plane};
  const Ends ends{to.begin,
                  to_layout,
                  from.begin,
                  from_layout,
                  shape,
                  side_of(to.begin, to_layout.extent(shape)),
                  side_of(from.begin, from_layout.extent(shape)),
                  allocations().tracks_initialised()};
  check_direction(box.kind, ends.to_side, ends.from_side);
  Work work = work_of(ends, box.kind);
  work.parameters = box;
  return work;
}

cudaMemcpy3DParms copy_of_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms box{};
  box.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
  box.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
  box.extent = make_cudaExtent(bytes, 1, 1);
  box.kind = kind;
  return box;
}

cudaMemcpy3DParms copy_of_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset,
                                 bool to_symbol, cudaMemcpyKind kind) {
  void* const inside = part_of_symbol(symbol, bytes, offset);
  return to_symbol ? copy_of_bytes(inside, other, bytes, kind)
                   : copy_of_bytes(const_cast<void*>(other), inside, bytes, kind);
}

Work fill_work(const cudaMemsetParams& what) {
  require(what.elementSize == 1 || what.elementSize == 2 || what.elementSize == 4);
  require(what.dst != nullptr && what.width > 0 && what.height > 0);
  const std::size_t width = what.width * what.elementSize;
  const std::size_t pitch = what.height == 1 ? width : what.pitch;
  Work work = work_of(FillOf{what.dst, {pitch, 0}, what.value, what.elementSize, {width, what.height}});
  work.parameters = what;
  return work;
}

cudaError_t copy_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset, bool to_symbol,
                        cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  const ApiCall call(__builtin_return_address(0), name_of_symbol_copy(to_symbol, wait));
  void* inside = nullptr;
  const cudaError_t error = plain_call([&] { inside = part_of_symbol(symbol, bytes, offset); });
  if (error != cudaSuccess) return error;
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
  if (in_kernel()) return in_kernel_calls::copy(to, bytes, from, bytes, bytes, 1, stream, __builtin_return_address(0));
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
  if (in_kernel())
    return in_kernel_calls::copy(to, to_pitch, from, from_pitch, width, height, stream, __builtin_return_address(0));
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
  if (in_kernel()) return in_kernel_calls::fill(memory, bytes, value, bytes, 1, stream, __builtin_return_address(0));
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { fill(memory, {bytes, 0}, value, {bytes}, stream); });
}
cudaError_t cudaMemset2D(void* memory, size_t pitch, int value, size_t width, size_t height) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { fill(memory, {pitch, 0}, value, {width, height}, nullptr); });
}
cudaError_t cudaMemset2DAsync(void* memory, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  if (in_kernel())
    return in_kernel_calls::fill(memory, pitch, value, width, height, stream, __builtin_return_address(0));
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
