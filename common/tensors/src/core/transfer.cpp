// SPDX-License-Identifier: MIT
// Copies bytes between devices.
#include "core/transfer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/construct.h"
#include "ledger/ledger.h"
#include "runtime/capturing.h"
#include "runtime/runtime.h"

namespace d2l::detail {

namespace {

using backend::HostMemory;
using Kind = LedgerEntry::Kind;

std::int64_t bytes_of(const TensorImpl& tensor) { return tensor.numel * bytes_each(tensor.dtype); }

std::shared_ptr<backend::Span> record_copy(Device destination, Device source, std::int64_t bytes, Device queue,
                                           bool staged, const Transfer& transfer, bool leg = false) {
  if (!ledger_is_open()) return nullptr;
  return record({.kind = Kind::copy,
                 .name = transfer.operation,
                 .queue = queue,
                 .source = source,
                 .destination = destination,
                 .bytes = bytes,
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

/// The host waits for the device, unless it is lost.
void finish_quietly(Device device) noexcept {
  try {
    gpu_backend().synchronize(device.index());
  } catch (...) {
    static_cast<void>(0);  // a lost device copies nothing more
  }
}

/// Calls `step`, which notes a copy in the queue of `device`, so that its memory is not used too early. If that fails,
/// the host waits for the copy.
template <class Step>
void note_copy(Device device, const Step& step) {
  try {
    step();
  } catch (...) {
    finish_quietly(device);
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
  auto span = record_copy(out.device(), source.device(), bytes_of(out), device, kind == HostMemory::pageable, transfer);
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
  auto span = record_copy(out.device(), source.device(), bytes_of(out), source.device(), false, transfer);
  gpu_backend().copy_to_peer(source.device().index(), out.device().index(), out.data(), source.data(),
                             static_cast<std::size_t>(bytes_of(out)), std::move(span));
  note_copy(source.device(), [&] { order(source.device(), out.device()); });
}

/// The spans of the pieces of one copy, which has one entry in the ledger.
class PieceSpans {
 public:
  PieceSpans(std::shared_ptr<backend::Span> whole, std::size_t pieces) : whole_(std::move(whole)), pieces_(pieces) {
    if (whole_ == nullptr || pieces == 1) return;
    first_ = std::make_shared<backend::Span>();
    last_ = std::make_shared<backend::Span>();
    whole_->resolve_with([first = first_, last = last_, &whole = *whole_] {
      first->resolve();
      last->resolve();
      if (last->ended.load() < 0) return;
      whole.began = first->began.load();
      whole.ended = last->ended.load();
    });
  }
  [[nodiscard]] std::shared_ptr<backend::Span> of(std::size_t piece) const {
    if (pieces_ == 1) return whole_;
    return piece == 0 ? first_ : piece + 1 == pieces_ ? last_ : nullptr;
  }

 private:
  std::shared_ptr<backend::Span> whole_;
  std::size_t pieces_;
  std::shared_ptr<backend::Span> first_;
  std::shared_ptr<backend::Span> last_;
};

/// A ring of pinned host memory, through which a large copy goes chunk by chunk.
class Chunks {
 public:
  static constexpr std::size_t chunk_bytes = std::size_t{4} << 20;

  explicit Chunks(std::size_t bytes)
      : bytes_(bytes), count_(std::max<std::size_t>((bytes + chunk_bytes - 1) / chunk_bytes, 1)) {}

  struct Chunk {
    std::shared_ptr<Storage> memory;
    std::shared_ptr<backend::Mark> was_read;
  };
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes_of(std::size_t piece) const {
    return std::min(chunk_bytes, bytes_ - piece * chunk_bytes);
  }
  /// The chunk for a piece; its memory may still be read until `was_read`.
  Chunk& of(std::size_t piece) {
    Chunk& chunk = chunks_[piece % chunks_.size()];
    if (chunk.memory == nullptr) chunk.memory = std::make_shared<Storage>(Device(kCPU), bytes_of(piece), true);
    return chunk;
  }
  /// Keeps the memory until the queue of `reader` has read it.
  void keep_until_read(Device reader) {
    for (const Chunk& chunk : chunks_) {
      if (chunk.memory != nullptr) chunk.memory->set_pending(reader, chunk.was_read, Storage::Use::read);
    }
  }

 private:
  std::size_t bytes_;
  std::size_t count_;
  std::array<Chunk, 4> chunks_;
};

/// Two legs through a ring of chunks. A chunk is written again once the second leg has read it: the queues wait for
/// each other, and the host does not wait.
void through_host(const TensorImpl& out, const TensorImpl& source, const Transfer& transfer) {
  auto& backend = gpu_backend();
  const Device from = source.device();
  const Device to = out.device();
  const std::int64_t bytes = bytes_of(out);
  Chunks chunks(static_cast<std::size_t>(bytes));
  const PieceSpans first_leg(record_copy(Device(kCPU), from, bytes, from, true, transfer, true), chunks.count());
  std::optional<PieceSpans> second_leg;
  try {
    for (std::size_t piece = 0; piece < chunks.count(); ++piece) {
      auto& [middle, was_read] = chunks.of(piece);
      const std::size_t offset = piece * Chunks::chunk_bytes;
      const std::size_t count = chunks.bytes_of(piece);
      if (was_read != nullptr) backend.wait(from.index(), was_read);
      backend.copy_to_host(from.index(), middle->data(), static_cast<const std::byte*>(source.data()) + offset, count,
                           HostMemory::pinned, first_leg.of(piece));
      order(from, to);
      if (!second_leg) {
        second_leg.emplace(record_copy(to, Device(kCPU), bytes, to, true, transfer, true), chunks.count());
      }
      backend.copy_to_device(to.index(), static_cast<std::byte*>(out.data()) + offset, middle->data(), count,
                             HostMemory::pinned, second_leg->of(piece));
      was_read = backend.record(to.index());
    }
    chunks.keep_until_read(to);
  } catch (...) {  // no queue may use the chunks after this
    finish_quietly(from);
    finish_quietly(to);
    throw;
  }
}

void refuse_to_capture(const TensorImpl& tensor, const Transfer& transfer) {
  refuse_in_capture(tensor.device(), transfer.operation, "copies from and to other devices are no part of it");
}

}  // namespace

void wait_for(Device device, const char* operation) {
  const HostWait wait(operation, device);
  gpu_backend().synchronize(device.index());
}

void transfer_from(const TensorImpl& out, const std::function<void(void*, std::int64_t, std::int64_t)>& read,
                   const Transfer& transfer) {
  refuse_to_capture(out, transfer);
  auto& backend = gpu_backend();
  const Device to = out.device();
  Chunks chunks(static_cast<std::size_t>(bytes_of(out)));
  const auto span = record_copy(to, Device(kCPU), bytes_of(out), to, false, transfer);
  const PieceSpans spans(span, chunks.count());
  try {
    for (std::size_t piece = 0; piece < chunks.count(); ++piece) {
      auto& [memory, was_read] = chunks.of(piece);
      if (was_read != nullptr && !was_read->done()) {
        if (span) span->waited = true;
        was_read->wait();
      }
      const std::size_t offset = piece * Chunks::chunk_bytes;
      const std::size_t count = chunks.bytes_of(piece);
      read(memory->data(), static_cast<std::int64_t>(offset), static_cast<std::int64_t>(count));
      backend.copy_to_device(to.index(), static_cast<std::byte*>(out.data()) + offset, memory->data(), count,
                             HostMemory::pinned, spans.of(piece));
      was_read = backend.record(to.index());
    }
    chunks.keep_until_read(to);
  } catch (...) {  // the queue may not use the chunks after this
    finish_quietly(to);
    throw;
  }
}

void transfer_bytes(const TensorImpl& out, const TensorImpl& source, const Transfer& transfer) {
  refuse_to_capture(out, transfer);
  refuse_to_capture(source, transfer);
  if (source.device().is_cpu() || out.device().is_cpu()) {
    between_host_and_gpu(out, source, transfer);
  } else if (gpu_backend().can_access_peer(source.device().index(), out.device().index())) {
    between_peers(out, source, transfer);
  } else {
    through_host(out, source, transfer);
  }
}

}  // namespace d2l::detail
