// SPDX-License-Identifier: MIT
// Discovery: the cards that this process can use, and why others cannot be used.
#pragma once

#include <vector>

#include "backend/cuda/discovery/diagnosis.h"
#include "d2l/device.h"

namespace d2l::backend::cuda {

/// The result of the discovery.
struct Discovery {
  std::vector<Card> cards;  ///< the usable cards
  DriverInfo driver;
};

/// Runs the discovery on first use. It creates no context on a card for which the binary holds code.
const Discovery& discovery() noexcept;

}  // namespace d2l::backend::cuda
