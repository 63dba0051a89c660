// SPDX-License-Identifier: MIT
#include "matrices/access.h"

#include "checks/checker.h"
#include "counts/request_counter.h"
#include "execution/current.h"
#include "execution/worker.h"

namespace d2l::emulator {

namespace {

/// The running worker, for its checker or its counter; null if there is none, or in the emulator's own code.
Worker* instrumented_worker() {
  if (!current_state.instrumented || current_state.own_code) return nullptr;
  Worker* const worker = running_worker();
  return worker->fiber != nullptr ? worker : nullptr;
}

}  // namespace

bool is_checked() noexcept {
  const Worker* const worker = running_worker();
  return worker != nullptr && worker->checker != nullptr;
}

void check_access(const void* address, std::size_t bytes, AccessKind kind, const void* caller) {
  Worker* const worker = instrumented_worker();
  if (worker == nullptr || worker->checker == nullptr) return;
  current_state.instrumented = false;
  const bool right = worker->checker->access(worker->regions->find(address), static_cast<const std::byte*>(address),
                                             bytes, kind, caller);
  current_state.instrumented = true;
  if (!right) worker->stop_thread();
}

void count_access(const void* address, std::size_t bytes, AccessKind kind, const void* caller) {
  Worker* const worker = instrumented_worker();
  if (worker == nullptr || worker->counter == nullptr) return;
  current_state.instrumented = false;
  const Region* const region = worker->regions->find(address);
  current_state.instrumented = true;
  worker->counter->access(region, address, bytes, kind, caller);
}

void report_wrong_argument(FaultKind fault, const char* kind, const char* detail, const void* caller) {
  if (!is_checked()) return;
  const OwnCode own;
  running_worker()->checker->report_argument(fault, kind, detail, caller);
}

void stop_at_wrong_argument(FaultKind fault, const char* kind, const char* detail, const void* caller) {
  if (!is_checked()) return;
  report_wrong_argument(fault, kind, detail, caller);
  running_worker()->stop_thread();
}

}  // namespace d2l::emulator
