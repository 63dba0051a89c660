// SPDX-License-Identifier: MIT
// # Memory or arithmetic
//
// Section 2.0 shows that a card with a bandwidth and a peak has a balance, in
// operations per byte, and that an operation of a smaller intensity is bound by memory.
// Write a function that predicts this for five operations, without running them: derive
// from the sizes how many bytes the operation moves and how many operations it does.
//
// Given: the description of an operation, and a card. The card is one of `cards()`, or
// one with other figures: read the figures, not the name. All sizes are at least 1.
// What must hold:
//
// - `bytes` is the number of bytes that the operation reads and writes, with each
//   element of its operands read once, and each element of its result written once. The
//   elements are float32, of 4 bytes, or float64, of 8 bytes.
// - `operations` is the number of its operations. An addition, a multiplication, and
//   each element that is added to a sum count as one. A multiply-add counts as two.
//   log_softmax counts as 4 for each element.
// - `by_memory` is true if the bytes take longer than the operations, on a card that
//   transfers `memory_bandwidth` bytes per second and does `float32` operations per
//   second on float32, and `float64` on float64. Latencies, `reached` and everything
//   else do not count.
//
// The check runs each operation on tensors, for drawn sizes, cards and dtypes, and
// reads its bytes and its operations from the ledger. Both of your numbers must be
// equal to the ledger's. The check computes from the ledger's numbers which of the two
// takes longer; the times differ by at least 2 percent.
#pragma once

#include <cstdint>

#include "d2l/d2l.h"

/// What is computed from a matrix A with `rows` rows and `columns` columns.
enum class OperationKind : std::int8_t {
  add,          ///< A + B, where B has the sizes of A
  add_row,      ///< A + b, where b has the sizes (1, columns) and is added to each row
  row_sums,     ///< A.sum(1): one sum for each row
  log_softmax,  ///< A.log_softmax(1), with the sizes of A
  product       ///< A.mm(B), where B has `columns` rows and `result_columns` columns
};

/// An operation on tensors of one dtype.
struct Operation {
  OperationKind kind = OperationKind::add;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t result_columns = 1;  ///< only for a product
  d2l::ScalarType dtype = d2l::kFloat;
};

/// The prediction for an operation on a card.
struct Prediction {
  std::int64_t bytes = 0;
  std::int64_t operations = 0;
  bool by_memory = true;
};

/// Predicts what an operation costs, and what bounds it on a card.
Prediction predict(const Operation& operation, const d2l::Card& card);
