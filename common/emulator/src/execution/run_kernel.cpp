// SPDX-License-Identifier: MIT
#include "execution/run_kernel.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "checks/checker.h"
#include "counts/request_counter.h"
#include "execution/cores.h"
#include "execution/current.h"
#include "execution/worker.h"

namespace d2l::emulator {

__thread Current current_state;
__thread ThreadIndex current_thread_index;
__thread ThreadLoop thread_loop;
__thread BarrierRound barrier_round;
__thread uint3 current_block_index;
__thread uint3 current_block_size{1, 1, 1};
__thread uint3 current_grid_size{1, 1, 1};

namespace {

constexpr std::size_t signal_stack_bytes = std::size_t{64} << 10;
constexpr std::size_t guard = 4096;  // around dynamic shared memory, so that a wrong index does not hit other memory
constexpr int poison = 0xff;         // NaN as a floating point number

}  // namespace

Worker::Worker()
    : kept_checker_(std::make_unique<Checker>(*this)),
      kept_counter_(std::make_unique<RequestCounter>(*this)),
      dynamic_memory_(new std::byte[dynamic_shared_bytes + 2 * guard]),
      signal_stack_(new std::byte[signal_stack_bytes]) {
  const std::size_t past = reinterpret_cast<std::uintptr_t>(dynamic_memory_.get()) % guard;
  dynamic_begin = dynamic_memory_.get() + (guard - past);
  regions = &kept_checker_->regions();
  install_fault_handler();
  stack_t before{};
  sigaltstack(nullptr, &before);
  if ((before.ss_flags & SS_DISABLE) != 0) {
    stack_t own{};
    own.ss_sp = signal_stack_.get();
    own.ss_size = signal_stack_bytes;
    sigaltstack(&own, nullptr);
  } else {
    signal_stack_.reset();
  }
}

Worker::~Worker() {
  if (signal_stack_ == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

void Worker::declare_shared(const char* name, void* address, std::size_t bytes, int line,
                            const ArrayShape& shape) const {
  auto* const begin = static_cast<std::byte*>(address);
  for (const SharedRange& range : block->shared) {
    if (range.begin == begin) return;
  }
  current_state.own_code = true;
  block->shared.push_back({name, begin, bytes, line, shape});
  std::memset(begin, poison, bytes);
  if (checker != nullptr || counter != nullptr) regions->update_shared(*block);
  if (checker != nullptr) checker->declare_shared();
  current_state.own_code = false;
}

void* Worker::dynamic_shared(const char* name, const ArrayShape& shape) const {
  if (launch->dynamic_shared != 0) declare_shared(name, dynamic_begin, launch->dynamic_shared, 0, shape);
  return dynamic_begin;
}

std::string Worker::block_text(std::uint64_t number) const {
  const dim3& grid = launch->grid;
  return fmt::format("block ({}, {}, {})", number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y);
}

std::string Worker::thread_text(unsigned number) const {
  const uint3& index = thread_indices[number];
  return fmt::format("thread ({}, {}, {})", index.x, index.y, index.z);
}

std::string Worker::running() const {
  std::string text = "kernel " + launch->name;
  if (block != nullptr) text += ", " + block_text(block->number);
  if (thread != nullptr) text += ", " + thread_text(thread->number);
  return text;
}

bool in_kernel() noexcept { return current_state.worker != nullptr && current_state.worker->fiber != nullptr; }

void declare_shared(const char* name, void* address, std::size_t bytes, int line, const ArrayShape& shape) {
  if (current_state.worker != nullptr) current_state.worker->declare_shared(name, address, bytes, line, shape);
}

void* dynamic_shared_memory(const char* name, const ArrayShape& shape) {
  return current_state.worker == nullptr ? nullptr : current_state.worker->dynamic_shared(name, shape);
}

namespace {

Worker& worker_of_thread() {
  static thread_local Worker worker;
  return worker;
}

/// Adds what another core has done; the first fault is kept.
void add(KernelOutcome& to, KernelOutcome&& core) {
  if (!to.fault) to.fault = std::move(core.fault);
  to.counts.blocks += core.counts.blocks;
  to.counts.threads += core.counts.threads;
  to.counts.warps += core.counts.warps;
  to.counts.barriers += core.counts.barriers;
  to.counts.atomics += core.counts.atomics;
  to.counts.shared_atomics += core.counts.shared_atomics;
  to.counts.matrix_products += core.counts.matrix_products;
  to.counts.matrix_multiply_adds += core.counts.matrix_multiply_adds;
}

KernelOutcome run_on_cores(const KernelLaunch& launch, const AllocationTable& allocations, BlockSource& source,
                           unsigned count) {
  static thread_local Cores cores;
  std::vector<KernelOutcome> outcomes(count);
  std::vector<std::exception_ptr> errors(count);
  cores.run(count, [&](unsigned core) {
    try {
      outcomes[core] = worker_of_thread().run(launch, allocations, source);
    } catch (...) {
      source.stop();
      errors[core] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  KernelOutcome all;
  for (KernelOutcome& each : outcomes) add(all, std::move(each));
  return all;
}

}  // namespace

KernelOutcome run_kernel(const KernelLaunch& launch, const AllocationTable& allocations) {
  const InterruptNotice notice(launch);
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  BlockSource source(blocks, launch.seed, launch.loops);
  const bool on_one_core = launch.checked || launch.counted || launch.cooperative;
  const auto cores = on_one_core ? 1U : static_cast<unsigned>(std::min<std::uint64_t>(launch.cores, blocks));
  KernelOutcome outcome = cores > 1 ? run_on_cores(launch, allocations, source, cores)
                                    : worker_of_thread().run(launch, allocations, source);
  if (!launch.checked) allocations.mark_all_initialised();
  if (launch.checked && launch.compared) outcome.accesses = worker_of_thread().checker->take_accesses();
  return outcome;
}

}  // namespace d2l::emulator
