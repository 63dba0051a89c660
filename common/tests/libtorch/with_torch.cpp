// SPDX-License-Identifier: MIT
// The shared programs with LibTorch.
#include <torch/torch.h>

namespace t = torch;

#include "print_values.h"

int main() { return print_values(); }
