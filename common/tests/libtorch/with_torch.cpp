// SPDX-License-Identifier: MIT
// The shared programs with LibTorch.
#include <torch/types.h>

namespace t = torch;

#include "print_values.h"

int main() { return print_values(); }
