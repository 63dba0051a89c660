// SPDX-License-Identifier: MIT
#include "checks/checker.h"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "arguments/host_objects.h"
#include "calls/explanations.h"
#include "calls/program_stack.h"
#include "checks/element_text.h"
#include "checks/source_lines.h"
#include "execution/current.h"

namespace d2l::emulator {
namespace {

constexpr std::size_t near_allocation = std::size_t{1} << 20;

const char* verb(AccessKind kind) {
  if (is_atomic(kind)) return "atomic access";
  return writes(kind) ? "write" : "read";
}

/// True if the range is in a loaded program or library, in a part that may be accessed in this way.
bool in_image(const std::byte* address, std::size_t bytes, bool write) {
  struct Query {
    std::uintptr_t begin;
    std::size_t bytes;
    bool write;
  } query{reinterpret_cast<std::uintptr_t>(address), bytes, write};
  return dl_iterate_phdr(
             [](dl_phdr_info* image, std::size_t, void* data) {
               const auto& wanted = *static_cast<Query*>(data);
               for (int i = 0; i < image->dlpi_phnum; ++i) {
                 const auto& part = image->dlpi_phdr[i];
                 if (part.p_type != PT_LOAD && part.p_type != PT_GNU_RELRO) continue;
                 // Clang without optimisation keeps the initial values of local arrays with the variables.
                 if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0 && wanted.bytes <= 16) continue;
                 const std::uintptr_t offset = wanted.begin - (image->dlpi_addr + part.p_vaddr);
                 if (!wanted.write && offset < part.p_memsz && wanted.bytes <= part.p_memsz - offset) return 1;
               }
               return 0;
             },
             &query) != 0;
}

}  // namespace

std::string Checker::element_text(const Allocation& array, std::ptrdiff_t offset, std::size_t bytes) const {
  return emulator::element_text(array, offset, bytes, worker_.launch->name, worker_.launch->pointers);
}

void Checker::begin_launch() {
  reports_.clear();
  races_.clear();
  written_.clear();
  epochs_.clear();
  released_.clear();
  pending_.reset();
  guesses_.clear();
  time_ = 1;
  grid_phase_ = 0;
  if (next_epoch_ > 0x80000000U) {
    regions_.forget_shadows();
    next_epoch_ = 1;
  }
  first_epoch_ = next_epoch_;
  begin_with_parents();
  regions_.begin_launch();
}

std::string Checker::end_launch() {
  flush_pending();
  compare_written();
  tell_same_values();
  end_as_parent();
  return reports_.text();
}

void Checker::new_epoch(Block& of) {
  of.epoch = next_epoch_++;
  of.epoch_time = time_;
  epochs_.push_back({of.number, of.phase, time_, grid_phase_});
  if (of.phase_epoch == 0) of.phase_epoch = of.epoch;
}

void Checker::switch_block(Block& of) {
  if (of.epoch == 0 || of.epoch_time != time_) new_epoch(of);
  regions_.update_shared(of);
  auto& shared = regions_.shared();
  for (std::size_t i = 0; i < of.saved_initialised.size(); ++i) {
    for (std::size_t k = 0; k < of.saved_initialised[i].size(); ++k) {
      shared[i].allocation->initialised[k].store(of.saved_initialised[i][k], std::memory_order_relaxed);
    }
  }
}

void Checker::save_shared(Block& of) {
  of.saved_initialised.clear();
  for (const Region& region : regions_.shared()) {
    auto& saved = of.saved_initialised.emplace_back(region.bytes / 8 + 1);
    for (std::size_t k = 0; k < saved.size(); ++k) {
      saved[k] = region.allocation->initialised[k].load(std::memory_order_relaxed);
    }
  }
}

void Checker::declare_shared() {
  const Region& region = regions_.shared().back();
  std::memset(static_cast<void*>(region.allocation->initialised.get()), 0, region.bytes / 8 + 1);
  constexpr std::size_t most = std::size_t{48} * 1024;
  std::size_t bytes = 0;
  for (const SharedRange& range : worker_.block->shared) bytes += range.line == 0 ? 0 : range.bytes;  // 0: dynamic
  if (bytes > most && reports_.is_new("too much shared memory", nullptr)) {
    reports_.add(
        FaultKind::check,
        fmt::format("too much shared memory: kernel {}: its __shared__ variables, of which {} is in line {}, have "
                    "{} bytes, and a block has at most {}. Use dynamic shared memory for more",
                    worker_.launch->name, worker_.block->shared.back().name, worker_.block->shared.back().line, bytes,
                    most));
  }
}

std::string Checker::describe(const char* kind, const void* caller) const {
  const SourceLine here = line_in_launch(caller, *worker_.launch);
  return fmt::format("{} at {}{}: {}", kind, here.text(), callers_text(here, *worker_.launch), worker_.running());
}

bool Checker::may_read_outside(const std::byte* address, std::size_t bytes, bool write) const {
  const auto inside = [&](const void* begin, std::size_t size) {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin);
    return offset < size && bytes <= size - offset;
  };
  if (inside(worker_.launch->parameters, worker_.launch->parameter_bytes)) return true;
  if (inside(&worker_.launch->body, sizeof worker_.launch->body)) return true;
  // The variables behind threadIdx and its kin, which some compilers read as any other.
  for (const uint3* own : std::initializer_list<const uint3*>{&current_thread_index, &current_block_index,
                                                              &current_block_size, &current_grid_size}) {
    if (inside(own, sizeof *own)) return true;
  }
  return in_image(address, bytes, write);
}

/// The access is in no region. If it is wrong, it is reported.
bool Checker::is_right_outside(const std::byte* address, std::size_t bytes, AccessKind kind, const void* caller) {
  if (may_read_outside(address, bytes, writes(kind))) return true;
  const auto finish = [&](FaultKind fault, const char* what, const std::string& detail) {
    if (reports_.is_new(what, caller)) {
      reports_.add(fault, fmt::format("{}: {} of {} bytes, {}", describe(what, caller), verb(kind), bytes, detail));
    }
    return false;
  };
  if (const std::string reference = host_object_text(*worker_.launch, address); !reference.empty()) {
    return finish(FaultKind::illegal_address, "host memory", reference);
  }
  if (const Region* const shared = regions_.nearest_shared(address); shared != nullptr) {
    const auto offset = static_cast<std::ptrdiff_t>(shared->offset_of(address));
    return finish(FaultKind::illegal_address, "out of bounds",
                  fmt::format("{} of shared memory, which has {} bytes",
                              element_text(*shared->allocation, offset, bytes), shared->bytes));
  }
  if (const Fiber* const owner = worker_.fibers.owner(address); owner != nullptr) {
    const auto thread =
        owner->thread == nullptr ? std::string("another thread") : worker_.thread_text(owner->thread->number);
    return finish(FaultKind::illegal_address, "local memory", fmt::format("a local variable of {}", thread));
  }
  const bool in_device_memory = worker_.allocations->in_device_memory(address);
  const bool null = address < reinterpret_cast<const std::byte*>(4096);
  const bool of_host = !in_device_memory && is_mapped(address);
  const auto near = null ? nullptr : worker_.allocations->nearest(address, of_host ? near_allocation : SIZE_MAX);
  if (near != nullptr && !near->freed) {
    const auto offset = static_cast<std::ptrdiff_t>(near->offset_of(address));
    return finish(FaultKind::illegal_address, "out of bounds",
                  fmt::format("{}, which has {} bytes", element_text(*near, offset, bytes), near->bytes));
  }
  const char* const elements = null      ? "; a tensor without elements has no memory either"
                               : of_host ? ". Copy what it points to to the device (cudaMalloc, cudaMemcpy)"
                                         : "";
  return finish(
      FaultKind::illegal_address, null ? "null pointer" : (of_host ? "host memory" : "out of bounds"),
      fmt::format("address {}, which is not memory of the device{}", static_cast<const void*>(address), elements));
}

bool Checker::judge(Region* region, const std::byte* address, std::size_t bytes, AccessKind kind, const void* caller) {
  if (region == nullptr) return is_right_outside(address, bytes, kind, caller);
  const Access what{*region, region->offset_of(address), bytes, kind, caller};
  const auto finish = [&](FaultKind fault, const char* name, const std::string& tail) {
    if (reports_.is_new(name, caller)) {
      reports_.add(
          fault, fmt::format("{}: {} of {} bytes, {}{}", describe(name, caller), verb(kind), bytes,
                             element_text(*region->allocation, static_cast<std::ptrdiff_t>(what.offset), bytes), tail));
    }
    return false;
  };
  if (region->allocation->freed.load(std::memory_order_relaxed)) {
    return finish(FaultKind::illegal_address, "freed memory", ", which is freed");
  }
  const Allocation& allocation = *region->allocation;
  const auto& devices = worker_.launch->devices;
  if (allocation.kind == MemoryKind::device && !region->shared && !devices.empty() &&
      std::ranges::find(devices, allocation.device) == devices.end()) {
    return finish(FaultKind::illegal_address, "memory of another device",
                  fmt::format(" of device {}, to which device {} has no peer access. {}", allocation.device,
                              worker_.launch->device, how_to_reach(allocation.device, worker_.launch->device)));
  }
  // The compiler knows where an element of a shared array is, so that a wide access there counts as one in parts.
  const bool parts = kind >= AccessKind::read_parts && kind <= AccessKind::write_parts;
  const bool wider = parts && region->shared && allocation.shape.element < bytes;
  if ((!in_parts(kind) || wider) && (bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) &&
      reinterpret_cast<std::uintptr_t>(address) % bytes != 0) {
    return finish(FaultKind::misaligned_address, "misaligned",
                  fmt::format(", at an address that is no multiple of {}", bytes));
  }
  if (what.offset + bytes > region->bytes) {
    return finish(FaultKind::illegal_address, "out of bounds", fmt::format(", which has {} bytes", region->bytes));
  }
  if (region->constant && writes(kind)) {
    return finish(FaultKind::illegal_address, "constant memory", ", which has __constant__: kernels can only read it");
  }
  if (is_atomic(kind) || (!region->shared && is_volatile(kind))) {
    synchronise_by_atomic(address);
  }
  check_initialised(what);
  check_races(what);
  return true;
}

/// A structure may have bytes after a member that are never written: fewer than half of it, up to where a member of a
/// larger alignment begins or the structure ends. The compiler also reads it at once.
static bool may_be_structure(const Allocation& array, std::size_t offset, std::size_t bytes) {
  if (!array.is_initialised(offset, 1)) return false;
  for (std::size_t begin = 1; begin < bytes; ++begin) {
    std::size_t end = begin;
    while (end < bytes && !array.is_initialised(offset + end, 1)) ++end;
    const std::size_t unused = end - begin;
    if (unused != 0 && (unused >= bytes / 2 || end % std::bit_ceil(unused + 1) != 0)) return false;
    begin = end;
  }
  return true;
}

/// True if the access is one element of an array of numbers, as a parameter of the kernel is declared.
bool Checker::is_number(const Access& access) const {
  const auto& pointers = worker_.launch->pointers;
  return std::any_of(pointers.begin(), pointers.end(), [&](const PointerArgument& pointer) {
    return pointer.scalar && pointer.element == access.bytes && access.region.allocation->contains(pointer.address);
  });
}

void Checker::check_initialised(const Access& access) {
  Allocation& array = *access.region.allocation;
  if (array.initialised == nullptr) return;
  const auto group = array.initialised[access.offset / 8].load(std::memory_order_relaxed);
  if (group == 0xff && access.offset % 8 + access.bytes <= 8) return;
  const bool reads = is_atomic(access.kind) || !writes(access.kind);
  if (reads && !array.is_initialised(access.offset, access.bytes)) {
    const bool partly = in_parts(access.kind) || access.bytes > 16
                            ? array.is_initialised(access.offset, 1)
                            : may_be_structure(array, access.offset, access.bytes) && !is_number(access);
    if (!partly && reports_.is_new("uninitialised", access.caller)) {
      reports_.add(
          FaultKind::check,
          fmt::format("{}: read of {} bytes, {}, which was {}", describe("uninitialised", access.caller), access.bytes,
                      element_text(array, static_cast<std::ptrdiff_t>(access.offset), access.bytes),
                      access.region.shared ? "not written before (is a barrier missing, or does no thread write it?)"
                                           : "never written"));
    }
  }
  if (writes(access.kind)) array.mark_initialised(access.offset, access.bytes);
}

void Checker::block_barrier(Block& of) {
  flush_pending();
  compare_written();
  for (const Fiber* fiber : of.at_barrier) {
    of.acquired = std::max(of.acquired, fiber->thread->acquired);
    of.fenced = std::max(of.fenced, fiber->thread->fenced);
  }
  if (of.reported) return;
  const Thread& first = *of.at_barrier.front()->thread;
  of.last_barrier = first.place;
  const auto at = [](const Thread& thread) { return place_text(thread.place); };
  worker_.thread = of.at_barrier.front()->thread;
  if (of.ended != 0) {
    const auto gone = std::find_if(of.threads.begin(), of.threads.end(), [](const Thread& each) { return each.ended; });
    if (reports_.is_new("divergent barrier", first.place.file + first.place.line)) {
      reports_.add(
          FaultKind::check,
          fmt::format("divergent barrier at {}: {}: {} of {} threads reach __syncthreads; {} has ended", at(first),
                      worker_.running(), of.at_barrier.size(), of.threads.size(), worker_.thread_text(gone->number)));
    }
    return;
  }
  for (const Fiber* fiber : of.at_barrier) {
    const Thread& other = *fiber->thread;
    if (other.place.line == first.place.line) continue;
    if (reports_.is_new("two barriers", first.place.file + first.place.line)) {
      reports_.add(FaultKind::check,
                   fmt::format("two different barriers at {}: {} waits there, {} waits at {}", at(first),
                               worker_.running(), worker_.thread_text(other.number), at(other)));
    }
    return;
  }
}

void Checker::report_lane_not_in_mask(const char* operation, LaneBits mask, Place place) {
  const OwnCode own;
  if (!reports_.is_new("lane not in mask", place.file + place.line)) return;
  reports_.add(FaultKind::check,
               fmt::format("wrong mask at {}: {} calls {} with mask {}, which lacks its own lane {}{}",
                           place_text(place), worker_.running(), operation, mask_text(mask), lane(),
                           lane() < 32 ? "" : ": the warps of this program have 64 lanes"));
}

void Checker::report_missing_source(Block& of, const Thread& reader, unsigned lane) {
  const OwnCode own;
  if (!reports_.is_new("missing lane", reader.place.file + reader.place.line)) return;
  reports_.add(
      FaultKind::check,
      fmt::format("missing lane at {}: kernel {}, {}, {} reads lane {} in a shuffle, but that lane does not take part",
                  place_text(reader.place), worker_.launch->name, worker_.block_text(of.number),
                  worker_.thread_text(reader.number), lane));
}

}  // namespace d2l::emulator
