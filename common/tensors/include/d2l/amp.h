// SPDX-License-Identifier: MIT
/// @file
/// GradScaler: training with float16 gradients, which would otherwise vanish. Names and results as in PyTorch's
/// `torch.amp`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "d2l/optim/optimizer.h"
#include "d2l/tensor.h"

/// Mixed precision, by the names of PyTorch's `torch.amp`.
namespace d2l::amp {

/// The options of a GradScaler, with PyTorch's defaults.
struct GradScalerOptions {
  double init_scale = 65536;            ///< the first scale
  double growth_factor = 2;             ///< multiplies the scale after `growth_interval` steps without an overflow
  double backoff_factor = 0.5;          ///< multiplies the scale after an overflow
  std::int64_t growth_interval = 2000;  ///< steps in a row without an overflow
  bool enabled = true;                  ///< if not, scale() returns its argument and step() is the optimizer's
};

/// Multiplies the loss, so that small gradients are not rounded to 0, and divides the gradients before the step. If a
/// gradient is infinite or nan, the step is left out and the scale becomes smaller; after many good steps it becomes
/// larger.
///
/// ```cpp
/// scaler.scale(loss).backward();
/// scaler.step(optimizer);
/// scaler.update();
/// ```
class GradScaler {
 public:
  /// ValueError for a scale that is not positive and finite, a growth factor of 1 or less, a backoff factor that is not
  /// between 0 and 1, and an interval below 1.
  explicit GradScaler(const GradScalerOptions& options = {});

  /// `outputs` times the scale.
  [[nodiscard]] Tensor scale(const Tensor& outputs);
  /// Divides the gradients of the optimizer's parameters by the scale, to clip or look at them before step(); the host
  /// waits for none of them. Error for a second call before update(), after step(), before scale(), and for float16
  /// gradients.
  void unscale_(optim::Optimizer& optimizer);
  /// Calls unscale_() unless it was called, waits for the result, and makes the optimizer's step if all gradients are
  /// finite. Whether it did. Error for a second call before update(), and if no parameter has a gradient.
  bool step(optim::Optimizer& optimizer);
  /// Changes the scale by what was found since the last call; Error if no optimizer was unscaled.
  void update();
  /// Sets the scale; ValueError unless it is positive and finite.
  void update(double new_scale);

  /// The scale; 1 if it is not enabled.
  [[nodiscard]] double get_scale() const;
  /// Steps in a row without an overflow.
  [[nodiscard]] std::int64_t growth_tracker() const noexcept { return growth_tracker_; }
  /// Whether it scales.
  [[nodiscard]] bool is_enabled() const noexcept { return options_.enabled; }
  /// PyTorch's names and numbers: "scale", "growth_factor", "backoff_factor", "growth_interval", "_growth_tracker";
  /// empty if it is not enabled.
  [[nodiscard]] std::map<std::string, double> state_dict() const;
  /// Restores what state_dict() returned; ValueError if a name is missing or a number is not allowed. Nothing happens
  /// if it is not enabled.
  void load_state_dict(const std::map<std::string, double>& state);

 private:
  enum class Stage { ready, unscaled, stepped };
  /// What happened to an optimizer since the last update().
  struct Progress {
    Stage stage = Stage::ready;
    std::vector<Tensor> largest;  ///< the largest absolute value of the gradients on each device
    bool overflow = false;
  };
  [[nodiscard]] bool overflowed(Progress& progress) const;

  GradScalerOptions options_;
  float scale_;
  bool scaled_ = false;
  std::int64_t growth_tracker_ = 0;
  std::unordered_map<const optim::Optimizer*, Progress> progress_;
};

}  // namespace d2l::amp
