// SPDX-License-Identifier: MIT
#include "kernels/cpu/sixteen_bit_slices.h"

#include <algorithm>
#include <array>
#include <optional>

#include "kernels/cpu/host_policy.h"
#include "kernels/cpu/sixteen_bit_lines.h"
#include "kernels/cpu/sixteen_bit_softmax.h"
#include "kernels/scratch.h"
#include "kernels/widened/widened_kernels.h"

namespace d2l::backend::kernels {
namespace {

/// The most numbers of an operand that a thread converts at once, unless one part has more.
constexpr std::int64_t slice_elements = 4096;
constexpr std::int64_t longest_part = 1 << 16;

bool has_parts(Operation operation) {
  switch (info(operation).kind) {
    case OperationKind::softmax:
    case OperationKind::reduction:
    case OperationKind::scan:
    case OperationKind::sort:
    case OperationKind::band:
    case OperationKind::pooling:
      return true;
    default:
      return false;
  }
}

std::int64_t bytes_of(ScalarType type) { return static_cast<std::int64_t>(elementSize(type)); }

/// The elements of an operand in one of `parts` parts.
std::int64_t part_elements(const Operand& operand, std::int64_t parts) {
  return operand.extent / bytes_of(operand.dtype) / parts;
}

/// Calls work(begin, end) for ranges of 0 to `count`, on one thread if there are few `elements`.
template <class Work>
void in_ranges(const KernelContext& context, std::int64_t count, std::int64_t elements, const Work& work) {
  if (elements < parallel_threshold || context.threads == 1) return work(0, count);
  for_each_part(context, count, work);
}

/// Runs the kernel on the parts begin to end, `group` at a time.
void run_parts(const KernelContext& context, const KernelArguments& arguments, Kernel kernel, Operation operation,
               std::int64_t begin, std::int64_t end, std::int64_t group) {
  const std::int64_t parts = arguments.sizes[0];
  const auto operands = static_cast<std::size_t>(arguments.operand_count);
  KernelArguments wide = with_floats(arguments);
  std::array<std::optional<Scratch<float>>, max_operands> memory;
  for (std::size_t k = 0; k < operands; ++k) {
    if (!isReducedFloatingType(arguments.operands[k].dtype)) continue;
    memory[k].emplace(context, group * part_elements(arguments.operands[k], parts));
    wide.operands[k].data = memory[k]->data();
  }
  for (std::int64_t first = begin; first < end; first += group) {
    const std::int64_t count = std::min(group, end - first);
    wide.sizes[0] = count;
    const auto address = [&](std::size_t k) {
      const Operand& operand = arguments.operands[k];
      return static_cast<char*>(operand.data) + first * part_elements(operand, parts) * bytes_of(operand.dtype);
    };
    for (std::size_t k = 0; k < operands; ++k) {
      const Operand& operand = arguments.operands[k];
      const std::int64_t elements = count * part_elements(operand, parts);
      wide.operands[k].extent = elements * bytes_of(wide.operands[k].dtype);
      if (!memory[k]) {
        wide.operands[k].data = address(k);
      } else if (is_read(operation, k, arguments)) {
        widen(memory[k]->data(), reinterpret_cast<const std::uint16_t*>(address(k)), elements, operand.dtype);
      }
    }
    kernel(context, wide);
    for (std::size_t k = 0; k < operands; ++k) {
      if (!memory[k] || !is_written(operation, k)) continue;
      const Operand& operand = arguments.operands[k];
      narrow(reinterpret_cast<std::uint16_t*>(address(k)), memory[k]->data(), count * part_elements(operand, parts),
             operand.dtype);
    }
  }
}

/// Whether the reduction of a line is that of the reductions of its pieces.
bool is_of_pieces(Operation operation) {
  return operation == Operation::norm || operation == Operation::max || operation == Operation::min ||
         operation == Operation::prod;
}

/// Reduces one line to one number: first each piece of it, then the results.
void reduce_line(const KernelContext& context, const KernelArguments& arguments, const KernelTable& table,
                 Operation operation) {
  const std::int64_t n = arguments.sizes[1];
  const std::int64_t pieces = (n + slice_elements - 1) / slice_elements;
  const Operand& line = arguments.operands[1];
  const Scratch<float> results(context, pieces);
  const auto reduce = [&](float* out, float* in, std::int64_t count) {
    KernelArguments piece = with_floats(arguments);
    piece.sizes[1] = count;
    piece.operands[0].data = out;
    piece.operands[1].data = in;
    piece.operands[1].extent = count * bytes_of(kFloat);
    table.find(operation, piece)(on_one_thread(context), piece);
  };
  in_ranges(context, pieces, n, [&](std::int64_t begin, std::int64_t end) {
    const Scratch<float> numbers(context, std::min(n, slice_elements));
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t count = std::min(n - i * slice_elements, slice_elements);
      widen(numbers.data(), static_cast<const std::uint16_t*>(line.data) + i * slice_elements, count, line.dtype);
      reduce(results.data() + i, numbers.data(), count);
    }
  });
  float result = *results.data();
  if (pieces > 1) reduce(&result, results.data(), pieces);
  narrow(static_cast<std::uint16_t*>(arguments.operands[0].data), &result, 1, arguments.operands[0].dtype);
}

/// Sums contiguous lines, or takes their means, in pieces whose sums are float64.
void sum_lines(const KernelContext& context, const KernelArguments& arguments, Operation operation) {
  const std::int64_t n = arguments.sizes[1];
  const std::int64_t pieces = std::max<std::int64_t>(1, (n + slice_elements - 1) / slice_elements);
  const std::int64_t count = arguments.sizes[0] * pieces;
  const ScalarType type = arguments.operands[1].dtype;
  const auto* const from = static_cast<const std::uint16_t*>(arguments.operands[1].data);
  const auto finish = [&](std::int64_t line, double total) {
    const auto result = static_cast<float>(operation == Operation::mean ? total / static_cast<double>(n) : total);
    narrow(static_cast<std::uint16_t*>(arguments.operands[0].data) + line, &result, 1, arguments.operands[0].dtype);
  };
  const Scratch<double> sums(context, pieces > 1 ? count : 0);
  in_ranges(context, count, arguments.sizes[0] * n, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = i % pieces * slice_elements;
      const double total = sum(from + i / pieces * n + first, std::min(n - first, slice_elements), type);
      pieces > 1 ? static_cast<void>(sums.data()[i] = total) : finish(i, total);
    }
  });
  if (pieces == 1) return;
  for (std::int64_t line = 0; line < arguments.sizes[0]; ++line) {
    double total = 0;
    for (std::int64_t i = 0; i < pieces; ++i) total += sums.data()[line * pieces + i];
    finish(line, total);
  }
}

}  // namespace

bool run_slices(const KernelContext& context, const KernelArguments& arguments, const KernelTable& table,
                Operation operation) {
  if (!has_parts(operation)) return false;
  const std::int64_t parts = arguments.sizes[0];
  const bool is_reduction = info(operation).kind == OperationKind::reduction;
  const bool has_lines = is_reduction && arguments.sizes[2] == 1 && arguments.operand_count == 2;
  if (has_lines && (operation == Operation::sum || operation == Operation::mean) &&
      isReducedFloatingType(arguments.operands[0].dtype) && isReducedFloatingType(arguments.operands[1].dtype)) {
    sum_lines(context, arguments, operation);
    return true;
  }
  if (has_lines && parts == 1 && is_of_pieces(operation)) {
    reduce_line(context, arguments, table, operation);
    return true;
  }
  if (parts < 1) return false;
  std::int64_t largest = 1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(arguments.operand_count); ++k) {
    largest = std::max(largest, part_elements(arguments.operands[k], parts));
  }
  if (largest > longest_part) return false;
  const std::int64_t group = std::clamp<std::int64_t>(slice_elements / largest, 1, parts);
  const Kernel short_kernel = short_softmax(operation);
  const Kernel kernel = short_kernel != nullptr ? short_kernel : table.find(operation, with_floats(arguments));
  in_ranges(context, (parts + group - 1) / group, parts * largest, [&](std::int64_t begin, std::int64_t end) {
    run_parts(on_one_thread(context), arguments, kernel, operation, begin * group, std::min(parts, end * group), group);
  });
  return true;
}

}  // namespace d2l::backend::kernels
