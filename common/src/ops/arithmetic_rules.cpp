// SPDX-License-Identifier: MIT
// The arithmetic that PyTorch refuses, and the dtype in which it computes the rest.
#include "ops/arithmetic_rules.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "ops/operands.h"
#include "values/number_range.h"

namespace d2l::detail {

namespace {

[[noreturn]] void fail_bool(Operation operation) {
  if (operation == Operation::neg) {
    fail<TypeError>("neg",
                    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
                    "mask, use the `~` or `logical_not()` operator instead.",
                    {}, "here, x == false inverts it");
  }
  if (operation == Operation::relu) {
    fail<TypeError>("relu", "Boolean inputs not supported for relu", {}, "convert it first, for example x.to(kFloat)");
  }
  const bool binary = info(operation).kind == backend::OperationKind::binary;
  fail<TypeError>(info(operation).name,
                  fmt::format("\"{}{}\" not implemented for 'Bool'", info(operation).name, binary ? "" : "_cpu"), {},
                  "convert it first, for example x.to(kLong)");
}

}  // namespace

ScalarType computation_type(Operation operation, ScalarType common) {
  const auto types = info(operation).types;
  if (contains(types, common)) return common;
  if (types == backend::Types::numbers) fail_bool(operation);
  return kFloat;
}

void check_subtraction(Operation operation, ScalarType a, ScalarType b) {
  if (operation != Operation::sub || (a != kBool && b != kBool)) return;
  if (a == kBool && b == kBool) {
    fail<TypeError>("sub",
                    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
                    "`logical_xor()` operator instead.",
                    {}, "here, a != b is that");
  }
  fail<TypeError>("sub",
                  "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a "
                  "mask, use the `~` or `logical_not()` operator instead.",
                  {}, "here, x == false inverts it");
}

void check_alpha(Operation operation, ScalarType type, const Scalar& alpha) {
  if (alpha.isIntegral(false) && is_one(alpha)) return;
  if (alpha.isBoolean() && type != kBool) {
    fail<TypeError>(info(operation).name, "Boolean alpha only supported for Boolean results.", {},
                    "give alpha as a number");
  }
  if (alpha.isFloatingPoint() && !isFloatingType(type)) {
    fail<TypeError>(info(operation).name,
                    "For integral input tensors, argument alpha must not be a floating point number.", {},
                    "convert the tensor first, for example x.to(kFloat)");
  }
  check_representable(alpha, type, info(operation).name);
}

void check_exponent(const Tensor& base, const Scalar& exponent) {
  if (exponent.isFloatingPoint() || exponent.toLong() >= 0) return;
  if (isFloatingType(base.impl()->dtype)) return;
  fail<ValueError>("pow", "Integers to negative integer powers are not allowed.", operands({{"a", base.impl().get()}}),
                   "convert it first, for example x.to(kFloat)");
}

void check_operands(Operation operation, const TensorImpl& a, const TensorImpl& b) {
  static_cast<void>(broadcast_shapes(a, b, info(operation).name));
  static_cast<void>(common_device(info(operation).name, {&a, &b}));
}

Scalar product(const Scalar& a, const Scalar& b, ScalarType type) {
  if (type == kBool) return a.toBool() && b.toBool();
  if (isFloatingType(type)) return a.toDouble() * b.toDouble();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a.toLong()) * static_cast<std::uint64_t>(b.toLong()));
}

}  // namespace d2l::detail
