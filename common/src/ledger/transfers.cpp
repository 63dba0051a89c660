// SPDX-License-Identifier: MIT
// TransferLedger: the counts of its entries.
#include "d2l/transfers.h"

#include "base/atomic_file.h"
#include "ledger/chrome_trace.h"
#include "ledger/ledger.h"
#include "ledger/summary.h"

namespace d2l {
namespace {

using Kind = LedgerEntry::Kind;
using detail::crosses_devices;
using detail::in_direction;
using detail::of_kind;

std::int64_t one(const LedgerEntry&) { return 1; }
std::int64_t bytes(const LedgerEntry& entry) { return entry.bytes; }
std::int64_t flops(const LedgerEntry& entry) { return entry.flops; }

}  // namespace

struct TransferLedger::Impl : detail::LedgerBook {};

TransferLedger::TransferLedger() : impl_(std::make_shared<Impl>()) { detail::open_book(impl_); }
TransferLedger::~TransferLedger() { detail::close_book(impl_); }

std::int64_t TransferLedger::copies() const { return impl_->total(crosses_devices, one); }
std::int64_t TransferLedger::copies(Direction direction) const { return impl_->total(in_direction(direction), one); }
std::int64_t TransferLedger::implicit_copies() const {
  return impl_->total([](const LedgerEntry& entry) { return crosses_devices(entry) && entry.implicit; }, one);
}
std::int64_t TransferLedger::copied_bytes() const { return impl_->total(crosses_devices, bytes); }
std::int64_t TransferLedger::copied_bytes(Direction direction) const {
  return impl_->total(in_direction(direction), bytes);
}
std::int64_t TransferLedger::synchronisations() const { return impl_->total(of_kind(Kind::synchronisation), one); }
std::int64_t TransferLedger::launches() const { return impl_->total(of_kind(Kind::launch), one); }
std::int64_t TransferLedger::launched_bytes() const { return impl_->total(of_kind(Kind::launch), bytes); }
std::int64_t TransferLedger::launched_flops() const { return impl_->total(of_kind(Kind::launch), flops); }
std::int64_t TransferLedger::allocations() const { return impl_->total(of_kind(Kind::allocation), one); }
std::int64_t TransferLedger::allocated_bytes() const { return impl_->total(of_kind(Kind::allocation), bytes); }
std::int64_t TransferLedger::releases() const { return impl_->total(of_kind(Kind::release), one); }

std::vector<LedgerEntry> TransferLedger::entries() const {
  impl_->wait_for_devices();
  return impl_->entries();
}
void TransferLedger::clear() { impl_->clear(); }

// The summary needs no times, so it does not wait.
std::string TransferLedger::summary() const { return detail::summarise(impl_->entries()); }
std::string TransferLedger::chrome_trace() const { return detail::chrome_trace(entries()); }
void TransferLedger::save_chrome_trace(const std::string& path) const {
  detail::write_file("save_chrome_trace", path, chrome_trace());
}

}  // namespace d2l
