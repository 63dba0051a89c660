// SPDX-License-Identifier: MIT
// The table of operations: one line each. What a line names has a kernel on every device.
#pragma once

#include <cstdint>

namespace d2l::backend {

/// How an operation's arguments are laid out; see KernelArguments.
enum class OperationKind : std::int8_t {
  copy,
  fill,
  unary,
  binary,
  comparison,
  reduction,
  random,
  range,
  product,
  scaled,
  softmax,
  indexed
};

// name, kind, floating-point operations per element of the iteration (of a product: per multiply-add)
#define D2L_OPERATIONS(X)             \
  X(copy, copy, 0)                    \
  X(fill, fill, 0)                    \
  X(neg, unary, 1)                    \
  X(abs, unary, 1)                    \
  X(sqrt, unary, 1)                   \
  X(exp, unary, 1)                    \
  X(log, unary, 1)                    \
  X(relu, unary, 1)                   \
  X(sigmoid, unary, 3)                \
  X(tanh, unary, 1)                   \
  X(sign, unary, 1)                   \
  X(add, binary, 1)                   \
  X(sub, binary, 1)                   \
  X(mul, binary, 1)                   \
  X(div, binary, 1)                   \
  X(pow, binary, 1)                   \
  X(minimum, binary, 1)               \
  X(squared_difference, binary, 2)    \
  X(div_or_zero, binary, 1)           \
  X(power_log, binary, 2)             \
  X(relu_backward, binary, 1)         \
  X(sigmoid_backward, binary, 3)      \
  X(tanh_backward, binary, 3)         \
  X(eq, comparison, 1)                \
  X(ne, comparison, 1)                \
  X(lt, comparison, 1)                \
  X(le, comparison, 1)                \
  X(gt, comparison, 1)                \
  X(ge, comparison, 1)                \
  X(sum, reduction, 1)                \
  X(mean, reduction, 1)               \
  X(max, reduction, 1)                \
  X(min, reduction, 1)                \
  X(argmax, reduction, 1)             \
  X(norm, reduction, 2)               \
  X(rand, random, 1)                  \
  X(randn, random, 10)                \
  X(arange, range, 2)                 \
  X(matmul, product, 2)               \
  X(add_scaled, scaled, 2)            \
  X(log_softmax, softmax, 4)          \
  X(log_softmax_backward, softmax, 4) \
  X(pick, indexed, 0)                 \
  X(place, indexed, 0)

enum class Operation : std::int8_t {
#define D2L_NAME(name, kind, flops) name,
  D2L_OPERATIONS(D2L_NAME)
#undef D2L_NAME
};

struct OperationInfo {
  const char* name;
  OperationKind kind;
  int flops;
};

inline constexpr OperationInfo operation_table[] = {
#define D2L_INFO(name, kind, flops) {#name, OperationKind::kind, flops},
    D2L_OPERATIONS(D2L_INFO)
#undef D2L_INFO
};
inline constexpr int operation_count = static_cast<int>(sizeof(operation_table) / sizeof(operation_table[0]));

constexpr const OperationInfo& info(Operation operation) { return operation_table[static_cast<int>(operation)]; }

}  // namespace d2l::backend
