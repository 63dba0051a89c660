// SPDX-License-Identifier: MIT
/// @file
/// Transfers: what the program asked of its devices, counted; and a guard against copies that nobody asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "d2l/device.h"
#include "d2l/dtype.h"

namespace d2l {

/// One thing that was issued to a device.
struct LedgerEntry {
  /// What can be issued.
  enum class Kind : std::int8_t {
    copy,             ///< bytes from one place to another
    synchronisation,  ///< the host waited for a device
    launch,           ///< a kernel
    allocation,       ///< memory taken from a pool
    release,          ///< memory given back to it
    event_record,     ///< a mark put in a queue
    event_wait        ///< a queue waits for a mark, or for another queue
  };
  Kind kind = Kind::launch;           ///< which of them it is
  std::string name;                   ///< the operation: "add", "to", "item", …
  Device queue = Device(kCPU);        ///< whose queue it went to, or who was waited for
  Device source = Device(kCPU);       ///< of a copy: where from; of an event_wait without event: for whose queue
  Device destination = Device(kCPU);  ///< of a copy: where to
  std::int64_t bytes = 0;             ///< copied, allocated, or read and written by a launch
  std::int64_t flops = 0;             ///< floating-point operations of a launch; a multiply-add is two
  ScalarType dtype = kFloat;          ///< of a launch: what it computes with
  std::int64_t outputs = 0;           ///< of a matrix product: the elements of its result
  bool implicit = false;              ///< a copy that reading a value brought about
  bool staged = false;                ///< a copy through pageable or intermediate host memory
  bool leg = false;                   ///< one of the two legs, through the host, of a copy between GPUs
  std::uint64_t thread = 0;           ///< which host thread issued it, from 0
  std::uint64_t event = 0;            ///< which event was recorded or waited for; 0 for all of a queue's work so far
  std::int64_t issued = 0;            ///< nanoseconds since the ledger began
  std::int64_t began = -1;            ///< when the work began on its device, in the same clock; -1 while unknown
  std::int64_t ended = -1;            ///< when it ended; -1 while unknown
};

/// Directions of copies.
enum class Direction : std::int8_t {
  host_to_device,    ///< from main memory to a GPU
  device_to_host,    ///< from a GPU to main memory
  device_to_device,  ///< from one GPU to another
  within_device,     ///< from a GPU to itself
  within_host        ///< from main memory to itself
};

/// Counts everything that the process issues while it is in scope; ledgers nest, each counts for itself.
class TransferLedger {
 public:
  /// Counts from here on.
  TransferLedger();
  /// Counts no more.
  ~TransferLedger();
  TransferLedger(const TransferLedger&) = delete;
  TransferLedger& operator=(const TransferLedger&) = delete;

  /// Copies across devices: to, from and between GPUs. Those within one device are launches or within_device.
  [[nodiscard]] std::int64_t copies() const;
  /// Copies in one direction.
  [[nodiscard]] std::int64_t copies(Direction direction) const;
  /// Those of copies() that reading a value brought about, such as item() or printing.
  [[nodiscard]] std::int64_t implicit_copies() const;
  /// Bytes of copies().
  [[nodiscard]] std::int64_t copied_bytes() const;
  /// Bytes of the copies in one direction.
  [[nodiscard]] std::int64_t copied_bytes(Direction direction) const;
  /// Times that the host waited for a device.
  [[nodiscard]] std::int64_t synchronisations() const;
  /// Kernels started, on the CPU too.
  [[nodiscard]] std::int64_t launches() const;
  /// Bytes that the launches read and wrote.
  [[nodiscard]] std::int64_t launched_bytes() const;
  /// Floating-point operations of the launches; a multiply-add is two.
  [[nodiscard]] std::int64_t launched_flops() const;
  /// Pieces of memory taken for tensors.
  [[nodiscard]] std::int64_t allocations() const;
  /// Bytes of the allocations.
  [[nodiscard]] std::int64_t allocated_bytes() const;
  /// Pieces of memory given back.
  [[nodiscard]] std::int64_t releases() const;

  /// Everything so far, in the order of issue; waits for the devices so that times are known, which no ledger counts.
  [[nodiscard]] std::vector<LedgerEntry> entries() const;
  /// Forgets everything so far.
  void clear();
  /// "1 copy, device to device: 24 bytes", "1 implicit copy, device to host: 4 bytes", "1 synchronisation" and so on:
  /// a line each, of what is not zero; "nothing" for nothing. Waits for no device.
  [[nodiscard]] std::string summary() const;
  /// The trace in Chrome's JSON format, which Perfetto opens too: one row a device, one for each host thread.
  [[nodiscard]] std::string chrome_trace() const;
  /// Writes chrome_trace() to a file, whole or not at all; ConfigurationError when it cannot.
  void save_chrome_trace(const std::string& path) const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Says, for this thread and this scope, what becomes of implicit copies between host and GPU.
class TransferGuard {
 public:
  /// What becomes of an implicit copy.
  enum class Level : std::int8_t {
    allow,    ///< it is made
    log,      ///< it is made, and a line to the standard error says so
    disallow  ///< TransferError, before anything is copied
  };
  static constexpr Level allow = Level::allow;        ///< Level::allow
  static constexpr Level log = Level::log;            ///< Level::log
  static constexpr Level disallow = Level::disallow;  ///< Level::disallow

  /// From here on it is as `level` says.
  explicit TransferGuard(Level level);
  /// It is as before.
  ~TransferGuard();
  TransferGuard(const TransferGuard&) = delete;
  TransferGuard& operator=(const TransferGuard&) = delete;

 private:
  Level previous_;
};

}  // namespace d2l
