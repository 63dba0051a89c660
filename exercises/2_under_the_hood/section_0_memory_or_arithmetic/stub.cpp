// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

Prediction predict(const Operation& operation, const Card& card) {
  const std::int64_t elements = operation.rows * operation.columns;
  const std::int64_t element_bytes = 4;  // TODO: float64 elements are larger
  Prediction prediction;
  // TODO: this is correct for some operations only. Which elements does each kind read
  // and write?
  prediction.bytes = 2 * elements * element_bytes;
  prediction.operations = elements;
  // TODO: compare the time of the bytes with the time of the operations
  prediction.by_memory = card.processor.memory_bandwidth < card.processor.float32;
  return prediction;
}
