// SPDX-License-Identifier: MIT
// Writes in place: checks, and the attachment of records.
#include "tensor/in_place.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "ops/operands.h"
#include "ops/promotion.h"

namespace d2l::detail {

namespace {

constexpr const char* advice = "write x = x op y, which makes a new tensor";

std::string in_place_name(const char* operation) { return fmt::format("{}_", operation); }

}  // namespace

const TensorImpl& writable(const Tensor& a, const char* operation) {
  const auto& out = impl_of(a, operation);
  check_in_place(a, operation);
  check_no_internal_overlap(out, operation);
  return out;
}

void check_written_type(const char* operation, const TensorImpl& out, ScalarType result) {
  if (out.dtype == result || can_cast(result, out.dtype)) return;
  fail<TypeError>(
      in_place_name(operation),
      fmt::format("result type {} can't be cast to the desired output type {}", toString(result), toString(out.dtype)),
      operands({{"a", &out}}), advice);
}

void check_written_shape(const char* operation, const TensorImpl& out,
                         std::initializer_list<const TensorImpl*> inputs) {
  for (const auto* input : inputs) {
    if (input == nullptr || same(out.sizes, input->sizes)) continue;
    const auto name = in_place_name(operation);
    const auto shape = broadcast_shapes(out, *input, name.c_str());
    if (same(shape, out.sizes)) continue;
    fail<ShapeError>(name,
                     fmt::format("output with shape {} doesn't match the broadcast shape {}", text(out.sizes.ref()),
                                 text(shape.ref())),
                     operands({{"a", &out}, {"b", input}}), advice);
  }
}

void check_written_device(const char* operation, const TensorImpl& out, const TensorImpl& other) {
  if (out.device() == other.device()) return;
  if (other.device().is_cpu() && other.sizes.count == 0) return;
  const auto name = in_place_name(operation);
  common_device(name.c_str(), {&out, &other});
  same_device(name.c_str(), {&out, &other});
}

void finish_write(const Tensor& a, Record begun) {
  count_write(a);
  if (begun != nullptr) attach_in_place(a, std::move(begun));
}

}  // namespace d2l::detail
