// SPDX-License-Identifier: MIT
// CUB's loads and stores of a block: each thread gets items that follow each other in memory.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

#include "block_exchange.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {
namespace detail {

/// How the items go through memory. Where that is not how the threads get them, they exchange them in shared memory.
enum class Transfer { direct, striped, vectors, transposed, transposed_by_warps };

constexpr Transfer transfer_of(BlockLoadAlgorithm algorithm) { return static_cast<Transfer>(algorithm); }
constexpr Transfer transfer_of(BlockStoreAlgorithm algorithm) { return static_cast<Transfer>(algorithm); }

template <class T, int Items>
struct Vectors {
  static constexpr int bytes = Items * sizeof(T) % 16 == 0 ? 16 : (Items * sizeof(T) % 8 == 0 ? 8 : 4);
  static constexpr bool possible = std::is_trivially_copyable_v<T> && sizeof(T) < bytes && bytes % sizeof(T) == 0;
  static constexpr int items = bytes / sizeof(T);
  struct alignas(bytes) Vector {
    T of[possible ? items : 1];
  };
};

template <class T, int Threads, int Items, Transfer Way>
class BlockTransfer {
  static constexpr bool exchanges = Way == Transfer::transposed || Way == Transfer::transposed_by_warps;
  using Exchange = BlockExchange<T, Threads, Items>;
  struct Nothing {};

 public:
  using TempStorage = std::conditional_t<exchanges, typename Exchange::TempStorage, Nothing>;
  BlockTransfer() requires(!exchanges) = default;
  explicit BlockTransfer(TempStorage& storage) : storage_(&storage) {}

 protected:
  template <class Input>
  void load(Input from, T (&items)[Items], long long valid) {
    if (valid == all_valid && load_vectors(from, items)) return;
    load_items(from, items, valid, place);
    if constexpr (Way == Transfer::transposed) Exchange(*storage_).StripedToBlocked(items);
    if constexpr (Way == Transfer::transposed_by_warps) Exchange(*storage_).WarpStripedToBlocked(items);
  }
  template <class Output>
  void store(Output to, T (&items)[Items], long long valid) {
    if (valid == all_valid && store_vectors(to, items)) return;
    if constexpr (Way == Transfer::transposed) Exchange(*storage_).BlockedToStriped(items);
    if constexpr (Way == Transfer::transposed_by_warps) Exchange(*storage_).BlockedToWarpStriped(items);
    store_items(to, items, valid, place);
  }

 private:
  using InVectors = Vectors<T, Items>;
  using Vector = typename InVectors::Vector;

  static int place(int i) {
    if constexpr (Way == Transfer::striped || Way == Transfer::transposed) return block_rank() + i * Threads;
    if constexpr (Way == Transfer::transposed_by_warps) return warp_striped(i, Items);
    return block_rank() * Items + i;
  }
  /// The vectors of a thread; null if the memory is not aligned to them, or is not an array.
  template <class Iterator>
  static auto vectors_of(Iterator at) {
    using Element = std::remove_reference_t<typename std::iterator_traits<Iterator>::reference>;
    using Result = std::conditional_t<std::is_const_v<Element>, const Vector, Vector>*;
    if constexpr (Way == Transfer::vectors && InVectors::possible && std::is_pointer_v<Iterator> &&
                  std::is_same_v<std::remove_const_t<Element>, T>) {
      const auto address = reinterpret_cast<std::uintptr_t>(at);
      if (address % sizeof(Vector) == 0) return reinterpret_cast<Result>(at + block_rank() * Items);
    }
    return static_cast<Result>(nullptr);
  }
  template <class Input>
  static bool load_vectors(Input from, T (&items)[Items]) {
    const auto vectors = vectors_of(from);
    for (int i = 0; vectors != nullptr && i < Items / InVectors::items; ++i) {
      const Vector vector = vectors[i];
      for (int k = 0; k < InVectors::items; ++k) items[i * InVectors::items + k] = vector.of[k];
    }
    return vectors != nullptr;
  }
  template <class Output>
  static bool store_vectors(Output to, T (&items)[Items]) {
    const auto vectors = vectors_of(to);
    for (int i = 0; vectors != nullptr && i < Items / InVectors::items; ++i) {
      Vector vector;
      for (int k = 0; k < InVectors::items; ++k) vector.of[k] = items[i * InVectors::items + k];
      vectors[i] = vector;
    }
    return vectors != nullptr;
  }
  TempStorage* storage_ = nullptr;
};

}  // namespace detail

template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad : public detail::BlockTransfer<T, X * Y * Z, Items, detail::transfer_of(Algorithm)> {
 public:
  using detail::BlockTransfer<T, X * Y * Z, Items, detail::transfer_of(Algorithm)>::BlockTransfer;
  template <class Input>
  void Load(Input from, T (&items)[Items], long long valid = detail::all_valid) {
    this->load(from, items, valid);
  }
  /// Items that are not valid become `other`.
  template <class Input>
  void Load(Input from, T (&items)[Items], long long valid, T other) {
    for (T& item : items) item = other;
    this->load(from, items, valid);
  }
};

template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore : public detail::BlockTransfer<T, X * Y * Z, Items, detail::transfer_of(Algorithm)> {
 public:
  using detail::BlockTransfer<T, X * Y * Z, Items, detail::transfer_of(Algorithm)>::BlockTransfer;
  template <class Output>
  void Store(Output to, T (&items)[Items], long long valid = detail::all_valid) {
    this->store(to, items, valid);
  }
};

}  // namespace cub
// NOLINTEND
