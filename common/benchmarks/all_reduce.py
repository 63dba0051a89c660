# SPDX-License-Identifier: MIT
# Milliseconds of an all-reduce of 10^6 floats by PyTorch's gloo between the processes that started this program, as
# `distributed_benchmark gloo` measures it.
import statistics
import time

import torch
import torch.distributed as dist

torch.set_num_threads(1)
dist.init_process_group("gloo")
x = torch.ones(1_000_000)


def median_of(runs, work):
    work()
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def all_reduce():
    dist.barrier()
    dist.all_reduce(x, dist.ReduceOp.MAX)


both = median_of(100, all_reduce)
barrier = median_of(100, dist.barrier)
if dist.get_rank() == 0:
    print(f"{dist.get_world_size()} processes, PyTorch {torch.__version__}: all_reduce {both:.3f}, of it barrier {barrier:.3f}")
dist.destroy_process_group()
