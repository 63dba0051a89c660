// SPDX-License-Identifier: MIT
/// @file
/// DataLoader: a dataset in batches, prefetched to a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "d2l/data/dataset.h"

namespace d2l {

/// Each rank's share of the examples, as PyTorch's DistributedSampler: of the order of an epoch, rank r has the
/// examples r, r + num_replicas, r + 2 num_replicas and so on. So that all ranks have as many, the first examples of
/// the order are repeated at its end, or with drop_last the last ones are left out. A loader throws a ValueError for a
/// rank that num_replicas does not have, and without a process group if one of the two is not set.
struct DistributedSampler {
  std::optional<int> num_replicas = std::nullopt;  ///< the number of ranks; that of the process group unless set
  std::optional<int> rank = std::nullopt;          ///< the rank; that of this process unless set
  bool drop_last = false;                          ///< whether examples are left out instead of repeated
};

/// The options of DataLoader.
class DataLoaderOptions {
 public:
  /// Batches of `batch_size` examples, in the order of the dataset, on its device.
  DataLoaderOptions(std::int64_t batch_size = 1) : batch_size_(batch_size) {}  // NOLINT(google-explicit-constructor)
  /// The number of examples in a batch.
  DataLoaderOptions& batch_size(std::int64_t count) { return batch_size_ = count, *this; }
  /// Whether the order differs from epoch to epoch.
  DataLoaderOptions& shuffle(bool shuffle) { return shuffle_ = shuffle, *this; }
  /// The seed of the order, which is the same on every machine; it also depends on the epoch.
  DataLoaderOptions& seed(std::uint64_t seed) { return seed_ = seed, *this; }
  /// Whether a smaller last batch is dropped.
  DataLoaderOptions& drop_last(bool drop_last) { return drop_last_ = drop_last, *this; }
  /// A share of the examples for each rank. With shuffle(), all ranks must have the same seed.
  DataLoaderOptions& sampler(const DistributedSampler& sampler) { return sampler_ = sampler, *this; }
  /// The device of the batches; to a GPU they are prefetched through pinned memory.
  DataLoaderOptions& device(Device device) { return device_ = device, *this; }

  /// The number of examples in a batch.
  [[nodiscard]] std::int64_t batch_size() const noexcept { return batch_size_; }
  /// Whether the order differs from epoch to epoch.
  [[nodiscard]] bool shuffle() const noexcept { return shuffle_; }
  /// The seed of the order.
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  /// Whether a smaller last batch is dropped.
  [[nodiscard]] bool drop_last() const noexcept { return drop_last_; }
  /// The share of a rank; nullopt for all examples.
  [[nodiscard]] const std::optional<DistributedSampler>& sampler() const noexcept { return sampler_; }
  /// The device of the batches; nullopt for that of the dataset.
  [[nodiscard]] const std::optional<Device>& device() const noexcept { return device_; }

 private:
  std::int64_t batch_size_;
  bool shuffle_ = false;
  std::uint64_t seed_ = 0;
  bool drop_last_ = false;
  std::optional<DistributedSampler> sampler_;
  std::optional<Device> device_;
};

/// Iterates over a dataset in batches: each `for (auto& batch : loader)` is one epoch. On a GPU, the copy of the next
/// batch is issued while the program uses the current one, and the host does not wait for it.
class DataLoader {
 public:
  /// ValueError unless the batch size is positive, and for a rank that the sampler's number of ranks does not have.
  explicit DataLoader(TensorDataset dataset, const DataLoaderOptions& options = {});

  class Iterator;
  /// Begins the next epoch, with its first batch.
  Iterator begin();
  /// The end of every epoch.
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// The number of batches in an epoch.
  [[nodiscard]] std::int64_t size() const;
  /// The order of the examples in an epoch; with a sampler, of those of its rank.
  [[nodiscard]] std::vector<std::int64_t> order(std::uint64_t epoch) const;
  /// Sets the number of the next epoch; the first is 0.
  void set_epoch(std::uint64_t epoch) noexcept { epoch_ = epoch; }
  /// Sets the device of the batches, from the next epoch.
  DataLoader& to(Device device);
  /// The dataset.
  [[nodiscard]] const TensorDataset& dataset() const noexcept { return dataset_; }
  /// The options.
  [[nodiscard]] const DataLoaderOptions& options() const noexcept { return options_; }

 private:
  /// The number of examples in an epoch.
  [[nodiscard]] std::int64_t num_samples() const;

  TensorDataset dataset_;
  DataLoaderOptions options_;
  std::uint64_t epoch_ = 0;
};

/// The batches of one epoch; a copy continues from the same batch.
class DataLoader::Iterator {
 public:
  ///@{
  /// The types of an input iterator.
  using iterator_category = std::input_iterator_tag;
  using value_type = Batch;
  using difference_type = std::ptrdiff_t;
  using pointer = Batch*;
  using reference = Batch&;
  ///@}

  /// The first batch of an epoch.
  Iterator(const DataLoader& loader, std::uint64_t epoch);
  ///@{
  /// The current batch; on a GPU its copy may be unfinished, and reading it waits.
  Batch& operator*() noexcept { return current_; }
  Batch* operator->() noexcept { return &current_; }
  ///@}
  /// Advances to the next batch, and prefetches the one after it.
  Iterator& operator++();
  /// Whether the epoch is over.
  friend bool operator==(const Iterator& iterator, std::default_sentinel_t /*end*/) noexcept {
    return iterator.current_.empty();
  }

 private:
  [[nodiscard]] bool ahead() const;
  [[nodiscard]] Batch make_next();

  TensorDataset dataset_;
  DataLoaderOptions options_;
  std::vector<std::int64_t> order_;
  std::size_t made_ = 0;  // the number of examples in batches so far
  Batch current_;
  Batch next_;
};

}  // namespace d2l
