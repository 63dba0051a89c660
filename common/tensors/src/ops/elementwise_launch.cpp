// SPDX-License-Identifier: MIT
// Elementwise launches: broadcast dimensions get a stride of 0, dimensions are merged, dtypes are converted first.
#include "ops/elementwise_launch.h"

#include "ops/operands.h"

namespace d2l::detail {

namespace {

/// An output and its inputs over one shape. A null input is a number.
struct Operands {
  std::array<const TensorImpl*, backend::max_operands> tensors{};
  std::array<Scalar, backend::max_operands> numbers;
  std::array<ScalarType, backend::max_operands> types{};  ///< of the numbers
  std::size_t count = 0;
};

std::int64_t stride_along(const TensorImpl& tensor, const Dimensions& shape, int dim) {
  const int own = dim - (shape.count - tensor.sizes.count);
  return own < 0 || tensor.sizes[own] == 1 ? 0 : tensor.strides[own];
}

bool have_same_layout(const Operands& of) {
  const TensorImpl& out = *of.tensors[0];
  if (!out.contiguous) return false;
  for (std::size_t k = 1; k < of.count; ++k) {
    const TensorImpl* input = of.tensors[k];
    if (input != nullptr && !(input->contiguous && same(input->sizes, out.sizes))) return false;
  }
  return true;
}

/// Orders the dimensions by the output's strides, largest first, so that more of them can be merged.
void sort_dimensions(KernelArguments& arguments, std::size_t operands) {
  const auto& order = arguments.operands[0].strides;
  const auto rank = static_cast<std::size_t>(arguments.rank);
  for (std::size_t i = 1; i < rank; ++i) {
    for (std::size_t j = i; j > 0 && order[j - 1] < order[j]; --j) {
      std::swap(arguments.sizes[j - 1], arguments.sizes[j]);
      for (std::size_t k = 0; k < operands; ++k) {
        auto& strides = arguments.operands[k].strides;
        std::swap(strides[j - 1], strides[j]);
      }
    }
  }
}

void merge_dimensions(KernelArguments& arguments, std::size_t operands) {
  std::size_t last = 0;
  for (std::size_t i = 1; i < static_cast<std::size_t>(arguments.rank); ++i) {
    bool mergeable = true;
    for (std::size_t k = 0; k < operands; ++k) {
      const auto& strides = arguments.operands[k].strides;
      mergeable = mergeable && strides[last] == strides[i] * arguments.sizes[i];
    }
    if (mergeable) {
      arguments.sizes[last] *= arguments.sizes[i];
    } else {
      arguments.sizes[++last] = arguments.sizes[i];
    }
    for (std::size_t k = 0; k < operands; ++k) {
      auto& strides = arguments.operands[k].strides;
      strides[last] = strides[i];
    }
  }
  arguments.rank = static_cast<int>(last) + 1;
}

/// Sets sizes, strides and extents; returns the bytes of the elements that the operands have, each element once.
std::int64_t lay_out(KernelArguments& arguments, const Operands& of) {
  const TensorImpl& out = *of.tensors[0];
  if (have_same_layout(of)) {
    arguments.rank = 1;
    arguments.sizes[0] = out.numel;
    std::int64_t bytes = 0;
    for (std::size_t k = 0; k < of.count; ++k) {
      auto& operand = arguments.operands[k];
      operand.strides[0] = of.tensors[k] != nullptr ? 1 : 0;
      if (of.tensors[k] == nullptr) continue;
      operand.extent = out.numel * bytes_each(operand.dtype);
      bytes += operand.extent;
    }
    return bytes;
  }
  std::size_t rank = 0;
  for (int dim = 0; dim < out.sizes.count; ++dim) {
    if (out.sizes[dim] == 1) continue;
    arguments.sizes[rank] = out.sizes[dim];
    for (std::size_t k = 0; k < of.count; ++k) {
      const auto* tensor = of.tensors[k];
      arguments.operands[k].strides[rank] = tensor == nullptr ? 0 : stride_along(*tensor, out.sizes, dim);
    }
    ++rank;
  }
  if (rank == 0) {
    arguments.sizes[0] = 1;
    for (std::size_t k = 0; k < of.count; ++k) arguments.operands[k].strides[0] = 0;
    rank = 1;
  }
  arguments.rank = static_cast<int>(rank);
  sort_dimensions(arguments, of.count);
  merge_dimensions(arguments, of.count);

  std::int64_t bytes = 0;
  for (std::size_t k = 0; k < of.count; ++k) {
    if (of.tensors[k] == nullptr) continue;
    auto& operand = arguments.operands[k];
    std::int64_t last = 0;
    std::int64_t distinct = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(arguments.rank); ++i) {
      last += (arguments.sizes[i] - 1) * operand.strides[i];
      if (operand.strides[i] != 0) distinct *= arguments.sizes[i];
    }
    operand.extent = (last + 1) * bytes_each(operand.dtype);
    bytes += distinct * bytes_each(operand.dtype);
  }
  return bytes;
}

Scalar rounded(const Scalar& number, ScalarType type) {
  if (type == kHalf) return number.to<Half>();
  return type == kBFloat16 ? Scalar(number.to<BFloat16>()) : number;
}

/// Whether PyTorch rounds a number to the dtype of the elements before it computes with it. Otherwise, kernels of 16
/// bits get it as float32.
bool rounds_numbers(Operation operation) {
  return info(operation).kind == backend::OperationKind::comparison || operation == Operation::add ||
         operation == Operation::sub || operation == Operation::pow || operation == Operation::remainder;
}

void run(Operation operation, const Operands& of) {
  const TensorImpl& out = *of.tensors[0];
  prepare(operation, {&out, of.tensors[1], of.tensors[2], of.tensors[3], of.tensors[4]});
  KernelArguments arguments;
  arguments.operand_count = static_cast<int>(of.count);
  for (std::size_t k = 0; k < of.count; ++k) {
    auto& operand = arguments.operands[k];
    if (const auto* tensor = of.tensors[k]) {
      operand.data = tensor->data();
      operand.dtype = tensor->dtype;
    } else {
      operand.dtype = of.types[k];
      const Scalar& number = of.numbers[k];
      operand.immediate = immediate(rounds_numbers(operation) ? rounded(number, of.types[k]) : number, of.types[k]);
    }
  }
  const auto bytes = lay_out(arguments, of);
  launch(operation, out.device(), arguments, bytes, out.numel * info(operation).flops);
}

Tensor new_copy(const TensorImpl& source, ScalarType dtype, Device device, const char* operation) {
  auto out = make_tensor(source.sizes, dtype, device, false, operation);
  copy_within_device(*out.impl(), source);
  return out;
}

/// Sets an input of the kernel: of dtype `compute`, on the output's device. `kept` owns a converted copy.
void prepare_input(Operands& of, std::size_t k, const Argument& argument, ScalarType compute, Device device,
                   Tensor& kept) {
  of.numbers[k] = argument.number;
  of.types[k] = compute;
  if (argument.tensor == nullptr) return;
  const TensorImpl& tensor = *argument.tensor;
  const bool fits = tensor.device() == device && tensor.dtype == compute;
  if (!fits && tensor.device().is_cpu() && tensor.numel == 1) {
    tensor.storage->wait_until_readable();
    of.numbers[k] = read_number(tensor);
    return;
  }
  if (fits) {
    of.tensors[k] = &tensor;
    return;
  }
  kept = new_copy(tensor, compute, device, info(Operation::copy).name);
  of.tensors[k] = kept.impl().get();
}

/// Runs the operation on prepared inputs, and converts its result to the dtype of `out` if that is not `result`.
void run_into(Operation operation, const TensorImpl& out, Operands& of, ScalarType result) {
  of.tensors[0] = &out;
  if (out.dtype == result) {
    run(operation, of);
    return;
  }
  const auto wide = make_tensor(out.sizes, result, out.device(), false, info(operation).name);
  of.tensors[0] = wide.impl().get();
  run(operation, of);
  copy_within_device(out, *wide.impl());
}

void run_into(Operation operation, const TensorImpl& out, const Argument& a, const Argument* b, ScalarType compute) {
  if (out.numel == 0) return;
  Operands of;
  Tensor kept_a;
  Tensor kept_b;
  of.count = b == nullptr ? 2 : 3;
  prepare_input(of, 1, a, compute, out.device(), kept_a);
  if (b != nullptr) prepare_input(of, 2, *b, compute, out.device(), kept_b);
  const bool comparison = info(operation).kind == backend::OperationKind::comparison;
  run_into(operation, out, of, comparison ? kBool : compute);
}

bool have_one_layout(const TensorImpl& a, const TensorImpl& b, ScalarType type) {
  return isFloatingType(type) && a.dtype == type && b.dtype == type && a.contiguous && b.contiguous &&
         a.device() == b.device() && same(a.sizes, b.sizes);
}

void add_at_once(Operation operation, const TensorImpl& out, const TensorImpl& a, const TensorImpl& b,
                 const Scalar& alpha) {
  if (out.numel == 0) return;
  auto arguments = one_dimension(out.numel);
  const double factor = rounded(alpha, a.dtype).toDouble();
  arguments.parameters[0].real = operation == Operation::sub ? -factor : factor;
  launch_whole(Operation::add_scaled, arguments, {&out, &a, &b}, out.numel);
}

Tensor scaled(const TensorImpl& b, const Scalar& alpha, ScalarType type) {
  return elementwise(Operation::mul, b, alpha, type, type);
}

/// The dtype of intermediate results: those of 16 bits are rounded once, at the end.
ScalarType wide(ScalarType type) { return isReducedFloatingType(type) ? kFloat : type; }

}  // namespace

Tensor elementwise(Operation operation, const Argument& a, ScalarType compute) {
  auto out = make_tensor(a.tensor->sizes, compute, a.tensor->device(), false, info(operation).name);
  run_into(operation, *out.impl(), a, nullptr, compute);
  return out;
}

Tensor elementwise(Operation operation, const Argument& a, const Argument& b, ScalarType compute, ScalarType result) {
  const auto* name = info(operation).name;
  Tensor out;
  if (a.tensor != nullptr && b.tensor != nullptr) {
    const bool alike = same(a.tensor->sizes, b.tensor->sizes);
    const auto shape = alike ? a.tensor->sizes : broadcast_shapes(*a.tensor, *b.tensor, name);
    const auto device = common_device(name, {a.tensor, b.tensor});
    out = make_tensor(shape, result, device, false, name);
  } else {
    const TensorImpl& only = a.tensor != nullptr ? *a.tensor : *b.tensor;
    out = make_tensor(only.sizes, result, only.device(), false, name);
  }
  run_into(operation, *out.impl(), a, &b, compute);
  return out;
}

void elementwise_into(Operation operation, const TensorImpl& out, const Argument& a, ScalarType compute) {
  run_into(operation, out, a, nullptr, compute);
}

void elementwise_into(Operation operation, const TensorImpl& out, const Argument& a, const Argument& b,
                      ScalarType compute) {
  run_into(operation, out, a, &b, compute);
}

void choice_into(Operation operation, const TensorImpl& out, std::initializer_list<Argument> inputs,
                 ScalarType compute) {
  if (out.numel == 0) return;
  Operands of;
  std::array<Tensor, backend::max_operands> kept;
  of.count = 1;
  for (const Argument& input : inputs) {
    const bool condition = operation == Operation::where && of.count == inputs.size();
    prepare_input(of, of.count, input, condition ? kBool : compute, out.device(), kept[of.count]);
    ++of.count;
  }
  run_into(operation, out, of, compute);
}

void fill(const TensorImpl& out, const Scalar& value) {
  if (out.numel == 0) return;
  Operands of;
  of.tensors[0] = &out;
  of.numbers[1] = value;
  of.types[1] = out.dtype;
  of.count = 2;
  run(Operation::fill, of);
}

void copy_within_device(const TensorImpl& out, const TensorImpl& source) {
  if (out.numel == 0) return;
  Operands of;
  of.tensors[0] = &out;
  of.tensors[1] = &source;
  of.count = 2;
  run(Operation::copy, of);
}

Tensor converted(const Tensor& tensor, ScalarType dtype) {
  const TensorImpl& impl = *tensor.impl();
  return impl.dtype == dtype ? tensor : new_copy(impl, dtype, impl.device(), "to");
}

Tensor row_major(const Tensor& tensor) {
  const TensorImpl& impl = *tensor.impl();
  return impl.contiguous ? tensor : new_copy(impl, impl.dtype, impl.device(), "contiguous");
}

Tensor sum_scaled(Operation operation, const TensorImpl& a, const TensorImpl& b, const Scalar& alpha, ScalarType type) {
  if (!have_one_layout(a, b, type)) {
    const Tensor product = scaled(b, rounded(alpha, type), wide(type));
    return elementwise(operation, a, *product.impl(), wide(type), type);
  }
  auto out = make_tensor(a.sizes, type, a.device(), false, info(operation).name);
  add_at_once(operation, *out.impl(), a, b, alpha);
  return out;
}

void add_scaled_into(Operation operation, const TensorImpl& out, const TensorImpl& b, const Scalar& alpha,
                     ScalarType type) {
  if (have_one_layout(out, b, type)) {
    add_at_once(operation, out, out, b, alpha);
    return;
  }
  const Tensor product = scaled(b, rounded(alpha, type), wide(type));
  elementwise_into(operation, out, out, *product.impl(), wide(type));
}

}  // namespace d2l::detail
