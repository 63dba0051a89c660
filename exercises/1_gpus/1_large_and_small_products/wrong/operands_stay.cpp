// SPDX-License-Identifier: MIT
// Forgets that `to` returns a new tensor, and multiplies the old ones.
// Fails: device: a product on cpu
// Fails: finished: no product was computed on cuda
// Fails: warm: no product was computed on cuda
// Fails: one: no product was computed on cuda
// Fails: earlier: no product was computed on cuda
// Fails: copies: no product was computed on cuda
// Needs: 1
#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  static_cast<void>(A.to(device));
  static_cast<void>(B.to(device));
  return measure([&] { static_cast<void>(A.mm(B)); }, {.maximum_seconds = 0.1}).median;
}
