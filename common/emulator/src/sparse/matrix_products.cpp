// SPDX-License-Identifier: MIT
// cuSPARSE: products of sparse matrices. compute() finds the product, and copy() writes it.
#include <fmt/format.h>

#include <complex>
#include <cstdio>
#include <map>
#include <memory>
#include <tuple>

#include "sparse/rows.h"

using namespace d2l::emulator;
using namespace d2l::emulator::sparse;

namespace d2l::emulator::sparse {

template <class T>
struct Product {
  std::vector<std::int64_t> offsets, columns;
  std::vector<T> values;
};
/// A product of each type: that of the computation has elements.
struct Products {
  std::tuple<Product<float>, Product<double>, Product<std::complex<float>>, Product<std::complex<double>>> all;
  template <class T>
  Product<T>& of() {
    return std::get<Product<T>>(all);
  }
};

}  // namespace d2l::emulator::sparse

namespace {

template <class T>
Product<T> multiply(const cusparseSpMatDescr& a, const cusparseSpMatDescr& b, T alpha) {
  const Rows left(a, false), right(b, false);
  const Values<T> in_a(a.values, a.type), in_b(b.values, b.type);
  Product<T> result{{0}, {}, {}};
  for (std::int64_t row = 0; row < left.count(); ++row) {
    std::map<std::int64_t, T> sums;
    for (std::int64_t i = left.begin(row); i < left.end(row); ++i) {
      const T factor = in_a.get(left.value(i));
      const std::int64_t inner = left.column(i);
      for (std::int64_t k = right.begin(inner); k < right.end(inner); ++k) {
        sums[right.column(k)] += factor * in_b.get(right.value(k));
      }
    }
    for (const auto& [column, sum] : sums) {
      result.columns.push_back(column);
      result.values.push_back(alpha * sum);
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.columns.size()));
  }
  return result;
}

}  // namespace

struct cusparseSpGEMMDescr {
  std::shared_ptr<Products> products;  ///< null before compute() with a work area
};

namespace {

template <class T>
bool is_zero(const void* factor) {
  return *static_cast<const T*>(factor) == T{};
}

cusparseStatus_t check(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
                       const cusparseSpMatDescr* a, const cusparseSpMatDescr* b, const void* beta,
                       const cusparseSpMatDescr* c, cudaDataType compute, const cusparseSpGEMMDescr* description) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || beta == nullptr || a == nullptr || b == nullptr || c == nullptr || description == nullptr ||
      a->columns != b->rows || a->rows != c->rows || b->columns != c->columns) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const auto is_csr = [](const cusparseSpMatDescr* one) { return one->format == CUSPARSE_FORMAT_CSR; };
  const bool supported = !is_transposed(op_a) && !is_transposed(op_b) && is_csr(a) && is_csr(b) && is_csr(c) &&
                         a->type == b->type && fits(a->type, compute) && fits(c->type, compute);
  if (!supported) return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE) return CUSPARSE_STATUS_SUCCESS;
  return with_type(compute, [&](auto zero) {
    if (is_zero<decltype(zero)>(beta)) return CUSPARSE_STATUS_SUCCESS;
    fmt::print(stderr, "{}: beta must be 0 in the emulator\n", current_call().text());
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  });
}

}  // namespace

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* description) { return create_empty(description); }
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t description) { return destroy(description); }
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a,
                                               cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                                               cudaDataType compute, cusparseSpGEMMAlg_t /*algorithm*/,
                                               cusparseSpGEMMDescr_t description, size_t* bytes, void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  const auto status = check(handle, op_a, op_b, alpha, a, b, beta, c, compute, description);
  if (buffer == nullptr || status != CUSPARSE_STATUS_SUCCESS) return tell_bytes(status, bytes);
  Memories all{work_area(buffer)};
  add_memory_of(all, *a, LibraryUse::read);
  add_memory_of(all, *b, LibraryUse::read);
  return submit(handle, std::move(all), [a = *a, b = *b] {
    const Rows left(a, false), right(b, false);  // LibraryFault if they are wrong
  });
}
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                        const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                        cusparseSpGEMMAlg_t /*algorithm*/, cusparseSpGEMMDescr_t description,
                                        size_t* bytes, void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  const auto status = check(handle, op_a, op_b, alpha, a, b, beta, c, compute, description);
  if (buffer == nullptr || status != CUSPARSE_STATUS_SUCCESS) return tell_bytes(status, bytes);
  return with_type(compute, [&](auto zero) {
    using T = decltype(zero);
    const Factor<T> factor(handle, alpha);
    Memories all{work_area(buffer)};
    add_memory_of(all, *a, LibraryUse::read);
    add_memory_of(all, *b, LibraryUse::read);
    factor.add_memory(all);
    const auto products = std::make_shared<Products>();
    auto work = [=, a = *a, b = *b] { products->of<T>() = multiply<T>(a, b, factor.get()); };
    const auto done = submit(handle, std::move(all), std::move(work), true);
    if (done != CUSPARSE_STATUS_SUCCESS) return done;
    description->products = products;
    c->nnz = static_cast<std::int64_t>(products->of<T>().values.size());
    return done;
  });
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                     const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                     cusparseSpGEMMAlg_t /*algorithm*/, cusparseSpGEMMDescr_t description) {
  const ApiCall call(__builtin_return_address(0));
  const auto status = check(handle, op_a, op_b, alpha, a, b, beta, c, compute, description);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (description->products == nullptr) {
    fmt::print(stderr, "{}: call cusparseSpGEMM_compute with a work area before\n", current_call().text());
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  return with_type(compute, [&](auto zero) {
    using T = decltype(zero);
    Memories all;
    add_memory_of(all, *c, LibraryUse::write, LibraryUse::write);
    return submit(handle, std::move(all), [c = *c, products = description->products] {
      const Product<T>& from = products->of<T>();
      const Indices offsets(c.offsets, c.offset_type, c.base), indices(c.indices, c.index_type, c.base);
      const Values<T> values(c.values, c.type);
      if (unsigned_of(c.nnz) != from.values.size() || unsigned_of(c.rows) + 1 != from.offsets.size()) return;
      for (std::size_t i = 0; i < from.offsets.size(); ++i) offsets.set(static_cast<std::int64_t>(i), from.offsets[i]);
      for (std::size_t k = 0; k < from.values.size(); ++k) {
        indices.set(static_cast<std::int64_t>(k), from.columns[k]);
        values.set(static_cast<std::int64_t>(k), from.values[k]);
      }
    });
  });
}
