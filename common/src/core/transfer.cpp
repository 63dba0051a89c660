// SPDX-License-Identifier: MIT
// Copies bytes between devices.
#include "core/transfer.h"

#include <atomic>

#include "core/construct.h"
#include "ledger/ledger.h"
#include "runtime/runtime.h"

namespace d2l::detail {

namespace {

using backend::HostMemory;
using Kind = LedgerEntry::Kind;

std::int64_t bytes_of(const TensorImpl& tensor) { return tensor.numel * bytes_each(tensor.dtype); }

std::shared_ptr<backend::Span> record_copy(const TensorImpl& out, const TensorImpl& source, Device queue, bool staged,
                                           const Transfer& transfer, bool leg = false) {
  if (!ledger_is_open()) return nullptr;
  return record({.kind = Kind::copy,
                 .name = transfer.operation,
                 .queue = queue,
                 .source = source.device(),
                 .destination = out.device(),
                 .bytes = bytes_of(out),
                 .implicit = transfer.implicit,
                 .staged = staged,
                 .leg = leg});
}

/// Makes work issued to `later` from now on wait for the work issued to `earlier` so far; the host does not wait.
void order(Device earlier, Device later) {
  static std::atomic<std::uint64_t> next_event{std::uint64_t{1} << 32U};  // greater than the numbers of Event
  auto& backend = gpu_backend();
  const auto mark = backend.record(earlier.index());
  const auto number = next_event.fetch_add(1, std::memory_order_relaxed);
  record({.kind = Kind::event_record, .name = "record", .queue = earlier, .event = number});
  backend.wait(later.index(), mark);
  record({.kind = Kind::event_wait, .name = "wait", .queue = later, .event = number});
}

/// Keeps host memory until the queue of `device` has finished the copy that uses it.
void keep_until_copied(const TensorImpl& host, Device device, Storage::Use use) {
  host.storage->set_pending(device, gpu_backend().record(device.index()), use);
}

/// Calls `step`, which notes a copy in the queue of `device`, so that its memory is not used too early. If that fails,
/// the host waits for the copy.
template <class Step>
void note_copy(Device device, const Step& step) {
  try {
    step();
  } catch (...) {
    try {
      gpu_backend().synchronize(device.index());
    } catch (...) {
      static_cast<void>(0);  // a lost device copies nothing more
    }
    throw;
  }
}

/// Waits for a copy; if that fails, the host memory must not be released too early.
void wait_for_copy(const TensorImpl& host, Device device, Storage::Use use, const char* operation) {
  try {
    wait_for(device, operation);
  } catch (...) {
    try {  // without an entry in a ledger, for which there may be no memory
      gpu_backend().synchronize(device.index());
    } catch (...) {  // this thread may hold the queue
      note_copy(device, [&] { keep_until_copied(host, device, use); });
    }
    throw;
  }
}

/// One copy between host memory and a GPU, in the queue of the GPU.
void between_host_and_gpu(const TensorImpl& out, const TensorImpl& source, const Transfer& transfer) {
  const bool to_gpu = source.device().is_cpu();
  const TensorImpl& host = to_gpu ? source : out;
  const Device device = to_gpu ? out.device() : source.device();
  const auto use = to_gpu ? Storage::Use::read : Storage::Use::write;
  const auto kind = host.storage->pinned() ? HostMemory::pinned : HostMemory::pageable;
  const auto bytes = static_cast<std::size_t>(bytes_of(out));
  host.storage->order_after_pending(device, use);
  auto span = record_copy(out, source, device, kind == HostMemory::pageable, transfer);
  if (to_gpu) {
    gpu_backend().copy_to_device(device.index(), out.data(), host.data(), bytes, kind, std::move(span));
    if (kind == HostMemory::pageable) return;
  } else {
    gpu_backend().copy_to_host(device.index(), host.data(), source.data(), bytes, kind, std::move(span));
  }
  if (kind == HostMemory::pinned && transfer.non_blocking) {
    note_copy(device, [&] { keep_until_copied(host, device, use); });
  } else {
    wait_for_copy(host, device, use, transfer.operation);
  }
}

/// One copy in the queue of the source, between two marks: it begins when the destination's earlier work is done, and
/// the destination's later work waits for it.
void between_peers(const TensorImpl& out, const TensorImpl& source, const Transfer& transfer) {
  order(out.device(), source.device());
  auto span = record_copy(out, source, source.device(), false, transfer);
  gpu_backend().copy_to_peer(source.device().index(), out.device().index(), out.data(), source.data(),
                             static_cast<std::size_t>(bytes_of(out)), std::move(span));
  note_copy(source.device(), [&] { order(source.device(), out.device()); });
}

/// Two legs through pinned host memory; the host does not wait.
void through_host(const TensorImpl& out, const TensorImpl& source, const Transfer& transfer) {
  auto& backend = gpu_backend();
  const auto bytes = static_cast<std::size_t>(bytes_of(out));
  const auto middle = make_tensor(source.sizes, source.dtype, Device(kCPU), true, transfer.operation);
  const TensorImpl& host = *middle.impl();

  backend.copy_to_host(source.device().index(), host.data(), source.data(), bytes, HostMemory::pinned,
                       record_copy(host, source, source.device(), true, transfer, true));
  note_copy(source.device(), [&] {
    keep_until_copied(host, source.device(), Storage::Use::write);
    order(source.device(), out.device());
  });
  backend.copy_to_device(out.device().index(), out.data(), host.data(), bytes, HostMemory::pinned,
                         record_copy(out, host, out.device(), true, transfer, true));
  note_copy(out.device(), [&] { keep_until_copied(host, out.device(), Storage::Use::read); });
}

}  // namespace

void wait_for(Device device, const char* operation) {
  const HostWait wait(operation, device);
  gpu_backend().synchronize(device.index());
}

void transfer_bytes(const TensorImpl& out, const TensorImpl& source, const Transfer& transfer) {
  if (source.device().is_cpu() || out.device().is_cpu()) {
    between_host_and_gpu(out, source, transfer);
  } else if (gpu_backend().can_access_peer(source.device().index(), out.device().index())) {
    between_peers(out, source, transfer);
  } else {
    through_host(out, source, transfer);
  }
}

}  // namespace d2l::detail
