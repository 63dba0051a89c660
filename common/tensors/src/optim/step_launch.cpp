// SPDX-License-Identifier: MIT
#include "optim/step_launch.h"

#include "autograd/recording.h"
#include "core/messages.h"
#include "d2l/factories.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"
#include "runtime/capturing.h"

namespace d2l::detail {

namespace {

void check_gradient(const char* optimizer, const TensorImpl& parameter, const TensorImpl& gradient) {
  const auto both = [&] { return operands({{"parameter", &parameter}, {"gradient", &gradient}}); };
  if (!same(parameter.sizes, gradient.sizes)) {
    fail<ShapeError>(optimizer, "the gradient of a parameter has another shape than the parameter", both(),
                     "set a gradient of the parameter's shape");
  }
  if (!isFloatingType(parameter.dtype) || parameter.dtype != gradient.dtype) {
    fail<TypeError>(optimizer, "a parameter and its gradient must have one floating-point dtype", both(),
                    "convert both with to(kFloat)");
  }
  static_cast<void>(same_device(optimizer, {&parameter, &gradient}, {"parameter", "gradient", ""}));
}

void check_state(const char* optimizer, const TensorImpl& parameter, const TensorImpl& state) {
  if (same(parameter.sizes, state.sizes)) return;
  fail<ShapeError>(optimizer, "the shape of a parameter has changed since the last step",
                   operands({{"parameter", &parameter}, {"state", &state}}),
                   "create a new optimizer for parameters of new shapes");
}

}  // namespace

void refuse_first_step(Device device) {
  refuse_in_capture(device, "step", "each replay would make the optimizer's state anew, as its first step does");
}

Tensor& state_like(Tensor& state, const Tensor& parameter, double value) {
  if (!state.defined()) {
    const auto& impl = *parameter.impl();
    refuse_first_step(impl.device());
    state = full(impl.sizes.ref(), value, TensorOptions(impl.dtype).device(impl.device()));
  }
  return state;
}

void launch_step(Operation operation, const char* optimizer, const Tensor& parameter, const Tensor& gradient,
                 const std::array<Tensor, 3>& state, KernelArguments& arguments) {
  const TensorImpl& written = impl_of(parameter, optimizer);
  check_gradient(optimizer, written, impl_of(gradient, optimizer));
  check_no_internal_overlap(written, optimizer);
  Tensor kept;
  const Tensor given = row_major(safe_to_read(gradient, written, optimizer, kept));
  const Tensor changed = row_major(parameter);
  if (written.numel == 0) return;

  std::array<const TensorImpl*, 3> used{};
  std::size_t count = 0;
  for (const Tensor& tensor : state) {
    if (!tensor.defined()) continue;
    check_state(optimizer, written, *tensor.impl());
    tensor.impl()->storage->wait_until_ready();  // the kernel writes it; launch_whole() waits for the parameter
    used[count++] = tensor.impl().get();
  }
  arguments.rank = 1;
  arguments.sizes[0] = written.numel;
  launch_whole(operation, arguments, {changed.impl().get(), given.impl().get(), used[0], used[1], used[2]},
               written.numel);
  if (!written.contiguous) copy_within_device(written, *changed.impl());
  count_write(parameter);
}

}  // namespace d2l::detail
