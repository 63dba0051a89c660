// SPDX-License-Identifier: MIT
#include "sharding/sharded_parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/distributed/collectives.h"
#include "d2l/factories.h"

namespace d2l::detail {

ShardedParameter::ShardedParameter(Tensor parameter, const std::string& name, distributed::ProcessGroup group)
    : parameter_(std::move(parameter)),
      group_(std::move(group)),
      ranks_(distributed::get_world_size(group_)),
      sizes_(parameter_.impl()->sizes) {
  if (sizes_.count == 0) {
    fail<ValueError>("fully_shard",
                     fmt::format("FSDP doesn't support scalar parameters. Change {} to a 1D tensor with numel equal "
                                 "to 1.",
                                 name),
                     {}, "give it the shape {1}");
  }
  const NoGradGuard unrecorded;
  const std::int64_t rows_each = (sizes_[0] + ranks_ - 1) / ranks_;
  row_ = sizes_[0] == 0 ? 0 : parameter_.numel() / sizes_[0];
  each_ = rows_each * row_;
  first_row_ = std::min(rows_each * distributed::get_rank(group_), sizes_[0]);
  own_rows_ = std::min(rows_each, sizes_[0] - first_row_);
  const Tensor values = parameter_.detach().contiguous();
  own_ = padded(values.narrow(0, first_row_, own_rows_), each_);
  own_view_ = *rows(own_, own_rows_).impl();
  const Tensor all = empty({each_ * ranks_}, own_.options());
  all_view_ = *rows(all, sizes_[0]).impl();
  all_ = all.data();  // what is gathered is no change of the parameter
  all_.impl()->storage->drop_memory();
  show(own_view_);
  if (parameter_.requires_grad()) {
    hook_ = std::make_unique<GradientHookHandle>(parameter_, [this](TensorImpl& leaf) { reduce(leaf); });
  }
}

ShardedParameter::~ShardedParameter() = default;

Tensor ShardedParameter::rows(const Tensor& memory, std::int64_t count) const {
  Dimensions sizes = sizes_;
  sizes[0] = count;
  return memory.narrow(0, 0, count * row_).view(sizes.ref());
}

Tensor ShardedParameter::padded(const Tensor& tensor, std::int64_t count) const {
  Tensor result = empty({count}, tensor.options().requires_grad(false));
  result.narrow(0, 0, tensor.numel()).copy_(tensor.reshape({-1}));
  if (tensor.numel() < count) result.narrow(0, tensor.numel(), count - tensor.numel()).zero_();
  return result;
}

void ShardedParameter::show(const StridedView& elements) { static_cast<StridedView&>(*parameter_.impl()) = elements; }

void ShardedParameter::begin_gather() {
  if (has_all_rows_) return;
  if (parameter_.impl()->storage != own_.impl()->storage) {
    fail<ValueError>("fully_shard", "a parameter was moved, converted or replaced after fully_shard()",
                     operands({{"it", parameter_.impl().get()}}), "call to() of the module first");
  }
  all_.impl()->storage->take_memory();
  gathering_ = distributed::all_gather_into_tensor(all_, own_, group_);
}

void ShardedParameter::finish_gather() {
  if (has_all_rows_) return;
  std::exchange(gathering_, {}).wait();
  show(all_view_);
  has_all_rows_ = true;
}

void ShardedParameter::reshard() {
  if (!std::exchange(has_all_rows_, false)) return;
  show(own_view_);
  all_.impl()->storage->drop_memory();
}

void ShardedParameter::begin_backward() {
  if (hook_ != nullptr) earlier_grad_ = std::exchange(parameter_.impl()->grad, Tensor());
}

void ShardedParameter::end_backward() {
  if (earlier_grad_.defined()) parameter_.impl()->grad = std::exchange(earlier_grad_, Tensor());
  reshard();
}

void ShardedParameter::reduce(TensorImpl& leaf) {
  const NoGradGuard unrecorded;
  Tensor grad = std::exchange(leaf.grad, Tensor());
  const bool fits = grad.numel() == each_ * ranks_ && grad.is_contiguous();
  grad = fits ? grad.view({-1}) : padded(grad, each_ * ranks_);
  reshard();  // no operation of this backward() reads the parameter any more
  const Tensor own = empty({each_}, grad.options());
  distributed::reduce_scatter_tensor(own, grad, distributed::ReduceOp::AVG, group_).wait();
  grad = rows(own, own_rows_);
  if (earlier_grad_.defined()) grad = std::exchange(earlier_grad_, Tensor()).add_(grad);
  leaf.grad = grad;
}

Tensor ShardedParameter::gathered(const Tensor& own) const {
  const NoGradGuard unrecorded;
  const Tensor all = empty({each_ * ranks_}, own.options().requires_grad(false));
  distributed::all_gather_into_tensor(all, padded(own, each_), group_).wait();
  return rows(all, sizes_[0]);
}

Tensor ShardedParameter::rows_of(const Tensor& all, const std::string& name) const {
  if (all.sizes() != sizes_.ref()) {
    fail<ShapeError>("set_model_state_dict", fmt::format("{} has another shape than the parameter of all ranks", name),
                     fmt::format("({}; expected {})", describe(*all.impl()), text(sizes_.ref())),
                     "give the full tensor, as get_model_state_dict() returns it with full_state_dict");
  }
  return all.narrow(0, first_row_, own_rows_);
}

}  // namespace d2l::detail
