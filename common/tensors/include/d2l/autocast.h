// SPDX-License-Identifier: MIT
/// @file
/// Autocast: each operation computes in the dtype that suits it. Names and results as in PyTorch's `torch.autocast`.
#pragma once

#include <optional>

#include "d2l/tensor.h"

namespace d2l::amp {

/// Whether this thread's operations on devices of this type choose their dtypes.
[[nodiscard]] bool is_autocast_enabled(DeviceType type) noexcept;
/// The dtype of products on devices of this type: kBFloat16 on the CPU and kHalf on GPUs, unless an Autocast says
/// another.
[[nodiscard]] ScalarType get_autocast_dtype(DeviceType type) noexcept;
/// Whether a parameter is converted once for all operations in the scope of an Autocast.
[[nodiscard]] bool is_autocast_cache_enabled() noexcept;

/// Mixed precision in a scope: operations of this thread on devices of one type convert their operands, those of
/// float64 excepted.
///
/// - In `dtype`: products, linear layers, convolutions, attention, prelu; on a GPU recurrent layers, too.
/// - In float32: losses and prod; on a GPU also sums, norms, softmax, layer_norm, rms_norm, exponentials, logarithms,
///   powers, reciprocals and resized images.
/// - In the widest dtype of the operands: cat and stack; on a GPU also dot and index_put.
///
/// All others compute as without it, and those in place convert nothing. A parameter is converted once, and again when
/// it has changed; the copies live to the end of the outermost scope, or as long as a gradient needs them. backward()
/// computes in the dtypes of the forward pass, wherever it is called.
///
/// ```cpp
/// Tensor loss;
/// {
///   const amp::Autocast autocast(kCUDA, kBFloat16);
///   loss = nn::functional::cross_entropy(net->forward(x), y);
/// }
/// loss.backward();
/// ```
class Autocast {
 public:
  /// ValueError for another `dtype` than kHalf and kBFloat16. With `enabled` false, nothing is converted in the scope,
  /// also inside the scope of another Autocast. Without `cache_enabled` as around the scope, at first true.
  explicit Autocast(DeviceType type, std::optional<ScalarType> dtype = std::nullopt, bool enabled = true,
                    std::optional<bool> cache_enabled = std::nullopt);
  /// Restores what was before.
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  DeviceType type_;
  bool on_before_;
  ScalarType dtype_before_;
  bool cached_before_;
};

}  // namespace d2l::amp
