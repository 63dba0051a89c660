// SPDX-License-Identifier: MIT
#include "copies/copy_parts.h"

#include <fmt/format.h>

#include <cstdint>

#include "calls/explanations.h"
#include "calls/unread_errors.h"
#include "graphs/graph_memory.h"
#include "ledger/ledger.h"
#include "order/timeline.h"
#include "report/report.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/memory.h"

namespace d2l::emulator {
namespace {

const char* where(const Side& side) {
  if (side.pageable()) return "pageable memory of the host";
  return side.on_device() ? "memory of a device" : (side.managed() ? "managed memory" : "pinned memory of the host");
}

}  // namespace

Side side_of(const void* address, std::size_t bytes) {
  add_memory_of_tensor(address);
  Side side{live_allocation(address)};
  if (!side.allocation) side.allocation = allocation_of_graph(address);
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
  entry.queue = d2l::gpu(device);
  entry.source = from.device();
  entry.destination = to.device();
  entry.bytes = static_cast<std::int64_t>(bytes);
  entry.staged = staged;
  return detail::record(entry);
}

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

}  // namespace d2l::emulator
