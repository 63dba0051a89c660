// SPDX-License-Identifier: MIT
// Rows: the elements of a sparse matrix, or of its transpose, row by row.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sparse/handle.h"

namespace d2l::emulator::sparse {

class Rows {
 public:
  /// LibraryFault if an index is not one of the matrix, or an offset is wrong. The memory of the matrix must stay while
  /// this is used.
  Rows(const cusparseSpMatDescr& matrix, bool transposed);

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t begin(std::int64_t row) const { return direct_ ? offsets_.get(row) : begins_[at(row)]; }
  [[nodiscard]] std::int64_t end(std::int64_t row) const { return begin(row + 1); }
  /// Of the elements from begin() to end(): the column, and the number in the array of values.
  [[nodiscard]] std::int64_t column(std::int64_t k) const { return direct_ ? indices_.get(k) : columns_[at(k)]; }
  [[nodiscard]] std::int64_t value(std::int64_t k) const { return direct_ ? k : values_[at(k)]; }
  /// Copies what it has read, so that the memory of the matrix may change.
  void keep();

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  Indices offsets_, indices_;
  bool direct_;  ///< the rows are in memory as they are wanted
  std::int64_t count_;
  std::vector<std::int64_t> begins_, columns_, values_;
};

/// LibraryFault unless the indices are from 0 to `size` - 1.
void require_indices(const Indices& indices, std::int64_t count, std::int64_t size, const char* of);
/// LibraryFault unless the offsets of so many lines begin with 0, do not fall, and end with the number of elements.
void require_offsets(const Indices& offsets, std::int64_t lines, std::int64_t nnz);

}  // namespace d2l::emulator::sparse
