// SPDX-License-Identifier: MIT
/// @file
/// Flatten: joins several dimensions into one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// The first and the last of the dimensions to join; negative ones count from the end.
class FlattenOptions {
 public:
  /// The first of the dimensions; by default 1.
  FlattenOptions& start_dim(std::int64_t dim) {
    start_dim_ = dim;
    return *this;
  }
  /// The last of the dimensions; by default -1, the last of all.
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

/// (N, a, b, …) → (N, a × b × …), or as the options say.
class FlattenImpl : public Module {
 public:
  /// A layer with these options.
  explicit FlattenImpl(const FlattenOptions& chosen = {}) : options(chosen) {}

  /// A view if the strides allow it, else a copy. IndexError for a dimension out of range, ShapeError if start_dim
  /// comes after end_dim.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  FlattenOptions options;  ///< which dimensions to join
};
/// Holds a FlattenImpl: `nn::Flatten()`.
D2L_MODULE(Flatten);

}  // namespace d2l::nn
