// SPDX-License-Identifier: MIT
// Launches of the kernels of normalisation.
#include "layer_ops/normalisations.h"

#include "kernels/normalisation_flags.h"
#include "layer_ops/normalisation_launch.h"

namespace d2l::detail {

namespace {

Tensor like(const TensorImpl& impl, Operation operation) {
  return make_tensor(impl.sizes, impl.dtype, impl.device(), false, info(operation).name);
}

Tensor vector_like(const TensorImpl& impl, std::int64_t size, Operation operation) {
  return make_tensor({{size}, 1}, impl.dtype, impl.device(), false, info(operation).name);
}

}  // namespace

KernelArguments rows_of(const TensorImpl& input, std::int64_t n) {
  KernelArguments arguments;
  arguments.rank = 2;
  arguments.sizes[0] = n == 0 ? 0 : input.numel / n;
  arguments.sizes[1] = n;
  return arguments;
}

NormalisationGradients layer_norm_gradients(const Tensor& grad, const NormalisedInput& of, std::int64_t n,
                                            bool of_input, bool of_parameters) {
  const Tensor g = row_major(grad);
  const Tensor x = row_major(of.input);
  const TensorImpl& impl = *x.impl();
  NormalisationGradients result;
  const auto* statistics = of.statistics.impl().get();
  const Tensor weight = of.weight.defined() ? row_major(of.weight) : Tensor();
  auto arguments = rows_of(impl, n);
  arguments.parameters[0].integer = weight.defined() ? backend::has_weight : 0;
  if (of_input) result.input = like(impl, Operation::layer_norm_backward);
  if (of_parameters) {
    result.weight = vector_like(impl, n, Operation::layer_norm_parameters);
    result.bias = vector_like(impl, n, Operation::layer_norm_parameters);
  }
  if (impl.numel == 0) {
    if (of_parameters) fill(*result.weight.impl(), 0);
    if (of_parameters) fill(*result.bias.impl(), 0);
  } else if (of_input && of_parameters) {
    launch_whole(Operation::layer_norm_gradients, arguments,
                 {result.input.impl().get(), g.impl().get(), &impl, statistics, result.weight.impl().get(),
                  result.bias.impl().get(), weight.impl().get()},
                 impl.numel);
  } else if (of_input) {
    launch_whole(Operation::layer_norm_backward, arguments,
                 {result.input.impl().get(), g.impl().get(), &impl, statistics, weight.impl().get()}, impl.numel);
  } else if (of_parameters) {
    launch_whole(Operation::layer_norm_parameters, arguments,
                 {result.weight.impl().get(), g.impl().get(), &impl, statistics, result.bias.impl().get()}, impl.numel);
  }
  return result;
}

NormalisationGradients batch_norm_gradients(const Tensor& grad, const NormalisedInput& of, bool trains, bool of_input) {
  const Tensor g = row_major(grad);
  const Tensor x = row_major(of.input);
  const Tensor weight = of.weight.defined() ? row_major(of.weight) : Tensor();
  const TensorImpl& impl = *x.impl();
  const Tensor sums = make_tensor({{5, impl.sizes[1]}, 2}, kDouble, impl.device(), false, "batch_norm_sums");
  auto arguments = lines_along(impl.sizes, 1);
  arguments.parameters[0].integer = weight.defined() ? backend::has_weight : 0;
  launch_whole(Operation::batch_norm_sums, arguments,
               {sums.impl().get(), g.impl().get(), &impl, of.statistics.impl().get(), weight.impl().get()}, impl.numel);
  NormalisationGradients result;
  result.weight = sums.select(0, 0).to(impl.dtype);
  result.bias = sums.select(0, 1).to(impl.dtype);
  if (!of_input) return result;
  result.input = like(impl, Operation::batch_norm_backward);
  auto of_elements = lines_along(impl.sizes, 1);
  of_elements.parameters[0].integer = trains ? 1 : 0;
  launch_whole(Operation::batch_norm_backward, of_elements,
               {result.input.impl().get(), g.impl().get(), &impl, sums.impl().get()}, impl.numel);
  return result;
}

void set_normalisation(const RecordedOperation& operation, const NormalisationGradients& gradients,
                       Gradients& results) {
  if (operation.wants(0)) results[0] = gradients.input;
  if (operation.wants(1)) results[1] = gradients.weight.view(operation.inputs[1].sizes.ref());
  if (operation.wants(2)) results[2] = gradients.bias.view(operation.inputs[2].sizes.ref());
}

}  // namespace d2l::detail
