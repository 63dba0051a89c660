// SPDX-License-Identifier: MIT
// What a file of an optimizer contains. load() reads it from a file that has more in it, too.
#pragma once

#include "d2l/optim/optimizer.h"
#include "d2l/safetensors.h"

namespace d2l::detail {

struct OptimizerContents {
  StateDict tensors;             ///< names begin with "state."
  SafetensorsMetadata metadata;  ///< "format", "optimizer", "groups", "group.…" and "state.…"
};

OptimizerContents contents_of(const optim::Optimizer& optimizer);

}  // namespace d2l::detail
