// SPDX-License-Identifier: MIT
#include "kernels/cpu/sixteen_bits.h"

#include <algorithm>
#include <array>

#include "kernels/cpu/host_policy.h"
#include "kernels/cpu/sixteen_bit_lines.h"
#include "kernels/cpu/sixteen_bit_slices.h"
#include "kernels/elementwise_kernel.h"
#include "kernels/widened/widened_kernels.h"

namespace d2l::backend {
namespace kernels {
namespace {

constexpr std::size_t block_elements = 1024;

/// Calls a kernel of float32 for one line after the other, in blocks, whose operands of 16 bits it converts.
class Blocks {
 public:
  Blocks(const KernelContext& context, const KernelArguments& arguments, const KernelTable& table, Operation operation)
      : context_(on_one_thread(context)), narrow_(arguments), operation_(operation), wide_(with_floats(arguments)) {
    kernel_ = table.find(operation, wide_);
    wide_.rank = 1;
  }
  /// `count` elements along strides.
  void line(char* const* data, const std::int64_t* strides, std::int64_t count) {
    if (combine_line(data, strides, count)) return;
    constexpr auto most = static_cast<std::int64_t>(block_elements);
    for (std::int64_t first = 0; first < count; first += most) {
      block(data, strides, first, std::min(most, count - first));
    }
  }

 private:
  using Bits = std::uint16_t;

  [[nodiscard]] std::size_t operands() const { return static_cast<std::size_t>(narrow_.operand_count); }

  /// Arithmetic of contiguous numbers of 16 bits needs no blocks.
  bool combine_line(char* const* data, const std::int64_t* strides, std::int64_t count) {
    if (info(operation_).kind != OperationKind::binary || strides[0] != 1 || strides[1] != 1 || strides[2] != 1) {
      return false;
    }
    const ScalarType type = narrow_.operands[0].dtype;
    for (std::size_t k = 0; k < operands(); ++k) {
      if (narrow_.operands[k].dtype != type || !isReducedFloatingType(type)) return false;
    }
    const auto bits = [data](std::size_t k) { return reinterpret_cast<Bits*>(data[k]); };
    return combine(operation_, bits(0), bits(1), bits(2), count, type);
  }
  void block(char* const* data, const std::int64_t* strides, std::int64_t first, std::int64_t count) {
    for (std::size_t k = 0; k < operands(); ++k) {
      const Operand& operand = narrow_.operands[k];
      if (operand.data == nullptr) continue;
      char* const from = data[k] + first * strides[k] * static_cast<std::int64_t>(elementSize(operand.dtype));
      Operand& wide = wide_.operands[k];
      if (!isReducedFloatingType(operand.dtype)) {
        wide.data = from;
        wide.strides[0] = strides[k];
        continue;
      }
      wide.data = buffers_[k].data();
      wide.strides[0] = strides[k] == 0 ? 0 : 1;
      if (is_read(operation_, k, narrow_)) load(k, reinterpret_cast<const Bits*>(from), strides[k], count);
    }
    wide_.sizes[0] = count;
    kernel_(context_, wide_);
    for (std::size_t k = 0; k < operands(); ++k) {
      if (!isReducedFloatingType(narrow_.operands[k].dtype) || !is_written(operation_, k)) continue;
      store(k, reinterpret_cast<Bits*>(data[k]) + first * strides[k], strides[k], count);
    }
  }
  void load(std::size_t k, const Bits* from, std::int64_t stride, std::int64_t count) {
    const ScalarType type = narrow_.operands[k].dtype;
    auto& buffer = buffers_[k];
    if (stride == 1) return widen(buffer.data(), from, count, type);
    if (stride == 0) count = 1;
    for (std::int64_t i = 0; i < count; ++i) buffer[static_cast<std::size_t>(i)] = widened(from[i * stride], type);
  }
  void store(std::size_t k, Bits* to, std::int64_t stride, std::int64_t count) {
    const ScalarType type = narrow_.operands[k].dtype;
    const auto& buffer = buffers_[k];
    if (stride == 1) return narrow(to, buffer.data(), count, type);
    std::array<Bits, block_elements> bits;
    narrow(bits.data(), buffer.data(), count, type);
    for (std::int64_t i = 0; i < count; ++i) to[i * stride] = bits[static_cast<std::size_t>(i)];
  }

  KernelContext context_;
  const KernelArguments& narrow_;
  Operation operation_;
  KernelArguments wide_;
  Kernel kernel_;
  std::array<std::array<float, block_elements>, max_operands> buffers_;
};

/// Runs a kernel whose operands have the shape sizes[0..rank), block by block.
void run_blocks(const KernelContext& context, const KernelArguments& arguments, const KernelTable& table,
                Operation operation) {
  const std::int64_t count = element_count(arguments);
  if (count == 0) return;
  RowWork work{};
  work.operand_count = arguments.operand_count;
  work.rank = std::max(arguments.rank, 1);
  work.sizes = arguments.rank == 0 ? &one_element : arguments.sizes.data();
  for (std::size_t k = 0; k < static_cast<std::size_t>(arguments.operand_count); ++k) {
    const Operand& operand = arguments.operands[k];
    work.data[k] = static_cast<char*>(operand.data);
    work.strides[k] = operand.data == nullptr || arguments.rank == 0 ? no_strides.data() : operand.strides.data();
    work.element_sizes[k] = static_cast<std::int64_t>(elementSize(operand.dtype));
  }
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    Blocks blocks(context, arguments, table, operation);
    walk_rows(work, begin, end, [&blocks](char* const* data, const std::int64_t* strides, std::int64_t length) {
      blocks.line(data, strides, length);
    });
  };
  if (count < parallel_threshold || context.threads == 1) return part(0, count);
  const std::int64_t chunks = (count + chunk_elements - 1) / chunk_elements;
  for_each_part(context, chunks, [&](std::int64_t begin, std::int64_t end) {
    part(begin * chunk_elements, std::min(count, end * chunk_elements));
  });
}

/// On the host: block by block where the arrays have one shape, slice by slice along lines, else as a whole.
struct Widen {
  static const KernelTable& table() { return host_kernels(); }
  static void run(const KernelContext& context, const KernelArguments& arguments, const KernelTable& table,
                  Operation operation) {
    switch (info(operation).kind) {
      case OperationKind::unary:
      case OperationKind::binary:
      case OperationKind::comparison:
      case OperationKind::choice:
      case OperationKind::copy:
      case OperationKind::fill:
        return run_blocks(context, arguments, table, operation);
      case OperationKind::scaled:
      case OperationKind::optimiser: {
        KernelArguments line = arguments;  // contiguous arrays have no strides
        for (auto& operand : line.operands) operand.strides[0] = 1;
        return run_blocks(context, line, table, operation);
      }
      default:
        if (run_slices(context, arguments, table, operation)) return;
        return run_widened(context, arguments, table, operation);
    }
  }
};

}  // namespace
}  // namespace kernels

void add_sixteen_bits(KernelTable& table) { kernels::add_widened<kernels::Widen>(table); }

}  // namespace d2l::backend
