// SPDX-License-Identifier: MIT
// The arithmetic that PyTorch refuses, and the dtype in which it computes the rest.
#include "ops/arithmetic_rules.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "ops/element_type.h"
#include "ops/operands.h"
#include "values/number_range.h"

namespace d2l::detail {

namespace {

/// The name of PyTorch's kernel, which its messages have.
std::string kernel_name(Operation operation) {
  const std::string name = info(operation).name;
  if (info(operation).types == backend::Types::fractions) return name + "_vml_cpu";
  if (operation == Operation::floor_divide) return "div_floor_cpu";
  return operation == Operation::pow ? name : name + "_cpu";
}

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
  fail<TypeError>(info(operation).name, fmt::format("\"{}\" not implemented for 'Bool'", kernel_name(operation)), {},
                  "convert it first, for example x.to(kLong)");
}

/// Whether one of the elements is 0, from `data` along the dimensions from `dim`.
template <class T>
bool has_zero(const TensorImpl& tensor, const T* data, int dim = 0) {
  if (dim == tensor.sizes.count) return *data == T{0};
  for (std::int64_t i = 0; i < tensor.sizes[dim]; ++i) {
    if (has_zero(tensor, data + i * tensor.strides[dim], dim + 1)) return true;
  }
  return false;
}

[[noreturn]] void fail_zero(const TensorImpl& a, const TensorImpl* b, const char* operation) {
  fail<ValueError>(operation, "ZeroDivisionError", operands({{"a", &a}, {"b", b}}),
                   "integers have no infinity: divide by another number, or convert to floating point first");
}

}  // namespace

ScalarType computation_type(Operation operation, ScalarType common) {
  const auto types = info(operation).types;
  if (contains(types, common)) return common;
  if (types == backend::Types::truths) return kBool;
  if (types == backend::Types::real) return kFloat;
  if (common == kBool) fail_bool(operation);
  return common;
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

void check_divisor(ScalarType computation, const TensorImpl& a, const Scalar& b, const char* operation) {
  if (isFloatingType(computation) || a.numel == 0) return;
  if (immediate(b, computation).integer == 0) fail_zero(a, nullptr, operation);
}

void check_divisor(ScalarType computation, const TensorImpl& a, const TensorImpl& b, const char* operation) {
  if (isFloatingType(computation) || a.numel == 0 || b.numel == 0 || !b.device().is_cpu()) return;
  b.storage->wait_until_readable();
  const bool found =
      with_element_type(b.dtype, [&b]<class T>() { return has_zero(b, static_cast<const T*>(b.data())); });
  if (found) fail_zero(a, &b, operation);
}

void check_floating(const TensorImpl& x, const char* operation, const char* kernel) {
  if (isFloatingType(x.dtype)) return;
  fail<TypeError>(operation, fmt::format("\"{}\" not implemented for '{}'", kernel, toString(x.dtype)),
                  operands({{"it", &x}}), "convert it first, for example x.to(kFloat)");
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
