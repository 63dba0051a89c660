# SPDX-License-Identifier: MIT
# Nanoseconds that Python's PyTorch takes to print a 2×3 tensor: the median of nine rounds.
import statistics
import time

import torch

x = torch.ones(2, 3)
rounds = []
for _ in range(9):
    start = time.perf_counter_ns()
    for _ in range(200):
        repr(x)
    rounds.append((time.perf_counter_ns() - start) / 200)
print(statistics.median(rounds))
