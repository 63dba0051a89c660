// SPDX-License-Identifier: MIT
// Dispatch: devices, placement, ledgers, and the call of the backend.
#include "ops/dispatch.h"

#include <fmt/format.h>

#include <cstdlib>

#include "ledger/ledger.h"
#include "runtime/runtime.h"

namespace d2l::detail {

namespace {

bool placement_is_checked() {
  static const bool checked = std::getenv("D2L_CHECK_PLACEMENT") != nullptr;
  return checked;
}

void check_placement(Operation operation, const TensorImpl& tensor) {
  if (tensor.numel == 0) return;
  const auto owner = gpu_backend().owner(tensor.data());
  const Device where = owner ? Device(kCUDA, *owner) : Device(kCPU);
  if (where == tensor.device()) return;
  fail<DeviceError>(
      info(operation).name,
      fmt::format("a tensor says that it is on {}, but its memory belongs to {}", tensor.device().str(), where.str()),
      operands({{"it", &tensor}}), "move tensors with to(device), never by relabelling them");
}

[[noreturn]] void fail_devices(std::string_view operation, Device first, Device other,
                               std::initializer_list<const TensorImpl*> tensors,
                               const OperandNames& names = {"a", "b", "c"}) {
  std::array<std::pair<std::string_view, const TensorImpl*>, 3> named{
      {{names[0], nullptr}, {names[1], nullptr}, {names[2], nullptr}}};
  std::size_t i = 0;
  for (const auto* tensor : tensors) {
    if (i < named.size()) named[i++].second = tensor;
  }
  fail<DeviceError>(operation,
                    fmt::format("Expected all tensors to be on the same device, but found at least two devices, {} and "
                                "{}!",
                                first.str(), other.str()),
                    operands({named[0], named[1], named[2]}),
                    fmt::format("move one of them first, for example {}.to({}.device())", names[1], names[0]));
}

}  // namespace

Device common_device(const char* operation, std::initializer_list<const TensorImpl*> tensors) {
  Device common(kCPU);
  for (const auto* tensor : tensors) {
    if (tensor != nullptr && !tensor->device().is_cpu()) {
      common = tensor->device();
      break;
    }
  }
  for (const auto* tensor : tensors) {
    if (tensor == nullptr || tensor->device() == common) continue;
    if (tensor->device().is_cpu() && tensor->sizes.count == 0) continue;
    fail_devices(operation, common, tensor->device(), tensors);
  }
  return common;
}

Device same_device(const char* operation, std::initializer_list<const TensorImpl*> tensors, const OperandNames& names) {
  const Device first = (*tensors.begin())->device();
  for (const auto* tensor : tensors) {
    if (!(tensor->device() == first)) fail_devices(operation, first, tensor->device(), tensors, names);
  }
  return first;
}

void prepare(Operation operation, const TensorImpl& out, std::initializer_list<const TensorImpl*> inputs) {
  out.storage->wait_until_ready();
  for (const auto* input : inputs) {
    if (input != nullptr) input->storage->wait_until_readable();
  }
  if (!placement_is_checked()) return;
  check_placement(operation, out);
  for (const auto* input : inputs) {
    if (input != nullptr) check_placement(operation, *input);
  }
}

void launch(Operation operation, Device device, const KernelArguments& arguments, std::int64_t bytes,
            std::int64_t flops) {
  std::shared_ptr<backend::Span> span;
  if (ledger_is_open()) {
    LedgerEntry entry;
    entry.kind = LedgerEntry::Kind::launch;
    entry.name = info(operation).name;
    entry.queue = device;
    entry.bytes = bytes;
    entry.flops = flops;
    entry.dtype = arguments.operands[arguments.operand_count > 1 ? 1 : 0].dtype;
    if (info(operation).kind == backend::OperationKind::product) {
      entry.outputs = arguments.sizes[0] * arguments.sizes[1] * arguments.sizes[3];
    }
    span = record(entry);
  }
  auto& backend = device.is_cpu() ? backend::cpu_backend() : gpu_backend();
  backend.launch(number_of(device), operation, arguments, std::move(span));
}

KernelArguments lines_along(const Dimensions& sizes, int dim) {
  KernelArguments arguments;
  arguments.rank = 3;
  arguments.sizes[0] = arguments.sizes[1] = arguments.sizes[2] = 1;
  for (int i = 0; i < sizes.count; ++i) arguments.sizes[i < dim ? 0 : i == dim ? 1 : 2] *= sizes[i];
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
  const auto integer = number.toLong();
  switch (dtype) {
    case kBool:
      return {0, number.toBool() ? 1 : 0};
    case kByte:
      return {0, static_cast<std::uint8_t>(integer)};
    case kInt:
      return {0, static_cast<std::int32_t>(integer)};
    default:
      return {0, integer};
  }
}

Scalar read_number(const TensorImpl& tensor) {
  const void* data = tensor.data();
  switch (tensor.dtype) {
    case kBool:
      return *static_cast<const bool*>(data);
    case kByte:
      return *static_cast<const std::uint8_t*>(data);
    case kInt:
      return *static_cast<const std::int32_t*>(data);
    case kLong:
      return *static_cast<const std::int64_t*>(data);
    case kFloat:
      return *static_cast<const float*>(data);
    case kDouble:
      return *static_cast<const double*>(data);
  }
  return {};
}

}  // namespace d2l::detail
