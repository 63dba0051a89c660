// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/messages.h"
#include "d2l/amp.h"
#include "d2l/array_ops.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "d2l/repr.h"

namespace d2l::amp {
namespace {

[[noreturn]] void refuse(const char* operation, const std::string& sentence, const char* fix) {
  detail::fail<Error>(operation, sentence, {}, fix);
}

float checked_scale(double scale, const char* operation) {
  const auto value = static_cast<float>(scale);
  if (std::isfinite(value) && value > 0) return value;
  detail::fail<ValueError>(operation, fmt::format("the scale is {}", repr(scale)), {},
                           "a scale is a positive number that float32 can hold");
}

void check(const GradScalerOptions& options) {
  const auto require = [](bool right, const char* sentence, double value) {
    if (!right) detail::fail<ValueError>("GradScaler", fmt::format("{} It is {}", sentence, repr(value)));
  };
  require(options.growth_factor > 1, "The growth factor must be > 1.0.", options.growth_factor);
  require(options.backoff_factor > 0 && options.backoff_factor < 1,
          "The backoff factor must be < 1.0, and more than 0.", options.backoff_factor);
  require(options.growth_interval >= 1, "The growth interval must be 1 or more.",
          static_cast<double>(options.growth_interval));
}

}  // namespace

GradScaler::GradScaler(const GradScalerOptions& options)
    : options_(options), scale_(checked_scale(options.init_scale, "GradScaler")) {
  check(options);
}

Tensor GradScaler::scale(const Tensor& outputs) {
  if (!options_.enabled) return outputs;
  scaled_ = true;
  // PyTorch's scale is a float32 tensor without dimensions: it promotes a loss of 16 bits, and no tensor with
  // dimensions.
  const bool promotes = outputs.dim() == 0 && isReducedFloatingType(outputs.scalar_type());
  return (promotes ? outputs.to(kFloat) : outputs) * static_cast<double>(scale_);
}

void GradScaler::unscale_(optim::Optimizer& optimizer) {
  if (!options_.enabled) return;
  if (!scaled_) {
    refuse("unscale_",
           "Attempted unscale_ but _scale is None. This may indicate your script did not use scaler.scale(loss or "
           "outputs) earlier in the iteration",
           "call scaler.scale(loss).backward() first");
  }
  Progress& progress = progress_[&optimizer];
  if (progress.stage == Stage::unscaled) {
    refuse("unscale_", "unscale_() has already been called on this optimizer since the last update()",
           "call update() once in each step");
  }
  if (progress.stage == Stage::stepped) {
    refuse("unscale_", "unscale_() is being called after step()", "call it before step(), or not at all");
  }
  const NoGradGuard unrecorded;
  const double inverse = static_cast<float>(1 / static_cast<double>(scale_));
  std::vector<std::vector<Tensor>> by_device;
  for (const auto& group : optimizer.param_groups()) {
    for (const Tensor& parameter : group.params()) {
      if (!parameter.grad().defined() || parameter.grad().numel() == 0) continue;
      Tensor gradient = parameter.grad().detach();
      if (gradient.dtype() == kHalf) {
        detail::fail<ValueError>("unscale_", "Attempting to unscale FP16 gradients", {},
                                 "keep the parameters in float32, and convert them where they are used");
      }
      gradient.mul_(inverse);
      const Tensor largest = gradient.norm(std::numeric_limits<double>::infinity()).to(kFloat);
      const auto same = std::find_if(by_device.begin(), by_device.end(), [&](const std::vector<Tensor>& those) {
        return those.front().device() == largest.device();
      });
      if (same == by_device.end()) {
        by_device.push_back({largest});
      } else {
        same->push_back(largest);
      }
    }
  }
  for (const auto& those : by_device) progress.largest.push_back(those.size() == 1 ? those[0] : stack(those).max());
  progress.stage = Stage::unscaled;
}

bool GradScaler::overflowed(Progress& progress) const {
  for (const Tensor& largest : progress.largest) {
    if (!std::isfinite(largest.item<double>())) progress.overflow = true;
  }
  progress.largest.clear();
  return progress.overflow;
}

bool GradScaler::step(optim::Optimizer& optimizer) {
  if (!options_.enabled) {
    optimizer.step();
    return true;
  }
  if (progress_[&optimizer].stage == Stage::stepped) {
    refuse("step", "step() has already been called since the last update()", "call update() once in each step");
  }
  if (progress_[&optimizer].stage == Stage::ready) unscale_(optimizer);
  Progress& progress = progress_[&optimizer];
  if (progress.largest.empty()) {
    refuse("step", "No inf checks were recorded for this optimizer",
           "its parameters have no gradients: call scaler.scale(loss).backward() first");
  }
  progress.stage = Stage::stepped;
  if (overflowed(progress)) return false;
  optimizer.step();
  return true;
}

void GradScaler::update() {
  if (!options_.enabled) return;
  bool checked = false;
  bool overflow = false;
  for (auto& [optimizer, progress] : progress_) {
    checked = checked || progress.stage == Stage::stepped || !progress.largest.empty();
    overflow = overflowed(progress) || overflow;
  }
  if (!checked) {
    refuse("update", "No inf checks were recorded prior to update", "call step() for each optimizer before update()");
  }
  progress_.clear();
  if (overflow) {
    scale_ = static_cast<float>(static_cast<double>(scale_) * options_.backoff_factor);
    growth_tracker_ = 0;
    return;
  }
  if (++growth_tracker_ < options_.growth_interval) return;
  const auto grown = static_cast<float>(static_cast<double>(scale_) * options_.growth_factor);
  if (std::isfinite(grown)) scale_ = grown;
  growth_tracker_ = 0;
}

void GradScaler::update(double new_scale) {
  if (!options_.enabled) return;
  scale_ = checked_scale(new_scale, "update");
  progress_.clear();
}

double GradScaler::get_scale() const { return options_.enabled ? static_cast<double>(scale_) : 1; }

std::map<std::string, double> GradScaler::state_dict() const {
  if (!options_.enabled) return {};
  return {{"scale", scale_},
          {"growth_factor", options_.growth_factor},
          {"backoff_factor", options_.backoff_factor},
          {"growth_interval", static_cast<double>(options_.growth_interval)},
          {"_growth_tracker", static_cast<double>(growth_tracker_)}};
}

void GradScaler::load_state_dict(const std::map<std::string, double>& state) {
  if (!options_.enabled) return;
  const auto number = [&](const char* name) {
    const auto found = state.find(name);
    if (found == state.end()) {
      detail::fail<ValueError>("load_state_dict", fmt::format("the state of a GradScaler has no \"{}\"", name), {},
                               "pass what state_dict() of an enabled one returned");
    }
    return found->second;
  };
  const auto whole = [&](const char* name) {
    constexpr double limit = 9007199254740992;  // 2⁵³: from there on, not each integer is a double
    const double value = number(name);
    if (!(value >= 0 && value < limit && value == std::floor(value))) {
      detail::fail<ValueError>("load_state_dict", fmt::format("\"{}\" is {}, but it counts steps", name, repr(value)),
                               {}, "pass what state_dict() of an enabled one returned");
    }
    return static_cast<std::int64_t>(value);
  };
  GradScalerOptions options = options_;
  options.growth_factor = number("growth_factor");
  options.backoff_factor = number("backoff_factor");
  options.growth_interval = whole("growth_interval");
  check(options);
  const std::int64_t tracker = whole("_growth_tracker");
  const float scale = checked_scale(number("scale"), "load_state_dict");
  options_ = options;
  growth_tracker_ = tracker;
  scale_ = scale;
  progress_.clear();
}

}  // namespace d2l::amp
