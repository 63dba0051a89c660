// SPDX-License-Identifier: MIT
// TensorDataset and DataLoader.
#include "d2l/data.h"

#include <Random123/philox.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/messages.h"
#include "d2l/distributed/process_group.h"
#include "d2l/factories.h"
#include "d2l/ops.h"

namespace d2l {

namespace {

/// Whether each index is the one before plus 1.
bool consecutive(IntArrayRef indices) {
  return std::adjacent_find(indices.begin(), indices.end(),
                            [](std::int64_t a, std::int64_t b) { return b != a + 1; }) == indices.end();
}

/// Row `i` of the result is row indices[i] of `source`, a row-major tensor of the host.
Tensor gather_on_host(const Tensor& source, IntArrayRef indices, bool pinned) {
  auto sizes = source.sizes().vec();
  sizes[0] = static_cast<std::int64_t>(indices.size());
  auto rows = empty(sizes, source.options().pinned_memory(pinned));
  const auto bytes = static_cast<std::size_t>(source.size(0) == 0 ? 0 : source.nbytes() / source.size(0));
  if (bytes == 0 || indices.empty()) return rows;
  source.impl()->storage->wait_until_readable();
  const auto* const from = static_cast<const char*>(source.impl()->data());
  auto* to = static_cast<char*>(rows.impl()->data());
  for (const auto index : indices) {
    std::memcpy(to, from + static_cast<std::size_t>(index) * bytes, bytes);
    to += bytes;
  }
  return rows;
}

/// A copy of rows of a tensor, in pinned memory if `pinned`.
Tensor gather(const Tensor& source, IntArrayRef indices, bool pinned) {
  if (source.is_cpu() && source.is_contiguous()) return gather_on_host(source, indices, pinned);
  std::vector<Tensor> rows;
  if (indices.empty() || consecutive(indices)) {
    rows.push_back(indices.empty() ? source.slice(0, 0, 0) : source.slice(0, indices.front(), indices.back() + 1));
  } else {
    rows.reserve(indices.size());
    for (const auto index : indices) rows.push_back(source.slice(0, index, index + 1));
  }
  auto joined = cat(rows);
  return pinned && joined.is_cpu() ? joined.pin_memory() : joined;
}

/// The 64-bit numbers of a seed and an epoch, from counters that no random tensor uses.
class Numbers {
 public:
  Numbers(std::uint64_t seed, std::uint64_t epoch) : seed_(seed), epoch_(epoch) {}

  /// Uniform below `bound`, without bias: the upper half of a product, drawn again if it would favour some numbers.
  std::uint64_t below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t favoured = (0 - bound) % bound;
    while (true) {
      const Wide product = Wide{next()} * bound;
      if (static_cast<std::uint64_t>(product) >= favoured) return static_cast<std::uint64_t>(product >> 64U);
    }
  }

 private:
  std::uint64_t next() {
    if (left_ == 0) {
      const auto low = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
      const auto high = [](std::uint64_t number) { return static_cast<std::uint32_t>(number >> 32U); };
      constexpr std::uint32_t space = 0x80000000;
      const r123::Philox4x32::ctr_type counter = {
          {low(block_), low(epoch_), space | (high(epoch_) & 0x7fffffff), high(block_)}};
      const r123::Philox4x32::key_type key = {{low(seed_), high(seed_)}};
      const auto bits = r123::Philox4x32{}(counter, key);
      numbers_ = {std::uint64_t{bits[1]} << 32U | bits[0], std::uint64_t{bits[3]} << 32U | bits[2]};
      ++block_;
      left_ = numbers_.size();
    }
    return numbers_[numbers_.size() - left_--];
  }

  std::uint64_t seed_;
  std::uint64_t epoch_;
  std::uint64_t block_ = 0;
  std::array<std::uint64_t, 2> numbers_{};
  std::size_t left_ = 0;
};

std::vector<std::int64_t> ascending(std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  return order;
}

/// The numbers 0 … count − 1 in an order that depends on `seed` and `epoch`, the same on every machine; all orders are
/// equally likely.
std::vector<std::int64_t> permutation(std::int64_t count, std::uint64_t seed, std::uint64_t epoch) {
  auto order = ascending(count);
  Numbers numbers(seed, epoch);
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(numbers.below(left))]);
  }
  return order;
}

/// A sampler with the number of ranks and the rank.
DistributedSampler complete(DistributedSampler sampler) {
  if (!sampler.num_replicas) sampler.num_replicas = distributed::get_world_size();
  if (!sampler.rank) sampler.rank = distributed::get_rank();
  if (*sampler.num_replicas < 1) {
    detail::fail<ValueError>("DistributedSampler", fmt::format("num_replicas is {}", *sampler.num_replicas), {},
                             "give the number of ranks");
  }
  if (*sampler.rank < 0 || *sampler.rank >= *sampler.num_replicas) {
    detail::fail<ValueError>("DistributedSampler",
                             fmt::format("Invalid rank {}, rank should be in the interval [0, {}]", *sampler.rank,
                                         *sampler.num_replicas - 1),
                             {}, "give a rank below num_replicas");
  }
  return sampler;
}

}  // namespace

TensorDataset::TensorDataset(std::vector<Tensor> tensors) : tensors_(std::move(tensors)) {
  if (tensors_.empty()) {
    detail::fail<ValueError>("TensorDataset", "a dataset needs at least one tensor", {}, "pass inputs and targets");
  }
  for (const Tensor& tensor : tensors_) {
    const auto& impl = detail::impl_of(tensor, "TensorDataset");
    if (impl.sizes.count == 0) {
      detail::fail<ShapeError>("TensorDataset", "a tensor without dimensions has no examples",
                               detail::operands({{"tensor", &impl}}), "pass a tensor with a row for each example");
    }
    if (impl.sizes[0] != tensors_.front().size(0)) {
      detail::fail<ShapeError>("TensorDataset", "Size mismatch between tensors",
                               detail::operands({{"first", tensors_.front().impl().get()}, {"other", &impl}}),
                               "pass tensors with a row for each example");
    }
  }
}

std::int64_t TensorDataset::size() const { return tensors_.front().size(0); }

Batch TensorDataset::get(std::int64_t index) const {
  Batch example;
  example.reserve(tensors_.size());
  for (const Tensor& tensor : tensors_) example.push_back(tensor.select(0, index));
  return example;
}

Batch TensorDataset::get_batch(IntArrayRef indices) const {
  for (const auto index : indices) {
    if (index >= 0 && index < size()) continue;
    detail::fail<IndexError>("TensorDataset",
                             fmt::format("index {} is out of bounds for dimension 0 with size {}", index, size()), {},
                             "size() gives the number of examples");
  }
  Batch batch;
  batch.reserve(tensors_.size());
  for (const Tensor& tensor : tensors_) batch.push_back(gather(tensor, indices, false));
  return batch;
}

DataLoader::DataLoader(TensorDataset dataset, const DataLoaderOptions& options)
    : dataset_(std::move(dataset)), options_(options) {
  if (options_.batch_size() <= 0) {
    detail::fail<ValueError>(
        "DataLoader",
        fmt::format("batch_size should be a positive integer value, but got batch_size={}", options_.batch_size()), {},
        "give 1 or more");
  }
  if (options_.sampler()) options_.sampler(complete(*options_.sampler()));
}

std::int64_t DataLoader::num_samples() const {
  if (!options_.sampler()) return dataset_.size();
  const int replicas = *options_.sampler()->num_replicas;
  const auto whole = dataset_.size() / replicas;
  return whole + (dataset_.size() % replicas != 0 && !options_.sampler()->drop_last ? 1 : 0);
}

std::int64_t DataLoader::size() const {
  const auto whole = num_samples() / options_.batch_size();
  const bool has_rest = num_samples() % options_.batch_size() != 0;
  return whole + (has_rest && !options_.drop_last() ? 1 : 0);
}

std::vector<std::int64_t> DataLoader::order(std::uint64_t epoch) const {
  auto all = options_.shuffle() ? permutation(dataset_.size(), options_.seed(), epoch) : ascending(dataset_.size());
  if (!options_.sampler()) return all;
  const auto replicas = static_cast<std::size_t>(*options_.sampler()->num_replicas);
  std::vector<std::int64_t> own(static_cast<std::size_t>(num_samples()));
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i] = all[(i * replicas + static_cast<std::size_t>(*options_.sampler()->rank)) % all.size()];
  }
  return own;
}

DataLoader& DataLoader::to(Device device) {
  options_.device(device);
  return *this;
}

DataLoader::Iterator DataLoader::begin() { return {*this, epoch_++}; }

DataLoader::Iterator::Iterator(const DataLoader& loader, std::uint64_t epoch)
    : dataset_(loader.dataset()), options_(loader.options()), order_(loader.order(epoch)) {
  current_ = make_next();
  if (ahead()) next_ = make_next();
}

DataLoader::Iterator& DataLoader::Iterator::operator++() {
  if (!ahead()) {
    current_ = make_next();
    return *this;
  }
  auto after = make_next();
  current_ = std::exchange(next_, std::move(after));
  return *this;
}

bool DataLoader::Iterator::ahead() const { return options_.device() && !options_.device()->is_cpu(); }

/// The next batch; empty at the end.
Batch DataLoader::Iterator::make_next() {
  const auto rest = order_.size() - made_;
  const auto count = std::min(rest, static_cast<std::size_t>(options_.batch_size()));
  if (count == 0 || (options_.drop_last() && count < static_cast<std::size_t>(options_.batch_size()))) return {};
  const IntArrayRef indices(order_.data() + made_, count);
  Batch batch;
  batch.reserve(dataset_.tensors().size());
  for (const Tensor& tensor : dataset_.tensors()) {
    const auto rows = gather(tensor, indices, ahead() && tensor.is_cpu());
    batch.push_back(options_.device() ? rows.to(TensorOptions(*options_.device()), /*non_blocking=*/true) : rows);
  }
  made_ += count;
  return batch;
}

}  // namespace d2l
