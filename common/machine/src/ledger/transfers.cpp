// SPDX-License-Identifier: MIT
// TransferLedger: the counts of its entries. TransferGuard: the level of this thread.
#include "d2l/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "base/atomic_file.h"
#include "d2l/error.h"
#include "ledger/ledger.h"
#include "ledger/memory_points.h"
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

thread_local TransferGuard::Level level_of_thread = TransferGuard::allow;

std::string describe(Device from, Device to, std::int64_t bytes) {
  return fmt::format("an implicit copy of {} byte{} from {} to {}", bytes, bytes == 1 ? "" : "s", from.str(), to.str());
}

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
std::int64_t TransferLedger::replays() const { return impl_->total(of_kind(Kind::replay), one); }
std::int64_t TransferLedger::launched_bytes() const { return impl_->total(of_kind(Kind::launch), bytes); }
std::int64_t TransferLedger::launched_flops() const { return impl_->total(of_kind(Kind::launch), flops); }
std::int64_t TransferLedger::allocations() const { return impl_->total(of_kind(Kind::allocation), one); }
std::int64_t TransferLedger::allocated_bytes() const { return impl_->total(of_kind(Kind::allocation), bytes); }
std::int64_t TransferLedger::releases() const { return impl_->total(of_kind(Kind::release), one); }

namespace {

// A copy from GPU to GPU leaves its source and reaches its destination; one through the host does so in two legs.
bool is_between_gpus(const LedgerEntry& entry) {
  return crosses_devices(entry) && !entry.source.is_cpu() && !entry.destination.is_cpu();
}
bool leaves_gpu(const LedgerEntry& entry) {
  return is_between_gpus(entry) || (crosses_devices(entry) && entry.leg && !entry.source.is_cpu());
}
bool reaches_gpu(const LedgerEntry& entry) {
  return is_between_gpus(entry) || (crosses_devices(entry) && entry.leg && !entry.destination.is_cpu());
}

std::function<bool(const LedgerEntry&)> over(Connection connection, Kind kind) {
  if (connection == Connection::peer) return kind == Kind::send ? leaves_gpu : reaches_gpu;
  return of_kind(kind);
}

}  // namespace

std::int64_t TransferLedger::sends(Connection connection) const {
  return impl_->total(over(connection, Kind::send), one);
}
std::int64_t TransferLedger::sent_bytes(Connection connection) const {
  return impl_->total(over(connection, Kind::send), bytes);
}
std::int64_t TransferLedger::received_bytes(Connection connection) const {
  return impl_->total(over(connection, Kind::receive), bytes);
}
std::int64_t TransferLedger::sent_bytes(Device gpu) const {
  return impl_->total([gpu](const LedgerEntry& entry) { return leaves_gpu(entry) && entry.source == gpu; }, bytes);
}
std::int64_t TransferLedger::received_bytes(Device gpu) const {
  return impl_->total([gpu](const LedgerEntry& entry) { return reaches_gpu(entry) && entry.destination == gpu; },
                      bytes);
}

std::vector<LedgerEntry> TransferLedger::entries() const {
  impl_->wait_for_devices();
  return impl_->entries();
}
std::vector<MemoryPoint> TransferLedger::memory_over_time(Device device) const {
  return detail::memory_points(impl_->entries(), device, impl_->memory_before(device));
}
MemoryPoint TransferLedger::memory_peak(Device device) const {
  const auto points = memory_over_time(device);
  return *std::ranges::max_element(points, {}, &MemoryPoint::bytes);
}
void TransferLedger::clear() { impl_->clear(); }

// The summary needs no times, so it does not wait.
std::string TransferLedger::summary() const {
  auto text = detail::summarise(impl_->entries());
  const auto dropped = impl_->dropped();
  if (dropped == 0) return text;
  return fmt::format("{}\nand {} more entr{}, which the full ledger does not count", text, dropped,
                     dropped == 1 ? "y" : "ies");
}
std::string TransferLedger::chrome_trace() const {
  const auto all = entries();
  return detail::chrome_trace(all, {},
                              [&](Device gpu) { return detail::memory_points(all, gpu, impl_->memory_before(gpu)); });
}
void TransferLedger::save_chrome_trace(const std::string& path) const {
  detail::write_file("save_chrome_trace", path, chrome_trace());
}

TransferGuard::TransferGuard(Level level) : previous_(level_of_thread) { level_of_thread = level; }
TransferGuard::~TransferGuard() { level_of_thread = previous_; }

void detail::check_implicit_copy(const char* operation, Device from, Device to, std::int64_t bytes) {
  if (level_of_thread == TransferGuard::allow || from == to) return;
  if (level_of_thread == TransferGuard::log) {
    const auto line = fmt::format("[{}] made {}\n", operation, describe(from, to, bytes));
    std::fputs(line.c_str(), stderr);
    return;
  }
  throw TransferError(fmt::format(
      "[{}] refused: {}, and a TransferGuard disallows implicit copies here. Copy on purpose with .cpu() or "
      ".to_vector(), or read the value outside the guard's scope.",
      operation, describe(from, to, bytes)));
}

}  // namespace d2l
