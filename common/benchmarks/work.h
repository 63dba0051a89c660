// SPDX-License-Identifier: MIT
// Work: what is compared.
#pragma once

namespace {

/// Operands, and one run of the work.
struct Work {
  virtual ~Work() = default;
  virtual void run() = 0;
};

}  // namespace
