// SPDX-License-Identifier: MIT
#include "distributed/run.h"

#include <utility>

namespace d2l::distributed::detail {

Work run(GroupState& state, Call call, std::function<void(Engine&)> work, Around around) {
  call.number = state.collectives++;
  auto result = std::make_shared<WorkState>(std::move(around.after));
  state.worker.add({}, result, [&state, call, work = std::move(work), before = std::move(around.before)] {
    if (before) before();
    state.engine->agree(call);
    work(*state.engine);
  });
  return Work(std::move(result));
}

Call call_of(Collective collective, const Tensor& tensor, ReduceOp op, int root) {
  return {.collective = collective,
          .op = static_cast<std::int32_t>(op),
          .dtype = static_cast<std::int32_t>(tensor.dtype()),
          .root = root,
          .count = tensor.numel()};
}

}  // namespace d2l::distributed::detail
