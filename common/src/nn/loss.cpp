// SPDX-License-Identifier: MIT
#include "d2l/nn/loss.h"

#include <fmt/format.h>

#include "core/messages.h"

namespace d2l::nn {

namespace {

Reduction::Reduction kind_named(const std::string& name) {
  if (name == "none") return kNone;
  if (name == "mean") return kMean;
  if (name == "sum") return kSum;
  detail::fail<ValueError>("reduction", fmt::format("{} is not a valid value for reduction", name), {},
                           "give none, mean or sum");
}

}  // namespace

LossReduction::LossReduction(const std::string& name) : kind_(kind_named(name)) {}

std::shared_ptr<Module> MSELossImpl::clone() const { return std::make_shared<MSELossImpl>(options); }

std::shared_ptr<Module> CrossEntropyLossImpl::clone() const { return std::make_shared<CrossEntropyLossImpl>(options); }

}  // namespace d2l::nn
