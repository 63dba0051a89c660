// SPDX-License-Identifier: MIT
/// @file
/// Transfers: a ledger that counts the program's work on its devices, and a guard against implicit copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "d2l/device.h"
#include "d2l/dtype.h"

namespace d2l {

struct KernelRun;

/// One copy, launch, allocation or other work that the program issued to a device.
struct LedgerEntry {
  /// The kinds of entry.
  enum class Kind : std::int8_t {
    copy,             ///< bytes from one place to another
    synchronisation,  ///< the host waited for a device
    launch,           ///< a kernel
    allocation,       ///< memory taken from a pool
    release,          ///< memory returned to a pool
    event_record,     ///< an event recorded in a queue
    event_wait,       ///< a queue waits for an event, or for another queue
    send,             ///< bytes from this rank to another process
    receive,          ///< bytes from another process to this rank
    replay,           ///< a graph of captured launches, submitted as one piece of work
    range_push,       ///< a named range of a thread begins; see nvtx.h
    range_pop         ///< the innermost range of the thread ends
  };
  Kind kind = Kind::launch;           ///< the kind of entry
  std::string name;                   ///< the operation: "add", "to", "item", …
  Device queue = Device(kCPU);        ///< the device of the queue; of a synchronisation: the awaited device
  Device source = Device(kCPU);       ///< of a copy: its source; of an event_wait without event: the awaited queue
  Device destination = Device(kCPU);  ///< of a copy: its destination
  std::int64_t bytes = 0;             ///< bytes copied, sent, received, allocated, or read and written by a launch
  int rank = -1;                      ///< of a send or receive: the rank of this process in the group of all
  int peer = -1;                      ///< of a send or receive: the rank of the other process in the group of all
  std::int64_t flops = 0;             ///< floating-point operations of a launch; a multiply-add is two
  ScalarType dtype = kFloat;          ///< of a launch: the dtype of its inputs
  std::int64_t outputs = 0;           ///< of a matrix product: the number of elements of the result
  std::uint64_t result = 0;           ///< of a launch: the address of its result; of an allocation: of the memory
  /// Of a launch of a CUDA kernel by the emulator: its grid, its block and, once it has ended, its counts.
  std::shared_ptr<const KernelRun> kernel = nullptr;
  bool implicit = false;  ///< a copy that is a side effect of reading a value
  bool staged = false;    ///< a copy through pageable or intermediate host memory
  bool waited = false;    ///< of a staged copy: the host waited for earlier ones, because the staging memory was full
  bool leg = false;       ///< one of the two legs, through the host, of a copy between GPUs
  std::uint64_t thread = 0;  ///< the host thread that issued it, numbered from 0
  std::uint64_t event = 0;   ///< the event recorded or awaited; 0 for all work of the queue so far
  std::int64_t issued = 0;   ///< nanoseconds since the ledger was opened
  std::int64_t began = -1;   ///< when the work began on its device, in the same clock; -1 if unknown
  std::int64_t ended = -1;   ///< when the work ended; -1 if unknown
  bool captured = false;     ///< a launch of a graph: the host submitted it with the replay before it
  std::string range = {};    ///< the open ranges of its thread, the outermost first: "step/forward"
};

/// The memory of a device from one moment on.
struct MemoryPoint {
  std::int64_t time = 0;   ///< nanoseconds since the ledger was opened
  std::int64_t bytes = 0;  ///< of the live tensors, as cuda::memory_allocated() counts; of the CPU without rounding
  std::string operation;   ///< that allocated: the work that writes the memory, else its thread's next; or "release"
  std::size_t entry = 0;   ///< the place of the allocation or release in entries()
};

/// Directions of copies.
enum class Direction : std::int8_t {
  host_to_device,    ///< from main memory to a GPU
  device_to_host,    ///< from a GPU to main memory
  device_to_device,  ///< from one GPU to another
  within_device,     ///< from a GPU to itself
  within_host        ///< from main memory to itself
};

/// The connections over which bytes leave a device.
enum class Connection : std::int8_t {
  peer,    ///< from one GPU to another of this process
  network  ///< from one process to another, also on one machine
};

/// Counts all work that the process issues while the ledger is in scope. Ledgers may nest; each counts everything. A
/// ledger keeps up to 1,048,576 entries (256 MiB): it does not count further work, and says so once on standard error.
class TransferLedger {
 public:
  /// Starts counting.
  TransferLedger();
  /// Stops counting.
  ~TransferLedger();
  TransferLedger(const TransferLedger&) = delete;
  TransferLedger& operator=(const TransferLedger&) = delete;

  /// The number of copies to, from and between GPUs. A copy within one device is not counted here.
  [[nodiscard]] std::int64_t copies() const;
  /// The number of copies in one direction.
  [[nodiscard]] std::int64_t copies(Direction direction) const;
  /// The number of those copies() that are a side effect of reading a value, such as item() or printing.
  [[nodiscard]] std::int64_t implicit_copies() const;
  /// The bytes of copies().
  [[nodiscard]] std::int64_t copied_bytes() const;
  /// The bytes of the copies in one direction.
  [[nodiscard]] std::int64_t copied_bytes(Direction direction) const;
  /// How often the host waited for a device.
  [[nodiscard]] std::int64_t synchronisations() const;
  /// The number of kernel launches, including those on the CPU and those of graphs.
  [[nodiscard]] std::int64_t launches() const;
  /// How often a graph was submitted.
  [[nodiscard]] std::int64_t replays() const;
  /// The bytes that the launches read and wrote.
  [[nodiscard]] std::int64_t launched_bytes() const;
  /// The floating-point operations of the launches; a multiply-add is two.
  [[nodiscard]] std::int64_t launched_flops() const;
  /// The number of allocations for tensors.
  [[nodiscard]] std::int64_t allocations() const;
  /// The bytes of the allocations.
  [[nodiscard]] std::int64_t allocated_bytes() const;
  /// The number of allocations that were released.
  [[nodiscard]] std::int64_t releases() const;

  /// The number of messages to other processes, and of copies to other GPUs.
  [[nodiscard]] std::int64_t sends(Connection connection) const;
  /// The bytes that this process has sent over a connection: those of its sends, or of its copies from GPU to GPU.
  [[nodiscard]] std::int64_t sent_bytes(Connection connection) const;
  /// The bytes that this process has received over a connection.
  [[nodiscard]] std::int64_t received_bytes(Connection connection) const;
  ///@{
  /// The bytes of the copies from one GPU to other GPUs, and to it from other GPUs.
  [[nodiscard]] std::int64_t sent_bytes(Device gpu) const;
  [[nodiscard]] std::int64_t received_bytes(Device gpu) const;
  ///@}

  /// The memory of a device over time, as data for a figure: a point named "begin", then one for each allocation and
  /// release. It waits for no device.
  [[nodiscard]] std::vector<MemoryPoint> memory_over_time(Device device) const;
  /// The first moment with the most memory, and the operation that needed it. After reset_peak_memory_stats() at the
  /// beginning of the ledger, its bytes are cuda::max_memory_allocated(). It waits for no device.
  [[nodiscard]] MemoryPoint memory_peak(Device device) const;

  /// All entries so far, in the order of issue. It waits for the devices, so that times are known; no ledger counts
  /// these waits.
  [[nodiscard]] std::vector<LedgerEntry> entries() const;
  /// Removes all entries and releases their memory.
  void clear();
  /// One line for each count that is not zero, such as "1 copy, device to device: 24 bytes" or "1 synchronisation";
  /// "nothing" if there are no entries. A full ledger adds how much it did not count. It waits for no device.
  [[nodiscard]] std::string summary() const;
  /// A trace in Chrome's JSON format, which Perfetto can open: one row for each GPU and each host thread, and a counter
  /// of the memory of each GPU.
  [[nodiscard]] std::string chrome_trace() const;
  /// Writes chrome_trace() to a file atomically; ConfigurationError if that fails.
  void save_chrome_trace(const std::string& path) const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Allows, logs or refuses implicit copies between host and GPU, for this thread and this scope.
class TransferGuard {
 public:
  /// What happens to an implicit copy.
  enum class Level : std::int8_t {
    allow,    ///< it is made
    log,      ///< it is made, and reported in a line on standard error
    disallow  ///< TransferError; no bytes are copied
  };
  static constexpr Level allow = Level::allow;        ///< Level::allow
  static constexpr Level log = Level::log;            ///< Level::log
  static constexpr Level disallow = Level::disallow;  ///< Level::disallow

  /// Applies `level` from here on.
  explicit TransferGuard(Level level);
  /// Restores the previous level.
  ~TransferGuard();
  TransferGuard(const TransferGuard&) = delete;
  TransferGuard& operator=(const TransferGuard&) = delete;

 private:
  Level previous_;
};

}  // namespace d2l
