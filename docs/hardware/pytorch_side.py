#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The works of common/benchmarks/gpu_benchmarks.cpp, done by PyTorch: prints JSON, seconds per call by name."""
import json
import statistics
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("no PyTorch here")
if not torch.cuda.is_available():
    sys.exit("this PyTorch sees no GPU")

torch.backends.cuda.matmul.allow_tf32 = False
gpu = torch.device("cuda:0")


def seconds_per_call(work, calls):
    """The median over rounds of `calls` calls and one wait."""
    rounds = []
    for i in range(23):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        torch.cuda.synchronize()
        if i >= 3:  # the first ones take memory and load kernels
            rounds.append((time.perf_counter() - begin) / calls)
    return statistics.median(rounds)


a, b = torch.rand(100_000_000, device=gpu), torch.rand(100_000_000, device=gpu)
square = torch.rand(4096, 4096, device=gpu)
small = torch.ones(2, 3, device=gpu)
pageable = torch.rand(1 << 26)
pinned = pageable.pin_memory()
there = torch.empty(1 << 26, device=gpu)

times = {
    "add_bandwidth/100000000": seconds_per_call(lambda: a + b, 10),
    "sum/100000000": seconds_per_call(lambda: torch.sum(a), 10),
    "mm/4096": seconds_per_call(lambda: torch.mm(square, square), 10),
    "launch_overhead/6": seconds_per_call(lambda: small + small, 1000),
    "copy_from/pinned/67108864": seconds_per_call(lambda: there.copy_(pinned, non_blocking=True), 1),
    "copy_from/pageable/67108864": seconds_per_call(lambda: there.copy_(pageable), 1),
}
print(json.dumps({"version": torch.__version__, "seconds": times}, indent=1))
