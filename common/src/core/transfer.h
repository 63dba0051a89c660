// SPDX-License-Identifier: MIT
// Copies bytes between devices, orders the queues, and reports to the ledgers.
#pragma once

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
/// The host waits for all work of a GPU: a synchronisation.
void wait_for(Device device, const char* operation);

}  // namespace d2l::detail
