// SPDX-License-Identifier: MIT
// cuSPARSE: triangular systems. The analysis keeps the matrix, as a card does: later values need updateMatrix().
#include <fmt/format.h>

#include <complex>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>

#include "sparse/rows.h"

using namespace d2l::emulator;
using namespace d2l::emulator::sparse;

namespace d2l::emulator::sparse {

using Wide = std::complex<double>;  // holds a value of each type without rounding

/// What an analysis has found, when its work has run.
struct Analysed {
  std::optional<Rows> rows;  ///< none before it has run
  std::vector<Wide> values;  ///< as in the array of values
  bool lower = false;        ///< of op(A)
  bool unit = false;
};

/// It belongs to the work of streams, which a program may have forgotten to order.
class Analysis {
 public:
  [[nodiscard]] std::shared_ptr<const Analysed> get() {
    const std::lock_guard lock(mutex_);
    return result_;
  }
  void set(Analysed result) {
    const std::lock_guard lock(mutex_);
    result_ = std::make_shared<const Analysed>(std::move(result));
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Analysed> result_ = std::make_shared<const Analysed>();
};

/// A matrix that was analysed, and what its solution was announced with.
struct Triangle {
  std::shared_ptr<Analysis> analysis;  ///< null before the analysis
  void* buffer = nullptr;
  cusparseSpMatDescr a{};
  cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
};

}  // namespace d2l::emulator::sparse

namespace {

template <class T>
Wide widened(T value) {
  if constexpr (std::is_floating_point_v<T>) return {static_cast<double>(value), 0};
  if constexpr (!std::is_floating_point_v<T>) return {value.real(), value.imag()};
}
template <class T>
T narrowed(Wide value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value.real());
  if constexpr (!std::is_floating_point_v<T>) {
    using Real = typename T::value_type;
    return {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
  }
}

bool is_square(const cusparseSpMatDescr* a) { return a != nullptr && a->rows == a->columns; }

cusparseStatus_t analyse(cusparseHandle_t handle, Triangle& triangle, cusparseOperation_t op,
                         const cusparseSpMatDescr& a, cudaDataType compute, void* buffer) {
  if (buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  triangle = {std::make_shared<Analysis>(), buffer, a, op};
  return with_type(compute, [&](auto zero) {
    using T = decltype(zero);
    Memories all{work_area(buffer)};
    add_memory_of(all, a, LibraryUse::read);
    return submit(handle, std::move(all), [a, op, to = triangle.analysis] {
      Analysed found;
      found.rows.emplace(a, is_transposed(op));
      found.rows->keep();
      found.lower = (a.fill == CUSPARSE_FILL_MODE_LOWER) != is_transposed(op);
      found.unit = a.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
      const Values<T> values(a.values, a.type);
      for (std::int64_t k = 0; k < a.nnz; ++k) found.values.push_back(widened(values.get(k)));
      to->set(std::move(found));
    });
  });
}

/// Solves in the order of the triangle; get(row) is the right-hand side, and set(row, value) takes the solution.
template <class T, class Solution, class Right>
void solve(const Analysed& a, bool conjugated, const Right& right, const Solution& solution) {
  if (!a.rows) return;  // the analysis is in another stream, or has failed
  const Rows& rows = *a.rows;
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    const std::int64_t row = a.lower ? i : rows.count() - 1 - i;
    T sum = right(row);
    T diagonal = a.unit ? T{1} : T{0};
    for (std::int64_t k = rows.begin(row), end = rows.end(row); k < end; ++k) {
      const std::int64_t column = rows.column(k);
      const T value = conjugate(narrowed<T>(a.values[unsigned_of(rows.value(k))]), conjugated);
      if (column == row && !a.unit) diagonal += value;
      if (a.lower ? column < row : column > row) sum -= value * solution(column, nullptr);
    }
    const T result = a.unit ? sum : sum / diagonal;
    solution(row, &result);
  }
}

/// A solution needs an analysis of the same matrix and operation before it.
cusparseStatus_t check_analysed(const Triangle& triangle, cusparseOperation_t op, const cusparseSpMatDescr& a) {
  const bool same = triangle.analysis != nullptr && triangle.op == op && triangle.a.rows == a.rows &&
                    triangle.a.nnz == a.nnz && triangle.a.offsets == a.offsets && triangle.a.indices == a.indices;
  if (same) return CUSPARSE_STATUS_SUCCESS;
  fmt::print(stderr, "{}: {}\n", current_call().text(),
             triangle.analysis == nullptr ? "call the function _analysis with this description before"
                                          : "the analysis was of another matrix or operation: repeat it");
  return CUSPARSE_STATUS_INVALID_VALUE;
}

}  // namespace

struct cusparseSpSVDescr : Triangle {};
struct cusparseSpSMDescr : Triangle {};

namespace {

cusparseStatus_t check(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, const cusparseSpMatDescr* a,
                       const cusparseDnVecDescr* x, const cusparseDnVecDescr* y, cudaDataType compute,
                       const cusparseSpSVDescr* description) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || x == nullptr || y == nullptr || description == nullptr || !sparse::valid(op) ||
      !is_square(a) || a->rows != x->size || a->rows != y->size) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const bool types = a->type == compute && x->type == compute && y->type == compute;
  return types ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}
cusparseStatus_t check(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
                       const cusparseSpMatDescr* a, const cusparseDnMatDescr* b, const cusparseDnMatDescr* c,
                       cudaDataType compute, const cusparseSpSMDescr* description) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || b == nullptr || c == nullptr || description == nullptr || !sparse::valid(op_a) ||
      !sparse::valid(op_b) || !is_square(a) || a->rows != c->rows ||
      (is_transposed(op_b) ? b->columns : b->rows) != c->rows ||
      (is_transposed(op_b) ? b->rows : b->columns) != c->columns) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const bool types = a->type == compute && b->type == compute && c->type == compute && !conjugates(op_b);
  return types ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// Adds the solution of `count` systems; right(i, row) and solution(i, row) are places in b and c.
template <class Right, class Solution>
cusparseStatus_t submit_solution(cusparseHandle_t handle, const Triangle& triangle, const void* alpha,
                                 cudaDataType compute, LibraryMemory b, LibraryMemory c, std::int64_t count,
                                 Right right, Solution solution) {
  return with_type(compute, [&](auto zero) {
    using T = decltype(zero);
    const Factor<T> factor(handle, alpha);
    const Values<T> in_b(b.begin, compute), in_c(c.begin, compute);
    Memories all{std::move(b), std::move(c), bytes_of(triangle.buffer, work_bytes, LibraryUse::read)};
    factor.add_memory(all);
    return submit(handle, std::move(all), [=, analysis = triangle.analysis, op = triangle.op] {
      const auto a = analysis->get();
      for (std::int64_t i = 0; i < count; ++i) {
        solve<T>(
            *a, conjugates(op), [&](std::int64_t row) { return factor.get() * in_b.get(right(i, row)); },
            [&](std::int64_t row, const T* value) {
              if (value != nullptr) in_c.set(solution(i, row), *value);
              return in_c.get(solution(i, row));
            });
      }
    });
  });
}

}  // namespace

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* description) { return create_empty(description); }
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t description) { return destroy(description); }
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t /*algorithm*/,
                                         cusparseSpSVDescr_t description, size_t* bytes) {
  return tell_bytes(check(handle, op, alpha, a, x, y, compute, description), bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType compute, cusparseSpSVAlg_t /*algorithm*/,
                                       cusparseSpSVDescr_t description, void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  const auto status = check(handle, op, alpha, a, x, y, compute, description);
  return status == CUSPARSE_STATUS_SUCCESS ? analyse(handle, *description, op, *a, compute, buffer) : status;
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType compute, cusparseSpSVAlg_t /*algorithm*/,
                                    cusparseSpSVDescr_t description) {
  const ApiCall call(__builtin_return_address(0));
  auto status = check(handle, op, alpha, a, x, y, compute, description);
  if (status == CUSPARSE_STATUS_SUCCESS) status = check_analysed(*description, op, *a);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  const auto place = [](std::int64_t, std::int64_t row) { return row; };
  return submit_solution(handle, *description, alpha, compute, memory_of(*x, LibraryUse::read),
                         memory_of(*y, LibraryUse::write), 1, place, place);
}
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t description, void* values,
                                           cusparseSpSVUpdate_t part) {
  const ApiCall call(__builtin_return_address(0));
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (description == nullptr || values == nullptr || description->analysis == nullptr) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const auto& a = description->a;
  const bool all_values = part == CUSPARSE_SPSV_UPDATE_GENERAL;
  const std::int64_t count = all_values ? a.nnz : a.rows;
  Memories all{bytes_of(values, unsigned_of(count) * size_of(a.type), LibraryUse::read),
               bytes_of(description->buffer, work_bytes, LibraryUse::both)};
  return with_type(a.type, [&](auto zero) {
    const Values<decltype(zero)> from(values, a.type);
    return submit(handle, std::move(all), [=, analysis = description->analysis] {
      Analysed next = *analysis->get();
      if (!next.rows) return;
      const Rows& rows = *next.rows;
      for (std::int64_t k = 0; all_values && k < count; ++k) next.values[unsigned_of(k)] = widened(from.get(k));
      for (std::int64_t row = 0; !all_values && row < count; ++row) {
        for (std::int64_t k = rows.begin(row); k < rows.end(row); ++k) {
          if (rows.column(k) == row) next.values[unsigned_of(rows.value(k))] = widened(from.get(row));
        }
      }
      analysis->set(std::move(next));
    });
  });
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* description) { return create_empty(description); }
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t description) { return destroy(description); }
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t /*algorithm*/,
                                         cusparseSpSMDescr_t description, size_t* bytes) {
  return tell_bytes(check(handle, op_a, op_b, alpha, a, b, c, compute, description), bytes);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                       const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t /*algorithm*/,
                                       cusparseSpSMDescr_t description, void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  const auto status = check(handle, op_a, op_b, alpha, a, b, c, compute, description);
  return status == CUSPARSE_STATUS_SUCCESS ? analyse(handle, *description, op_a, *a, compute, buffer) : status;
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                    const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t /*algorithm*/,
                                    cusparseSpSMDescr_t description) {
  const ApiCall call(__builtin_return_address(0));
  auto status = check(handle, op_a, op_b, alpha, a, b, c, compute, description);
  if (status == CUSPARSE_STATUS_SUCCESS) status = check_analysed(*description, op_a, *a);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  const bool turned = is_transposed(op_b);
  return submit_solution(
      handle, *description, alpha, compute, memory_of(*b, LibraryUse::read), memory_of(*c, LibraryUse::write),
      c->columns,
      [b = *b, turned](std::int64_t i, std::int64_t row) { return turned ? b.place(i, row) : b.place(row, i); },
      [c = *c](std::int64_t i, std::int64_t row) { return c.place(row, i); });
}
