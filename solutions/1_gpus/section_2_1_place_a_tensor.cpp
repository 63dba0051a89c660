// SPDX-License-Identifier: MIT
// Use the options of a new tensor: they set dtype and device at once. The values are
// stored directly in their final dtype and in the memory where they stay, so nothing is
// rounded twice and no unnecessary bytes are copied. The function checks that the
// device exists before it uses it, instead of catching an exception. try_gpu() does
// that for GPUs, so the same program runs on every computer. The CPU always exists.
#include "exercise.h"

using namespace d2l;

Tensor place(const std::vector<double>& values, ScalarType dtype, Device wanted) {
  const Device device = wanted.is_cpu() ? wanted : try_gpu(wanted.index());
  return tensor(values, TensorOptions(dtype).device(device));
}
