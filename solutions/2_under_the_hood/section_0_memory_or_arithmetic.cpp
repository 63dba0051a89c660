// SPDX-License-Identifier: MIT
// Three numbers describe each operation: the elements that it reads, those that it
// writes, and its operations. Most kinds read and write as many elements as A has, so
// those are the initial values, and each kind changes only what differs. The size of an
// element is a factor of all bytes, so it is applied once, at the end.
//
// The sizes are 64-bit integers, and so are the counts: a product of two matrices of
// 2000 x 2000 has more operations than a 32-bit integer can count. The intensity is a
// quotient, so both counts become double before the division. balance() has the peak of
// the dtype: on a T4, the one for float64 is a thirty-second of the other.
#include "exercise.h"

using namespace d2l;

Prediction predict(const Operation& operation, const Card& card) {
  const auto& [kind, rows, columns, result_columns, dtype] = operation;
  std::int64_t read = rows * columns;  // the elements of A
  std::int64_t written = rows * columns;
  std::int64_t operations = rows * columns;
  switch (kind) {
    case OperationKind::add:
      read += rows * columns;
      break;
    case OperationKind::add_row:
      read += columns;
      break;
    case OperationKind::row_sums:
      written = rows;
      break;
    case OperationKind::log_softmax:
      operations *= 4;
      break;
    case OperationKind::product:
      read += columns * result_columns;
      written = rows * result_columns;
      operations = 2 * rows * columns * result_columns;
      break;
  }
  const std::int64_t bytes =
      (read + written) * static_cast<std::int64_t>(elementSize(dtype));
  const double intensity = static_cast<double>(operations) / static_cast<double>(bytes);
  return {bytes, operations, intensity < balance(card, dtype)};
}
