// SPDX-License-Identifier: MIT
// What copies and fills consist of: their ends, and what they access.
#pragma once

#include <cstddef>
#include <memory>

#include "backend/backend.h"
#include "d2l/device.h"
#include "d2l_emulator/runtime_types.h"
#include "execution/allocation_table.h"
#include "order/operation.h"

namespace d2l::emulator {

/// Where one end of a copy is.
struct Side {
  std::shared_ptr<Allocation> allocation;  ///< null: pageable memory of the host

  [[nodiscard]] bool on_device() const {
    return allocation && (allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::symbol);
  }
  [[nodiscard]] bool symbol() const { return allocation && allocation->kind == MemoryKind::symbol; }
  [[nodiscard]] bool managed() const { return allocation && allocation->kind == MemoryKind::managed; }
  [[nodiscard]] bool pageable() const { return !allocation; }
  [[nodiscard]] d2l::Device device() const { return on_device() ? d2l::gpu(allocation->device) : d2l::cpu(); }
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
/// Where the bytes of a copy are.
struct Ends {
  void* to;
  Layout to_layout;
  const void* from;
  Layout from_layout;
  Shape shape;
  Side to_side;
  Side from_side;
  bool track;  ///< which bytes are initialised
};
/// What is filled, and with what.
struct FillOf {
  void* memory;
  Layout layout;
  unsigned value;
  std::size_t element;  ///< its bytes: 1, 2 or 4
  Shape shape;
};

/// The end of a copy at an address; Failure if it has fewer than `bytes` bytes.
Side side_of(const void* address, std::size_t bytes);
/// Failure if the direction contradicts the addresses.
void check_direction(cudaMemcpyKind kind, const Side& to, const Side& from);
std::shared_ptr<backend::Span> record_copy(const Side& to, const Side& from, std::size_t bytes, int device,
                                           bool staged);
/// The bytes of one end of a copy, or of a fill.
MemoryAccesses accesses_of(const Side& side, const void* begin, const Layout& layout, const Shape& shape, bool write);
/// An operation of the running call.
Operation operation_of(Operation::Kind kind);

}  // namespace d2l::emulator
