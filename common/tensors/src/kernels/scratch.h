// SPDX-License-Identifier: MIT
// Scratch: device memory that lasts until the kernel ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/kernel.h"

namespace d2l::backend::kernels {

/// `count` elements of uninitialised memory; no allocation for 0.
template <class T>
class Scratch {
 public:
  Scratch(const KernelContext& context, std::int64_t count)
      : context_(context),
        data_(count > 0 ? static_cast<T*>(context.scratch(context, static_cast<std::size_t>(count) * sizeof(T)))
                        : nullptr) {}
  ~Scratch() {
    if (data_ != nullptr) context_.release_scratch(context_, data_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] T* data() const { return data_; }

 private:
  const KernelContext& context_;
  T* data_;
};

}  // namespace d2l::backend::kernels
