// SPDX-License-Identifier: MIT
// Event: a backend's mark, and the ledger's word for it.
#include "d2l/event.h"

#include <atomic>
#include <cstdint>

#include "ledger/ledger.h"
#include "runtime/runtime.h"

namespace d2l {

namespace detail {

/// No mark: nothing was recorded, or on the CPU, where work is done when a call returns.
struct EventImpl {
  std::uint64_t number = 0;
  Device device = Device(kCPU);
  std::shared_ptr<backend::Mark> mark;
};

namespace {

std::atomic<std::uint64_t> events_made{0};

void tell_ledgers(LedgerEntry::Kind kind, const char* name, Device queue, const EventImpl& event) {
  if (!ledger_is_open()) return;
  LedgerEntry entry;
  entry.kind = kind;
  entry.name = name;
  entry.queue = queue;
  entry.event = event.number;
  static_cast<void>(record(entry));
}

}  // namespace
}  // namespace detail

Event::Event() : impl_(std::make_shared<detail::EventImpl>()) { impl_->number = detail::events_made.fetch_add(1) + 1; }

void Event::record(Device device) {
  auto& backend = detail::backend_of(device);
  impl_->mark = device.is_cpu() ? nullptr : backend.record(detail::number_of(device));
  impl_->device = device;
  if (device.is_cuda()) {
    detail::tell_ledgers(LedgerEntry::Kind::event_record, "record", device, *impl_);
  }
}

void Event::block(Device device) const {
  auto& backend = detail::backend_of(device);
  if (!impl_->mark) return;
  if (device.is_cpu()) return synchronize();  // the CPU's work is the host's: it waits itself
  detail::tell_ledgers(LedgerEntry::Kind::event_wait, "block", device, *impl_);
  backend.wait(detail::number_of(device), impl_->mark);
}

bool Event::query() const { return !impl_->mark || impl_->mark->done(); }

void Event::synchronize() const {
  if (!impl_->mark) return;
  const detail::HostWait wait("synchronize", impl_->device, impl_->number);
  impl_->mark->wait();
}

}  // namespace d2l
