// SPDX-License-Identifier: MIT
#include "distributed/local/local.h"

#include <algorithm>
#include <array>

#include "core/storage.h"
#include "core/tensor_impl.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"

namespace d2l::distributed::local {

namespace {

/// A piece that was received is joined while it is still in the last cache. Each piece costs two launches.
constexpr std::int64_t piece_bytes = std::int64_t{2} << 20;

struct Range {
  std::int64_t start;
  std::int64_t length;
};

/// Part `i` of `count` nearly equal ones.
Range part(std::int64_t elements, std::size_t i, std::size_t count) {
  const auto parts = static_cast<std::int64_t>(count);
  const auto first = static_cast<std::int64_t>(i);
  const std::int64_t start = elements * first / parts;
  return {start, elements * (first + 1) / parts - start};
}

/// The tensors as rows of contiguous elements. Those that are not contiguous are copied, and copied back.
class Rows {
 public:
  explicit Rows(const std::vector<Tensor>& tensors) : tensors_(tensors) {
    for (const Tensor& tensor : tensors) rows_.push_back(tensor.contiguous().view({-1}));
  }
  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  [[nodiscard]] std::int64_t elements() const { return rows_[0].numel(); }
  [[nodiscard]] const Tensor& operator[](std::size_t i) const { return rows_[i]; }
  [[nodiscard]] Tensor part(std::size_t i, const Range& range) const {
    return rows_[i].narrow(0, range.start, range.length);
  }
  void write_back() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!tensors_[i].is_contiguous()) Tensor(tensors_[i]).copy_(rows_[i].view(tensors_[i].sizes()));
    }
  }

 private:
  const std::vector<Tensor>& tensors_;
  std::vector<Tensor> rows_;
};

/// Step by step, each device sends a part to the next one, which joins it with its own. After k - 1 steps, device i has
/// joined all of part i + 1.
void reduce_scatter(const Rows& rows, ReduceOp op) {
  const std::size_t k = rows.count();
  const std::int64_t each = std::max<std::int64_t>(piece_bytes / rows[0].element_size(), 1);
  const auto parts = static_cast<std::int64_t>(k);
  const std::int64_t largest = (rows.elements() + parts - 1) / parts;
  std::vector<Tensor> received;
  for (std::size_t i = 0; i < k; ++i) received.push_back(empty({std::min(each, largest)}, rows[i].options()));
  for (std::size_t step = 0; step + 1 < k; ++step) {
    for (std::int64_t done = 0; done < largest; done += each) {
      for (std::size_t i = 0; i < k; ++i) {  // all copies of a piece first, so that the devices copy at once
        const Range range = part(rows.elements(), (i + k - step) % k, k);
        const std::int64_t length = std::min(each, range.length - done);
        if (length <= 0) continue;
        received[(i + 1) % k].narrow(0, 0, length).copy_(rows.part(i, {range.start + done, length}));
      }
      for (std::size_t i = 0; i < k; ++i) {
        const Range range = part(rows.elements(), (i + k - step) % k, k);
        const std::int64_t length = std::min(each, range.length - done);
        if (length <= 0) continue;
        const std::size_t next = (i + 1) % k;
        join(rows.part(next, {range.start + done, length}), received[next].narrow(0, 0, length), op);
      }
    }
  }
}

/// Step by step, each device sends the part that it got last, or joined, to the next one.
void all_gather_parts(const Rows& rows) {
  const std::size_t k = rows.count();
  for (std::size_t step = 0; step + 1 < k; ++step) {
    for (std::size_t i = 0; i < k; ++i) {
      const Range range = part(rows.elements(), (i + 1 + k - step) % k, k);
      if (range.length > 0) rows.part((i + 1) % k, range).copy_(rows.part(i, range));
    }
  }
}

/// Operations that tensors have no members for.
Tensor& join_in_place(backend::Operation operation, Tensor& to, const Tensor& from) {
  d2l::detail::elementwise_into(operation, *to.impl(), *to.impl(), *from.impl(), to.dtype());
  to.impl()->storage->count_write();
  return to;
}

}  // namespace

void join(Tensor to, const Tensor& from, ReduceOp op) {
  const bool is_bool = to.dtype() == kBool;
  switch (op) {
    case ReduceOp::SUM:
    case ReduceOp::AVG:
      is_bool ? to.logical_or_(from) : to.add_(from);
      return;
    case ReduceOp::PRODUCT:
      is_bool ? to.logical_and_(from) : to.mul_(from);
      return;
    case ReduceOp::MIN:
      is_bool ? to.logical_and_(from) : join_in_place(backend::Operation::minimum, to, from);
      return;
    case ReduceOp::MAX:
      is_bool ? to.logical_or_(from) : join_in_place(backend::Operation::maximum, to, from);
  }
}

void all_reduce(const std::vector<Tensor>& tensors, ReduceOp op) {
  const NoGradGuard unrecorded;
  if (tensors.size() == 1 || tensors[0].numel() == 0) return;
  Rows rows(tensors);
  const std::size_t k = rows.count();
  reduce_scatter(rows, op);
  if (op == ReduceOp::AVG) {
    for (std::size_t i = 0; i < k; ++i) {
      const Range own = part(rows.elements(), (i + 1) % k, k);
      if (own.length > 0) rows.part(i, own).div_(static_cast<double>(k));
    }
  }
  all_gather_parts(rows);
  rows.write_back();
}

void broadcast(const std::vector<Tensor>& tensors, std::size_t src) {
  const NoGradGuard unrecorded;
  const std::size_t k = tensors.size();
  for (std::size_t i = 1; i < k; ++i) {
    Tensor(tensors[(src + i) % k]).copy_(tensors[(src + i - 1) % k].reshape(tensors[(src + i) % k].sizes()));
  }
}

Tensor reduce(const std::vector<Tensor>& tensors, std::size_t dst, ReduceOp op) {
  const NoGradGuard unrecorded;
  Tensor result = tensors[dst].clone();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i != dst) join(result, tensors[i].to(result.device()).reshape(result.sizes()), op);
  }
  if (op == ReduceOp::AVG) result.div_(static_cast<double>(tensors.size()));
  return result;
}

}  // namespace d2l::distributed::local
