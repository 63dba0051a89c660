// SPDX-License-Identifier: MIT
// What the sources of cuSPARSE share: the handle, descriptions of vectors and matrices, and work on the handle's
// stream.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "calls/call_site.h"
#include "cusparse.h"
#include "libraries/library_work.h"
#include "sparse/elements.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseSpVecDescr {
  std::int64_t size, nnz;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};
struct cusparseDnVecDescr {
  std::int64_t size;
  void* values;
  cudaDataType type;
};
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  std::int64_t rows, columns, nnz;
  void *offsets, *indices, *values;  ///< of COO, `offsets` are the rows, and `indices` the columns
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;

  [[nodiscard]] std::int64_t offset_count() const {
    return format == CUSPARSE_FORMAT_COO ? nnz : (format == CUSPARSE_FORMAT_CSR ? rows : columns) + 1;
  }
};
struct cusparseDnMatDescr {
  std::int64_t rows, columns, leading;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;

  [[nodiscard]] std::int64_t place(std::int64_t row, std::int64_t column) const {
    return order == CUSPARSE_ORDER_COL ? row + column * leading : column + row * leading;
  }
};

namespace d2l::emulator::sparse {

using Memories = std::vector<LibraryMemory>;
inline std::size_t unsigned_of(std::int64_t value) { return static_cast<std::size_t>(value); }

/// Bytes of a work area. A card wants other sizes. It is not used, but it counts as written, as on a card.
inline constexpr std::size_t work_bytes = 1024;
inline LibraryMemory work_area(const void* buffer) {
  return elements_of(static_cast<const char*>(buffer), work_bytes, LibraryUse::write);
}
inline LibraryMemory bytes_of(const void* memory, std::size_t bytes, LibraryUse use) {
  return elements_of(static_cast<const char*>(memory), bytes, use);
}
inline LibraryMemory memory_of(const cusparseDnVecDescr& x, LibraryUse use) {
  return bytes_of(x.values, unsigned_of(x.size) * size_of(x.type), use);
}
inline LibraryMemory memory_of(const cusparseDnMatDescr& a, LibraryUse use) {
  const std::int64_t lines = a.order == CUSPARSE_ORDER_COL ? a.columns : a.rows;
  const std::int64_t length = a.order == CUSPARSE_ORDER_COL ? a.rows : a.columns;
  const std::size_t bytes = size_of(a.type);
  return columns_of(static_cast<const char*>(a.values), unsigned_of(length) * bytes, unsigned_of(lines),
                    unsigned_of(a.leading) * bytes, use);
}
/// The indices are read.
inline void add_memory_of(Memories& all, const cusparseSpVecDescr& x, LibraryUse use) {
  all.push_back(bytes_of(x.indices, unsigned_of(x.nnz) * size_of(x.index_type), LibraryUse::read));
  all.push_back(bytes_of(x.values, unsigned_of(x.nnz) * size_of(x.type), use));
}
inline void add_memory_of(Memories& all, const cusparseSpMatDescr& a, LibraryUse of_values,
                          LibraryUse of_indices = LibraryUse::read) {
  all.push_back(bytes_of(a.offsets, unsigned_of(a.offset_count()) * size_of(a.offset_type), of_indices));
  all.push_back(bytes_of(a.indices, unsigned_of(a.nnz) * size_of(a.index_type), of_indices));
  all.push_back(bytes_of(a.values, unsigned_of(a.nnz) * size_of(a.type), of_values));
}

/// A factor: read now if it is the host's, else when the work runs.
template <class T>
class Factor {
 public:
  Factor(cusparseHandle_t handle, const void* address)
      : address_(static_cast<const T*>(address)),
        on_host_(handle->mode == CUSPARSE_POINTER_MODE_HOST),
        value_(on_host_ ? *address_ : T{}) {}
  [[nodiscard]] T get() const { return on_host_ ? value_ : *at(address_); }
  /// The use of a result to which the factor times its old values is added: these are not read if the factor is 0.
  [[nodiscard]] LibraryUse use() const { return on_host_ && value_ != T{} ? LibraryUse::both : LibraryUse::write; }
  /// The same for what is known only when the work runs.
  [[nodiscard]] Memories late_use(LibraryMemory result) const {
    if (on_host_ || get() == T{}) return {};
    result.use = LibraryUse::read;
    return {std::move(result)};
  }
  void add_memory(Memories& all) const {
    if (!on_host_) all.push_back(elements_of(address_, 1, LibraryUse::read));
  }

 private:
  const T* address_;
  bool on_host_;
  T value_;
};

/// Adds work to the stream of the handle; if `wait`, the host waits for it.
template <class Work>
cusparseStatus_t submit(cusparseHandle_t handle, Memories memory, Work work, bool wait = false) {
  cudaError_t error = push_library_work(handle->stream, std::move(memory), std::move(work));
  if (error == cudaSuccess && wait) error = wait_for_library_work(handle->stream);
  return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}
/// The size of a work area, if the arguments of its function are right.
inline cusparseStatus_t tell_bytes(cusparseStatus_t status, std::size_t* bytes) {
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = work_bytes;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Descriptions that a program makes without values, and all that it destroys.
template <class D>
cusparseStatus_t create_empty(D** made) {
  if (made == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *made = std::make_unique<D>().release();
  return CUSPARSE_STATUS_SUCCESS;
}
template <class D>
cusparseStatus_t destroy(D* description) {
  const std::unique_ptr<D> owner(description);
  return owner ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

inline bool valid(cusparseOperation_t op) {
  return op >= CUSPARSE_OPERATION_NON_TRANSPOSE && op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
inline bool is_transposed(cusparseOperation_t op) { return op != CUSPARSE_OPERATION_NON_TRANSPOSE; }
inline bool conjugates(cusparseOperation_t op) { return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE; }

}  // namespace d2l::emulator::sparse
