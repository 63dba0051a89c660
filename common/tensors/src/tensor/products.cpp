// SPDX-License-Identifier: MIT
// Products of operands with a fixed number of dimensions: bmm, mv, dot and outer. Each is one launch of matmul.
#include <fmt/format.h>

#include "autocast/casts.h"
#include "autograd/record_elementwise.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"
#include "ops/promotion.h"

namespace d2l {

using detail::CastRule;
using detail::fail;
using detail::impl_of;
using detail::TensorImpl;

namespace {

Tensor unrecorded_product(const Tensor& a, const Tensor& b) {
  const detail::AutocastOff off;
  return detail::unrecorded([&] { return a.matmul(b); });
}

void check_batches(const TensorImpl& a, const TensorImpl& b) {
  const auto both = detail::operands({{"batch1", &a}, {"batch2", &b}});
  constexpr const char* fix = "use matmul, which takes other numbers of dimensions";
  if (a.sizes.count != 3) fail<ShapeError>("bmm", "batch1 must be a 3D tensor", both, fix);
  if (b.sizes.count != 3) fail<ShapeError>("bmm", "batch2 must be a 3D tensor", both, fix);
  if (a.sizes[0] == b.sizes[0] && a.sizes[2] == b.sizes[1]) return;
  fail<ShapeError>("bmm",
                   fmt::format("Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, "
                               "{}].",
                               a.sizes[0], a.sizes[2], b.sizes[0], b.sizes[1]),
                   both, "the columns of the first must be the rows of the second");
}

}  // namespace

Tensor TensorMembers::bmm(const Tensor& mat2) const {
  if (detail::autocasts(CastRule::low, self())) {
    return detail::with_casts(
        CastRule::low, [](const Tensor& a, const Tensor& b) { return a.bmm(b); }, self(), mat2);
  }
  check_batches(impl_of(self(), "bmm"), impl_of(mat2, "bmm"));
  auto result = unrecorded_product(self(), mat2);
  if (!detail::is_recorded(self(), mat2)) return result;
  auto record = detail::record(detail::Recorded::BmmBackward0, {&self(), &mat2});
  if (record->wants(1)) detail::save(*record, 0, self());
  if (record->wants(0)) detail::save(*record, 1, mat2);
  detail::attach(result, std::move(record));
  return result;
}

Tensor TensorMembers::mv(const Tensor& vec) const {
  if (detail::autocasts(CastRule::low_on_gpu, self())) {
    return detail::with_casts(
        CastRule::low_on_gpu, [](const Tensor& a, const Tensor& x) { return a.mv(x); }, self(), vec);
  }
  const TensorImpl& a = impl_of(self(), "mv");
  const TensorImpl& x = impl_of(vec, "mv");
  const auto both = detail::operands({{"mat", &a}, {"vec", &x}});
  if (a.sizes.count != 2 || x.sizes.count != 1) {
    fail<ShapeError>("mv",
                     fmt::format("vector + matrix @ vector expected, got 1, {}, {}", a.sizes.count, x.sizes.count),
                     both, "use matmul, which takes other numbers of dimensions");
  }
  if (a.sizes[1] != x.sizes[0]) {
    // Both sentences are PyTorch's: the second is that of version 1, which matmul has too.
    const std::int64_t rows = a.sizes[0];
    fail<ShapeError>(
        "mv",
        fmt::format("size mismatch, got input ({0}), mat ({0}x{1}), vec ({2}) (in short: size mismatch, got "
                    "{0}, {0}x{1},{2})",
                    rows, a.sizes[1], x.sizes[0]),
        both, "the columns of the matrix must be the elements of the vector");
  }
  const detail::AutocastOff off;
  return self().matmul(vec);
}

Tensor TensorMembers::dot(const Tensor& tensor) const {
  if (detail::autocasts(CastRule::widest_on_gpu, self())) {
    return detail::with_casts(
        CastRule::widest_on_gpu, [](const Tensor& a, const Tensor& b) { return a.dot(b); }, self(), tensor);
  }
  const TensorImpl& a = impl_of(self(), "dot");
  const TensorImpl& b = impl_of(tensor, "dot");
  if (a.sizes.count != 1 || b.sizes.count != 1) {
    fail<ShapeError>("dot",
                     fmt::format("1D tensors expected, but got {}D and {}D tensors", a.sizes.count, b.sizes.count),
                     detail::operands({{"a", &a}, {"b", &b}}), "use matmul, which takes other numbers of dimensions");
  }
  const detail::AutocastOff off;
  return self().matmul(tensor);
}

Tensor TensorMembers::outer(const Tensor& vec2) const {
  const TensorImpl& a = impl_of(self(), "outer");
  const TensorImpl& b = impl_of(vec2, "outer");
  const auto check = [](const TensorImpl& impl, const char* name) {
    if (impl.sizes.count == 1) return;
    fail<ShapeError>("outer", fmt::format("outer: Expected 1-D argument {}, but got {}-D", name, impl.sizes.count),
                     detail::operands({{name, &impl}}), "flatten it first");
  };
  check(a, "self");
  check(b, "vec2");
  detail::same_device("outer", {&a, &b});
  const Tensor column = self().unsqueeze(1);
  const auto type = detail::result_type(self(), vec2);
  if (type == kBool) return column.mul(vec2);
  const Tensor left = detail::converted(column.detach(), type);
  auto result = unrecorded_product(left, detail::converted(vec2.detach(), type).unsqueeze(0));
  return detail::recorded(std::move(result), detail::Operation::mul, column, vec2);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void BmmBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  if (operation.wants(0)) results[0] = g.bmm(operation.saved(1).transpose(-2, -1));
  if (operation.wants(1)) results[1] = operation.saved(0).transpose(-2, -1).bmm(g);
}

}  // namespace d2l::detail::derivatives
