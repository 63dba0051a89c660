// SPDX-License-Identifier: MIT
// Counts a multiply-add as one operation, because the hardware has one instruction for it. Peaks count it as two.
// Fails: operations: operation
// May fail: memory
// May fail: arithmetic
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
      operations = rows * columns * result_columns;
      break;
  }
  const std::int64_t bytes = (read + written) * static_cast<std::int64_t>(elementSize(dtype));
  const double intensity = static_cast<double>(operations) / static_cast<double>(bytes);
  return {bytes, operations, intensity < balance(card, dtype)};
}
