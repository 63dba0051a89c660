// SPDX-License-Identifier: MIT
/// @file
/// Flatten: several dimensions into one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// The first and the last of the dimensions that become one; negative ones count from the end.
class FlattenOptions {
 public:
  /// The first of the dimensions; 1 unless said.
  FlattenOptions& start_dim(std::int64_t dim) {
    start_dim_ = dim;
    return *this;
  }
  /// The last of the dimensions; -1, the last of all, unless said.
  FlattenOptions& end_dim(std::int64_t dim) {
    end_dim_ = dim;
    return *this;
  }
  /// The first of the dimensions.
  [[nodiscard]] std::int64_t start_dim() const noexcept { return start_dim_; }
  /// The last of the dimensions.
  [[nodiscard]] std::int64_t end_dim() const noexcept { return end_dim_; }

 private:
  std::int64_t start_dim_ = 1;
  std::int64_t end_dim_ = -1;
};

/// (N, a, b, …) → (N, a × b × …) unless the options say other dimensions; IndexError for one that is not there.
class FlattenImpl : public Module {
 public:
  /// Of the given options.
  explicit FlattenImpl(const FlattenOptions& chosen = {}) : options(chosen) {}

  /// A view where the strides allow it; IndexError for a dimension that is not there, ShapeError for a first after the
  /// last.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override { return std::make_shared<FlattenImpl>(options); }

  FlattenOptions options;  ///< which dimensions become one
};
/// Holds a FlattenImpl: `nn::Flatten()`.
D2L_MODULE(Flatten);

}  // namespace d2l::nn
