// SPDX-License-Identifier: MIT
#include "sparse/rows.h"

#include <fmt/format.h>

#include <utility>

namespace d2l::emulator::sparse {

void require_offsets(const Indices& offsets, std::int64_t lines, std::int64_t nnz) {
  std::int64_t before = 0;
  for (std::int64_t i = 0; i <= lines; ++i) {
    const std::int64_t next = offsets.get(i);
    if (next < before || next > nnz || (i == 0 && next != 0) || (i == lines && next != nnz)) {
      throw LibraryFault{fmt::format(
          "reads the offset {} at position {}: counted from the index base, offsets begin with 0, do not fall, and end "
          "with {}, the number of elements",
          next, i, nnz)};
    }
    before = next;
  }
}

void require_indices(const Indices& indices, std::int64_t count, std::int64_t size, const char* of) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t index = indices.get(i);
    if (index >= 0 && index < size) continue;
    throw LibraryFault{fmt::format(
        "reads the index {} at position {}, counted from the index base, but there are {} {}", index, i, size, of)};
  }
}

Rows::Rows(const cusparseSpMatDescr& a, bool transposed)
    : offsets_(a.offsets, a.offset_type, a.base),
      indices_(a.indices, a.index_type, a.base),
      direct_(a.format == (transposed ? CUSPARSE_FORMAT_CSC : CUSPARSE_FORMAT_CSR)),
      count_(transposed ? a.columns : a.rows) {
  const bool by_column = a.format == CUSPARSE_FORMAT_CSC;
  if (a.format == CUSPARSE_FORMAT_COO) {
    require_indices(offsets_, a.nnz, a.rows, "rows");
  } else {
    require_offsets(offsets_, by_column ? a.columns : a.rows, a.nnz);
  }
  require_indices(indices_, a.nnz, by_column ? a.rows : a.columns, by_column ? "rows" : "columns");
  if (direct_) return;
  // Counts the elements of each row of the result, and puts them there in the order of memory.
  begins_.assign(at(count_) + 1, 0);
  columns_.resize(at(a.nnz));
  values_.resize(at(a.nnz));
  const auto each = [&](const auto& use) {
    const auto element = [&](std::int64_t line, std::int64_t k) {
      const bool line_is_row = by_column == transposed;
      use(line_is_row ? line : indices_.get(k), line_is_row ? indices_.get(k) : line, k);
    };
    if (a.format == CUSPARSE_FORMAT_COO) {
      for (std::int64_t k = 0; k < a.nnz; ++k) element(offsets_.get(k), k);
      return;
    }
    for (std::int64_t line = 0; line < (by_column ? a.columns : a.rows); ++line) {
      for (std::int64_t k = offsets_.get(line); k < offsets_.get(line + 1); ++k) element(line, k);
    }
  };
  each([&](std::int64_t row, std::int64_t, std::int64_t) { ++begins_[at(row) + 1]; });
  for (std::size_t row = 0; row < at(count_); ++row) begins_[row + 1] += begins_[row];
  std::vector<std::int64_t> next(begins_.begin(), begins_.end() - 1);
  each([&](std::int64_t row, std::int64_t column, std::int64_t k) {
    const std::size_t place = at(next[at(row)]++);
    columns_[place] = column;
    values_[place] = k;
  });
}

void Rows::keep() {
  if (!direct_) return;
  for (std::int64_t row = 0; row <= count_; ++row) begins_.push_back(offsets_.get(row));
  for (std::int64_t k = 0; k < begins_.back(); ++k) {
    columns_.push_back(indices_.get(k));
    values_.push_back(k);
  }
  direct_ = false;
}

}  // namespace d2l::emulator::sparse
