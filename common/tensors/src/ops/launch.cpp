// SPDX-License-Identifier: MIT
// The launch of a kernel: waits, the check of placement, ledgers, and the call of the backend.
#include "ops/launch.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/capture.h"
#include "core/messages.h"
#include "d2l/error.h"
#include "kernels/kernel_table.h"
#include "ledger/ledger.h"
#include "ops/element_type.h"
#include "runtime/capturing.h"
#include "runtime/runtime.h"

namespace d2l::backend {

NamedKernel find_kernel(const Backend& backend, Operation operation, const KernelArguments& arguments) {
  const char* const name = info(operation).name;
  const Kernel kernel = kernels_of(backend.processor()).find(operation, arguments);
  if (kernel != nullptr) return {name, kernel};
  const Operand& typed = arguments.operands[arguments.operand_count > 1 ? 1 : 0];
  throw TypeError(fmt::format(
      "[{0}] \"{0}_{1}\" not implemented for '{2}': {1} has no kernel for it. Convert the tensor first, for "
      "example with .to(kFloat)",
      name, &backend == &cpu_backend() ? "cpu" : "cuda", toString(typed.dtype)));
}

}  // namespace d2l::backend

namespace d2l::detail {

namespace {

bool placement_is_checked() {
  static const bool checked = std::getenv("D2L_CHECK_PLACEMENT") != nullptr;
  return checked;
}

void check_placement(Operation operation, const TensorImpl& tensor) {
  if (tensor.numel == 0) return;
  const auto owner = gpu_backend().owner(tensor.data());
  const Device where = owner ? gpu(*owner) : cpu();
  if (where == tensor.device()) return;
  fail<DeviceError>(
      info(operation).name,
      fmt::format("a tensor says that it is on {}, but its memory belongs to {}", tensor.device().str(), where.str()),
      operands({{"it", &tensor}}), "move tensors with to(device), never by relabelling them");
}

}  // namespace

void prepare(Operation operation, std::initializer_list<const TensorImpl*> tensors) {
  if (auto* const capture = capture_of((*tensors.begin())->device())) {
    for (const auto& tensor : tensors) {
      if (tensor != nullptr) capture->use(*tensor, &tensor == tensors.begin());
    }
  }
  (*tensors.begin())->storage->wait_until_ready();
  for (const auto* input = tensors.begin() + 1; input != tensors.end(); ++input) {
    if (*input != nullptr) (*input)->storage->wait_until_readable();
  }
  if (!placement_is_checked()) return;
  for (const auto* tensor : tensors) {
    if (tensor != nullptr) check_placement(operation, *tensor);
  }
}

void launch(Operation operation, Device device, const KernelArguments& arguments, std::int64_t bytes,
            std::int64_t flops) {
  auto& backend = device.is_cpu() ? backend::cpu_backend() : gpu_backend();
  const auto kernel = find_kernel(backend, operation, arguments);
  Capture* const capture = capture_of(device);
  std::shared_ptr<backend::Span> span;
  if (capture != nullptr || ledger_is_open()) {
    const auto& sizes = arguments.sizes;
    const auto kind = info(operation).kind;
    if (kind == backend::OperationKind::random) {
      refuse_in_capture(device, kernel.name, "each replay would draw the same numbers");
    }
    LedgerEntry entry = {.kind = LedgerEntry::Kind::launch,
                         .name = kernel.name,
                         .queue = device,
                         .bytes = bytes,
                         .flops = flops,
                         .dtype = arguments.operands[arguments.operand_count > 1 ? 1 : 0].dtype,
                         .outputs = kind == backend::OperationKind::product ? sizes[0] * sizes[1] * sizes[3] : 0,
                         .result = reinterpret_cast<std::uintptr_t>(arguments.operands[0].data)};
    if (capture != nullptr) return capture->add({kernel, arguments}, std::move(entry));
    span = record(entry);
  }
  backend.launch(number_of(device), kernel, arguments, std::move(span));
}

void launch_whole(Operation operation, KernelArguments& arguments, std::initializer_list<const TensorImpl*> tensors,
                  std::int64_t elements) {
  prepare(operation, tensors);
  std::int64_t bytes = 0;
  arguments.operand_count = 0;
  for (const auto* tensor : tensors) {
    if (tensor == nullptr) continue;
    auto& operand = arguments.operands[static_cast<std::size_t>(arguments.operand_count++)];
    operand = whole(*tensor);
    bytes += operand.extent;
  }
  launch(operation, (*tensors.begin())->device(), arguments, bytes, elements * info(operation).flops);
}

KernelArguments lines_along(const Dimensions& sizes, int dim) {
  KernelArguments arguments;
  arguments.rank = 3;
  arguments.sizes[0] = arguments.sizes[1] = arguments.sizes[2] = 1;
  for (int i = 0; i < sizes.count; ++i) arguments.sizes[i < dim ? 0 : i == dim ? 1 : 2] *= sizes[i];
  return arguments;
}

KernelArguments one_dimension(std::int64_t n) {
  KernelArguments arguments;
  arguments.rank = 1;
  arguments.sizes[0] = n;
  return arguments;
}

backend::Operand whole(const TensorImpl& tensor) {
  backend::Operand operand;
  operand.data = tensor.data();
  operand.dtype = tensor.dtype;
  operand.extent = tensor.numel * bytes_each(tensor.dtype);
  return operand;
}

backend::Immediate immediate(const Scalar& number, ScalarType dtype) {
  if (isFloatingType(dtype)) return {number.toDouble(), 0};
  return {0, with_element_type(dtype, [&number]<class T>() { return static_cast<std::int64_t>(number.to<T>()); })};
}

Scalar read_number(const TensorImpl& tensor) {
  return with_element_type(tensor.dtype,
                           [&tensor]<class T>() { return Scalar(*static_cast<const T*>(tensor.data())); });
}

}  // namespace d2l::detail
