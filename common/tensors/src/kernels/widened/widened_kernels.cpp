// SPDX-License-Identifier: MIT
#include "kernels/widened/widened_kernels.h"

#include <array>
#include <optional>

#include "kernels/scratch.h"

namespace d2l::backend::kernels {
namespace {

using Memory = std::optional<Scratch<float>>;

/// The elements from the first to the last, as one line.
Operand as_line(const Operand& operand) {
  Operand line = operand;
  line.strides[0] = 1;
  return line;
}

void copy(const KernelContext& context, const KernelTable& table, const KernelArguments& shape, const Operand& to,
          const Operand& from) {
  KernelArguments arguments = shape;
  arguments.operand_count = 2;
  arguments.operands[0] = to;
  arguments.operands[1] = from;
  table.find(Operation::copy, arguments)(context, arguments);
}

void copy_line(const KernelContext& context, const KernelTable& table, const Operand& to, const Operand& from,
               std::int64_t count) {
  KernelArguments shape;
  shape.rank = 1;
  shape.sizes[0] = count;
  copy(context, table, shape, as_line(to), as_line(from));
}

/// Whether operands have strides along the dimensions of `sizes`, so that there may be gaps between their elements.
bool is_elementwise(Operation operation) {
  switch (info(operation).kind) {
    case OperationKind::unary:
    case OperationKind::binary:
    case OperationKind::comparison:
    case OperationKind::choice:
    case OperationKind::copy:
    case OperationKind::fill:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_written(Operation operation, std::size_t k) {
  if (k == 0) return true;
  if (info(operation).kind == OperationKind::optimiser || operation == Operation::batch_norm_statistics) return k > 1;
  if (operation == Operation::layer_norm_parameters) return k == 4;
  return operation == Operation::layer_norm_gradients && (k == 4 || k == 5);
}

bool is_read(Operation operation, std::size_t k, const KernelArguments& arguments) {
  if (k > 0) return true;
  if (info(operation).kind == OperationKind::product) return arguments.parameters[0].real != 0;
  return info(operation).kind == OperationKind::optimiser;
}

KernelArguments with_floats(const KernelArguments& arguments) {
  KernelArguments wide = arguments;
  for (std::size_t k = 0; k < static_cast<std::size_t>(arguments.operand_count); ++k) {
    Operand& operand = wide.operands[k];
    if (!isReducedFloatingType(operand.dtype)) continue;
    operand.dtype = kFloat;
    operand.extent *= 2;
  }
  return wide;
}

void run_widened(const KernelContext& context, const KernelArguments& arguments, const KernelTable& table,
                 Operation operation) {
  KernelArguments wide = with_floats(arguments);
  std::array<Memory, max_operands> memory;
  const auto count_of = [&arguments](std::size_t k) { return arguments.operands[k].extent / 2; };
  for (std::size_t k = 0; k < static_cast<std::size_t>(arguments.operand_count); ++k) {
    const Operand& narrow = arguments.operands[k];
    if (!isReducedFloatingType(narrow.dtype) || narrow.data == nullptr) continue;
    memory[k].emplace(context, count_of(k));
    wide.operands[k].data = memory[k]->data();
    if (is_read(operation, k, arguments)) copy_line(context, table, wide.operands[k], narrow, count_of(k));
  }
  table.find(operation, wide)(context, wide);
  for (std::size_t k = 0; k < static_cast<std::size_t>(arguments.operand_count); ++k) {
    if (!memory[k] || !is_written(operation, k)) continue;
    if (is_elementwise(operation)) {
      copy(context, table, arguments, arguments.operands[k], wide.operands[k]);
    } else {
      copy_line(context, table, arguments.operands[k], wide.operands[k], count_of(k));
    }
  }
}

}  // namespace d2l::backend::kernels
