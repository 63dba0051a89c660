// SPDX-License-Identifier: MIT
/// @file
/// DataLoader: a dataset in batches, sent ahead to the device that works on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "d2l/data/dataset.h"

namespace d2l {

/// How a DataLoader makes batches.
class DataLoaderOptions {
 public:
  /// Batches of so many examples, in the order of the dataset, left where they are.
  DataLoaderOptions(std::int64_t batch_size = 1) : batch_size_(batch_size) {}  // NOLINT(google-explicit-constructor)
  /// How many examples a batch has.
  DataLoaderOptions& batch_size(std::int64_t count) { return batch_size_ = count, *this; }
  /// Whether the order differs from epoch to epoch.
  DataLoaderOptions& shuffle(bool shuffle) { return shuffle_ = shuffle, *this; }
  /// What the order follows from, together with the epoch; it is the same everywhere.
  DataLoaderOptions& seed(std::uint64_t seed) { return seed_ = seed, *this; }
  /// Whether a last batch that is smaller is left out.
  DataLoaderOptions& drop_last(bool drop_last) { return drop_last_ = drop_last, *this; }
  /// Where the batches shall be; to a GPU they are sent ahead, through pinned memory.
  DataLoaderOptions& device(Device device) { return device_ = device, *this; }

  /// How many examples a batch has.
  [[nodiscard]] std::int64_t batch_size() const noexcept { return batch_size_; }
  /// Whether the order differs from epoch to epoch.
  [[nodiscard]] bool shuffle() const noexcept { return shuffle_; }
  /// What the order follows from.
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  /// Whether a last batch that is smaller is left out.
  [[nodiscard]] bool drop_last() const noexcept { return drop_last_; }
  /// Where the batches shall be; nothing when they stay where the dataset is.
  [[nodiscard]] const std::optional<Device>& device() const noexcept { return device_; }

 private:
  std::int64_t batch_size_;
  bool shuffle_ = false;
  std::uint64_t seed_ = 0;
  bool drop_last_ = false;
  std::optional<Device> device_;
};

/// Goes through a dataset in batches, `for (auto& batch : loader)`, an epoch each time. A GPU has its next batch on the
/// way while it works on one; nobody waits for it.
class DataLoader {
 public:
  /// ValueError unless the batch size is positive.
  explicit DataLoader(TensorDataset dataset, const DataLoaderOptions& options = {});

  class Iterator;
  /// Begins the next epoch, with its first batch.
  Iterator begin();
  /// The end of every epoch.
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// How many batches an epoch has.
  [[nodiscard]] std::int64_t size() const;
  /// The order of the examples in an epoch.
  [[nodiscard]] std::vector<std::int64_t> order(std::uint64_t epoch) const;
  /// Lets the next epoch be this one; they count from 0.
  void set_epoch(std::uint64_t epoch) noexcept { epoch_ = epoch; }
  /// Sends the batches of the epochs to come to a device.
  DataLoader& to(Device device);
  /// What the batches are made of.
  [[nodiscard]] const TensorDataset& dataset() const noexcept { return dataset_; }
  /// How batches are made.
  [[nodiscard]] const DataLoaderOptions& options() const noexcept { return options_; }

 private:
  TensorDataset dataset_;
  DataLoaderOptions options_;
  std::uint64_t epoch_ = 0;
};

/// The batches of one epoch; a copy goes on from the same place.
class DataLoader::Iterator {
 public:
  ///@{
  /// What the standard library asks of an iterator.
  using iterator_category = std::input_iterator_tag;
  using value_type = Batch;
  using difference_type = std::ptrdiff_t;
  using pointer = Batch*;
  using reference = Batch&;
  ///@}

  /// The first batch of an epoch.
  Iterator(const DataLoader& loader, std::uint64_t epoch);
  ///@{
  /// The batch at hand; on a GPU it may still be on its way, and who reads it waits.
  Batch& operator*() noexcept { return current_; }
  Batch* operator->() noexcept { return &current_; }
  ///@}
  /// Goes on to the next batch, and sends the one after it ahead.
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
  std::size_t made_ = 0;  // how many of the order are in batches
  Batch current_;
  Batch next_;
};

}  // namespace d2l
