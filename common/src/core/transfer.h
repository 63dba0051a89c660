// SPDX-License-Identifier: MIT
// Bytes from one device to another: queues put in order, ledgers told.
#pragma once

#include "core/tensor_impl.h"

namespace d2l::detail {

/// How a copy is made and told.
struct Transfer {
  const char* operation;
  bool implicit = false;
  bool non_blocking = false;
};

/// Copies the bytes of `source` to `out`: both row-major, of one shape and dtype, on different devices. The host waits
/// where the copy is to the host, unless `non_blocking` and pinned memory let it go on.
void transfer_bytes(const TensorImpl& out, const TensorImpl& source, const Transfer& transfer);
/// The host waits for all work of a GPU; a synchronisation.
void wait_for(Device device, const char* operation);

}  // namespace d2l::detail
