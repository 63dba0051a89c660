// SPDX-License-Identifier: MIT
// Copies bytes between devices, orders the queues, and reports to the ledgers.
#pragma once

#include <cstdint>
#include <functional>

#include "core/tensor_impl.h"

namespace d2l::detail {

/// How a copy is made and recorded.
struct Transfer {
  const char* operation;
  bool implicit = false;
  bool non_blocking = false;
};

/// Copies the bytes of `source` to `out`. Both are row-major with the same shape and dtype, on different devices. The
/// host waits for copies to the host and from pinned memory; for pinned memory, `non_blocking` prevents the wait.
void transfer_bytes(const TensorImpl& out, const TensorImpl& source, const Transfer& transfer);
/// Fills `out`, which is on a GPU, with what `read` writes into pinned memory: read(memory, offset, bytes) is called
/// for chunk after chunk. The ledger has one copy; the host waits only for room in the ring of chunks.
void transfer_from(const TensorImpl& out, const std::function<void(void*, std::int64_t, std::int64_t)>& read,
                   const Transfer& transfer);
/// The host waits for all work of a GPU: a synchronisation.
void wait_for(Device device, const char* operation);

}  // namespace d2l::detail
