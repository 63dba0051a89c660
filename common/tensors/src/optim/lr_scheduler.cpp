// SPDX-License-Identifier: MIT
#include "d2l/optim/lr_scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/messages.h"

namespace d2l::optim {

namespace {

std::int64_t positive(std::int64_t count, const char* scheduler, const char* what) {
  if (count > 0) return count;
  detail::fail<ValueError>(scheduler, fmt::format("{} is {}, and must be positive", what, count), {},
                           "give a number of epochs");
}

}  // namespace

LRScheduler::LRScheduler(Optimizer& optimizer) : optimizer_(optimizer), last_(get_current_lrs()) {}
LRScheduler::~LRScheduler() = default;

std::vector<double> LRScheduler::get_current_lrs() const {
  std::vector<double> rates;
  rates.reserve(optimizer_.param_groups().size());
  for (const auto& group : optimizer_.param_groups()) rates.push_back(group.options().get_lr());
  return rates;
}

void LRScheduler::step() {
  ++step_count_;
  const auto rates = get_lrs();
  auto& groups = optimizer_.param_groups();
  for (std::size_t i = 0; i < std::min(rates.size(), groups.size()); ++i) groups[i].options().set_lr(rates[i]);
  last_ = get_current_lrs();
}

StepLR::StepLR(Optimizer& optimizer, std::int64_t step_size, double gamma)
    : LRScheduler(optimizer), step_size_(positive(step_size, "StepLR", "step_size")), gamma_(gamma) {}

std::vector<double> StepLR::get_lrs() {
  auto rates = get_current_lrs();
  if (step_count() % step_size_ != 0) return rates;
  for (double& rate : rates) rate *= gamma_;
  return rates;
}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, std::int64_t T_max, double eta_min)
    : LRScheduler(optimizer),
      T_max_(positive(T_max, "CosineAnnealingLR", "T_max")),
      eta_min_(eta_min),
      base_lrs_(get_current_lrs()) {}

std::vector<double> CosineAnnealingLR::get_lrs() {
  const auto period = static_cast<double>(T_max_);
  const auto epoch = static_cast<double>(step_count());
  auto rates = get_current_lrs();
  rates.resize(std::min(rates.size(), base_lrs_.size()));  // a group that was added later has no first value
  for (std::size_t i = 0; i < rates.size(); ++i) {
    // The recursion would divide by zero one epoch after the minimum.
    if ((step_count() - 1 - T_max_) % (2 * T_max_) == 0) {
      rates[i] += (base_lrs_[i] - eta_min_) * (1 - std::cos(std::numbers::pi / period)) / 2;
    } else {
      rates[i] = (1 + std::cos(std::numbers::pi * epoch / period)) /
                     (1 + std::cos(std::numbers::pi * (epoch - 1) / period)) * (rates[i] - eta_min_) +
                 eta_min_;
    }
  }
  return rates;
}

}  // namespace d2l::optim
