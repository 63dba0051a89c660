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

/// A buffer of its own for a copy of a module.
Tensor own_buffer(const Tensor& buffer) { return buffer.defined() ? buffer.detach().clone() : Tensor(); }

/// A module like `module`, with these options.
template <class Loss, class Options>
std::shared_ptr<Module> loss_like(const Loss& module, const Options& options) {
  auto copy = std::make_shared<Loss>(options);
  copy->train(module.is_training());
  return copy;
}

}  // namespace

LossReduction::LossReduction(const std::string& name) : kind_(kind_named(name)) {}

std::shared_ptr<Module> MSELossImpl::clone() const { return loss_like(*this, options); }

std::shared_ptr<Module> L1LossImpl::clone() const { return loss_like(*this, options); }

std::shared_ptr<Module> SmoothL1LossImpl::clone() const { return loss_like(*this, options); }

std::shared_ptr<Module> HuberLossImpl::clone() const { return loss_like(*this, options); }

BCEWithLogitsLossImpl::BCEWithLogitsLossImpl(const BCEWithLogitsLossOptions& chosen)
    : options(chosen),
      weight(register_buffer("weight", chosen.weight())),
      pos_weight(register_buffer("pos_weight", chosen.pos_weight())) {}

std::shared_ptr<Module> BCEWithLogitsLossImpl::clone() const {
  auto own = options;
  return loss_like(*this, own.weight(own_buffer(weight)).pos_weight(own_buffer(pos_weight)));
}

NLLLossImpl::NLLLossImpl(const NLLLossOptions& chosen)
    : options(chosen), weight(register_buffer("weight", chosen.weight())) {}

std::shared_ptr<Module> NLLLossImpl::clone() const {
  auto own = options;
  return loss_like(*this, own.weight(own_buffer(weight)));
}

CrossEntropyLossImpl::CrossEntropyLossImpl(const CrossEntropyLossOptions& chosen)
    : options(chosen), weight(register_buffer("weight", chosen.weight())) {}

std::shared_ptr<Module> CrossEntropyLossImpl::clone() const {
  auto own = options;
  return loss_like(*this, own.weight(own_buffer(weight)));
}

}  // namespace d2l::nn
