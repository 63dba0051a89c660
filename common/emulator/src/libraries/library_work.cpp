// SPDX-License-Identifier: MIT
#include "libraries/library_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "copies/copy_parts.h"
#include "graphs/graph_memory.h"
#include "graphs/work.h"
#include "order/timeline.h"
#include "report/report.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/memory.h"
#include "runtime/symbols.h"

namespace d2l::emulator {
namespace {

/// Memory, and the allocation that it is in.
struct UsedMemory {
  LibraryMemory memory;
  std::shared_ptr<Allocation> allocation;

  [[nodiscard]] bool reads() const { return memory.use == LibraryUse::read || memory.use == LibraryUse::both; }
  [[nodiscard]] bool writes() const { return memory.use == LibraryUse::write || memory.use == LibraryUse::both; }
  [[nodiscard]] const char* verb() const { return reads() == writes() ? "uses" : (reads() ? "reads" : "writes"); }
  [[nodiscard]] std::size_t end() const {
    std::size_t last = 0;
    for (const ByteRange& range : memory.ranges) last = std::max(last, range.offset + range.bytes);
    return last;
  }
};

/// Sorts the ranges, and joins those without a gap.
void join(std::vector<ByteRange>& ranges) {
  std::erase_if(ranges, [](const ByteRange& one) { return one.bytes == 0; });
  const auto before = [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; };
  if (!std::ranges::is_sorted(ranges, before)) std::ranges::sort(ranges, before);
  std::size_t kept = 0;
  for (const ByteRange& next : ranges) {
    if (kept > 0 && next.offset <= ranges[kept - 1].offset + ranges[kept - 1].bytes) {
      ByteRange& last = ranges[kept - 1];
      last.bytes = std::max(last.bytes, next.offset + next.bytes - last.offset);
    } else {
      ranges[kept++] = next;
    }
  }
  ranges.resize(kept);
}

std::vector<UsedMemory> used(std::vector<LibraryMemory> all) {
  std::vector<UsedMemory> result;
  for (LibraryMemory& memory : all) {
    join(memory.ranges);
    if (memory.ranges.empty()) continue;
    add_memory_of_tensor(memory.begin);
    auto allocation = live_allocation(memory.begin);
    if (!allocation) allocation = allocation_of_graph(memory.begin);
    result.push_back({std::move(memory), std::move(allocation)});
  }
  return result;
}

/// "at x.cu:12: cufftExecC2C" of the running call.
std::string call_text(const CallSite& site) {
  const std::string at = site.where();
  return fmt::format("{}{}: {}", at.empty() ? "" : " at ", at, site.name);
}

/// Why a kernel of the device could not use the memory; empty if it could.
std::string obstacle(const UsedMemory& one, Device& device, const CallSite& site) {
  const std::string call = call_text(site);
  const void* const begin = one.memory.begin;
  if (!one.allocation) {
    if (begin == nullptr) return fmt::format("null pointer{} {} {} bytes there", call, one.verb(), one.end());
    if (const auto freed = allocations().find(begin)) {
      return fmt::format("freed memory{} {} {}, which is freed", call, one.verb(), freed->name);
    }
    return fmt::format(
        "wrong address{} {} {}, which is not memory of a device. Copy the data to memory from cudaMalloc", call,
        one.verb(), begin);
  }
  const std::size_t offset = one.allocation->offset_of(begin);
  if (one.end() > one.allocation->bytes - offset) {
    return fmt::format("out of bounds{} {} {} bytes from byte {} of {}, which has {} bytes", call, one.verb(),
                       one.end(), offset, one.allocation->name, one.allocation->bytes);
  }
  const std::vector<int> reachable = device.reachable();
  const bool reached = std::ranges::find(reachable, one.allocation->device) != reachable.end();
  if (one.allocation->kind == MemoryKind::device && !reached) {
    return fmt::format("wrong device{} {} {}, which is memory of another device without peer access", call, one.verb(),
                       one.allocation->name);
  }
  return "";
}

/// Which bytes are read that were never written; empty if none.
std::string uninitialised(const UsedMemory& one, const CallSite& site) {
  const std::size_t first = one.allocation->offset_of(one.memory.begin);
  for (const ByteRange& range : one.memory.ranges) {
    if (one.allocation->is_initialised(first + range.offset, range.bytes)) continue;
    std::size_t at = first + range.offset;
    while (one.allocation->is_initialised(at, 1)) ++at;
    return fmt::format("uninitialised{} reads byte {} of {}, which was never written", call_text(site), at,
                       one.allocation->name);
  }
  return "";
}

void fail(Device& device, const Operation& operation, cudaError_t error, const std::string& text) {
  if (operation.reports == nullptr) device.fail(error, text);
  operation.reports->add(text);
}

MemoryAccesses accesses_of(const UsedMemory& one) {
  MemoryAccesses accesses{one.allocation, {}};
  const std::size_t first = one.allocation->offset_of(one.memory.begin);
  const int bits = (one.reads() ? plain_read : 0) | (one.writes() ? plain_write : 0);
  for (const ByteRange& range : one.memory.ranges) {
    const std::size_t offset = first + range.offset;
    accesses.intervals.push_back({offset, offset + range.bytes, static_cast<std::uint8_t>(bits), nullptr, nullptr});
  }
  return accesses;
}

/// Fails with --check where memory is read that was never written.
void require_initialised(Device& device, const Operation& operation, const std::vector<UsedMemory>& all) {
  for (const UsedMemory& one : all) {
    if (!one.reads()) continue;
    const std::string text = uninitialised(one, operation.site);
    if (!text.empty()) fail(device, operation, cudaErrorLaunchFailure, text);
  }
}
void mark_written(const std::vector<UsedMemory>& all) {
  for (const UsedMemory& one : all) {
    if (!one.writes()) continue;
    const std::size_t first = one.allocation->offset_of(one.memory.begin);
    for (const ByteRange& range : one.memory.ranges) {
      one.allocation->mark_initialised(first + range.offset, range.bytes);
    }
  }
}
void add_accesses(std::vector<MemoryAccesses>& to, const std::vector<UsedMemory>& all) {
  for (const UsedMemory& one : all) {
    if (one.memory.use != LibraryUse::somewhere) to.push_back(accesses_of(one));
  }
}

/// The parts that a work has used of memory that it was announced with.
std::vector<UsedMemory> parts_of(const std::vector<UsedMemory>& all, std::vector<LibraryMemory> parts) {
  std::vector<UsedMemory> result;
  for (LibraryMemory& part : parts) {
    const auto whole = std::ranges::find_if(all, [&](const auto& one) { return one.memory.begin == part.begin; });
    join(part.ranges);
    if (whole != all.end() && !part.ranges.empty()) result.push_back({std::move(part), whole->allocation});
  }
  return result;
}

/// Returns the accesses to memory that the work uses somewhere.
std::vector<MemoryAccesses> run(Device& device, const Operation& operation, const std::vector<UsedMemory>& all,
                                const LibraryWork& work) {
  const bool track = allocations().tracks_initialised();
  if (track && host_uses_memory()) allocations().mark_all_initialised();  // the host's writes are not seen
  std::optional<SymbolsInPlace> symbols;
  for (const UsedMemory& one : all) {
    if (one.allocation->kind == MemoryKind::symbol && !symbols) symbols.emplace(device.number());
  }
  if (track) require_initialised(device, operation, all);
  std::vector<UsedMemory> found;
  try {
    found = parts_of(all, work());
  } catch (const LibraryFault& fault) {
    fail(device, operation, fault.error, fmt::format("{}{} {}", fault.kind, call_text(operation.site), fault.text));
  }
  if (track) {
    require_initialised(device, operation, found);
    mark_written(all);
    mark_written(found);
  }
  std::vector<MemoryAccesses> accesses;
  if (timeline().active()) add_accesses(accesses, found);
  return accesses;
}

}  // namespace

cudaError_t push_library_work(cudaStream_t handle, std::vector<LibraryMemory> memory, LibraryWork work,
                              const CallSite& site) {
  return device_call([&] {
    const auto stream = stream_of(handle);
    Device& device = stream->device();
    Operation operation = operation_of(Operation::Kind::other);
    operation.site = site;
    const auto all = used(std::move(memory));
    for (const UsedMemory& one : all) {
      std::string text = obstacle(one, device, operation.site);
      if (text.empty()) continue;
      stream->push([&device, operation, text] { fail(device, operation, cudaErrorIllegalAddress, text); });
      return;
    }
    if (timeline().active()) add_accesses(operation.accesses, all);
    auto task = [&device, operation, all, work = std::move(work)](const std::shared_ptr<Operation>&) {
      return run(device, operation, all, work);
    };
    stream->submit(plain_work(std::move(task), operation));
  });
}
cudaError_t push_library_work(cudaStream_t stream, std::vector<LibraryMemory> memory, std::function<void()> work) {
  return push_library_work(stream, std::move(memory), LibraryWork([work = std::move(work)] {
                             work();
                             return std::vector<LibraryMemory>();
                           }));
}

cudaError_t wait_for_library_work(cudaStream_t stream) {
  return device_call([&] { stream_of(stream)->synchronize(); });
}

}  // namespace d2l::emulator
