// SPDX-License-Identifier: MIT
// Event: a mark of a backend, with a number for the ledger.
#include "d2l/event.h"

#include <atomic>
#include <cstdint>

#include "ledger/ledger.h"
#include "runtime/capturing.h"
#include "runtime/runtime.h"

namespace d2l {

namespace detail {

struct EventImpl {
  static inline std::atomic<std::uint64_t> made{0};

  std::uint64_t number = made.fetch_add(1) + 1;
  Device device = Device(kCPU);
  std::shared_ptr<backend::Mark> mark;  ///< null if nothing is recorded, and on the CPU, whose work is always done
};
}  // namespace detail

using Kind = LedgerEntry::Kind;

Event::Event() : impl_(std::make_shared<detail::EventImpl>()) {}

void Event::record(Device device) {
  auto& backend = detail::backend_of(device);
  detail::refuse_in_capture(device, "record", "an event would be recorded before the captured work runs");
  impl_->mark = device.is_cpu() ? nullptr : backend.record(detail::number_of(device));
  impl_->device = device;
  if (device.is_cpu()) return;
  detail::record({.kind = Kind::event_record, .name = "record", .queue = device, .event = impl_->number});
}

void Event::block(Device device) const {
  auto& backend = detail::backend_of(device);
  detail::refuse_in_capture(device, "block", "the wait would come before the captured work");
  if (!impl_->mark) return;
  if (device.is_cpu()) return synchronize();  // CPU work is host work, so the host waits
  detail::record({.kind = Kind::event_wait, .name = "block", .queue = device, .event = impl_->number});
  backend.wait(detail::number_of(device), impl_->mark);
}

bool Event::query() const { return !impl_->mark || impl_->mark->done(); }

void Event::synchronize() const {
  if (!impl_->mark) return;
  const detail::HostWait wait("synchronize", impl_->device, impl_->number);
  impl_->mark->wait();
}

}  // namespace d2l
