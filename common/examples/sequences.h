// SPDX-License-Identifier: MIT
/// @file
/// Random sequences of symbols, with the same symbols in reverse order.
#pragma once

#include <cstdint>

#include "d2l/d2l.h"
#include "examples/random.h"

namespace d2l::examples {

/// Draws `count` sequences and reverses them: two tensors (count, length), int64, of numbers from 0 to before
/// `symbols`. ShapeError for a negative size.
inline TensorDataset draw_sequences(std::int64_t count, std::int64_t length, std::int64_t symbols, std::uint64_t seed) {
  Random random(seed, 0);
  const Tensor sequences = empty({count, length}, kLong);
  auto* const first = sequences.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < sequences.numel(); ++i) first[i] = random.below(symbols);
  return TensorDataset({sequences, sequences.flip({1})});
}

}  // namespace d2l::examples
