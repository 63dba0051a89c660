// SPDX-License-Identifier: MIT
/// @file
/// checkpoint(): computes a part of a model again in backward(), in place of keeping what its gradients need.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "d2l/tensor.h"

namespace d2l::detail {

/// A function of a list of tensors.
using Recomputation = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
/// The results, recorded as one operation that computes them again.
std::vector<Tensor> recomputed(const Recomputation& function, const std::vector<Tensor>& inputs);

/// function(x[0], …), a Tensor or a std::vector<Tensor>, as a list.
template <class Function, std::size_t... I>
std::vector<Tensor> results_of(Function& function, const std::vector<Tensor>& x, std::index_sequence<I...> /*all*/) {
  if constexpr (std::same_as<std::remove_cvref_t<decltype(function(x[I]...))>, Tensor>) {
    return {function(x[I]...)};
  } else {
    return function(x[I]...);
  }
}

/// The parameter of a function for an argument of type T.
template <class T>
struct ParameterFor {
  using type = const Tensor&;
};

}  // namespace d2l::detail

/// Helpers of training, by the names of PyTorch's `torch.utils`.
namespace d2l::utils {

/// function(inputs…), a Tensor or a std::vector<Tensor>, without a record of its operations: only the inputs are kept.
/// backward() calls the function again, with the random numbers of the first call, and differentiates that call; so the
/// peak of the memory is lower, and the function runs twice. It must compute the same both times, and write none of its
/// inputs. Gradients reach the inputs and all parameters that the function uses. PyTorch has it in Python alone, as
/// torch.utils.checkpoint; autograd::grad() through it is a ValueError, as it is there.
template <class Function, std::convertible_to<Tensor>... Inputs>
auto checkpoint(Function function, const Inputs&... inputs) {
  using Result = std::remove_cvref_t<std::invoke_result_t<Function&, typename detail::ParameterFor<Inputs>::type...>>;
  static_assert(std::same_as<Result, Tensor> || std::same_as<Result, std::vector<Tensor>>,
                "the function returns a Tensor or a std::vector<Tensor>");
  const auto call = [function = std::move(function)](const std::vector<Tensor>& x) mutable {
    return detail::results_of(function, x, std::index_sequence_for<Inputs...>());
  };
  auto outputs = detail::recomputed(call, {Tensor(inputs)...});
  if constexpr (std::same_as<Result, Tensor>) {
    return std::move(outputs[0]);
  } else {
    return outputs;
  }
}

}  // namespace d2l::utils
