#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The operations of common/benchmarks/gpu_benchmarks.cpp in PyTorch. Prints JSON: seconds per call by name."""
import json
import os
import statistics
import sys
import tempfile
import time

try:
    import torch
except ImportError:
    sys.exit("PyTorch is not installed")
if not torch.cuda.is_available():
    sys.exit("this PyTorch sees no GPU")

torch.backends.cuda.matmul.allow_tf32 = False
gpu = torch.device("cuda:0")


def seconds_per_call(work, calls):
    """The median over rounds of `calls` calls and one synchronisation."""
    rounds = []
    for i in range(23):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        torch.cuda.synchronize()
        if i >= 3:  # the first rounds allocate memory and load kernels
            rounds.append((time.perf_counter() - begin) / calls)
    return statistics.median(rounds)


a, b = torch.rand(100_000_000, device=gpu), torch.rand(100_000_000, device=gpu)
square = torch.rand(4096, 4096, device=gpu)
small = torch.ones(2, 3, device=gpu)
pageable = torch.rand(1 << 26)
pinned = pageable.pin_memory()
there = torch.empty(1 << 26, device=gpu)


def training_step(net, X, loss_of):
    """Forward, loss, backward, SGD. The loss stays on the GPU."""
    net = net.to(gpu)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss_of(net(X)).backward()
        optimizer.step()

    return step


target = torch.rand(32, 1, device=gpu)
linear_step = training_step(
    torch.nn.Linear(3, 1),
    torch.rand(32, 3, device=gpu),
    lambda prediction: torch.nn.functional.mse_loss(prediction, target),
)
classes = (torch.rand(256, device=gpu) * 10).long()
mlp_step = training_step(
    torch.nn.Sequential(torch.nn.Linear(784, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10)),
    torch.rand(256, 784, device=gpu),
    lambda scores: torch.nn.functional.cross_entropy(scores, classes),
)

folder = tempfile.mkdtemp()
path = os.path.join(folder, "parameters")
parameters = {f"layer{i}.weight": torch.rand((1 << 28) // 64 // 4) for i in range(64)}
try:
    from safetensors.torch import load_file, save_file

    save_file(parameters, path)
    load = lambda: load_file(path, device="cuda:0")
except ImportError:  # use PyTorch's own format
    torch.save(parameters, path)
    load = lambda: torch.load(path, map_location=gpu)

times = {
    "add_bandwidth/100000000": seconds_per_call(lambda: a + b, 10),
    "sum/100000000": seconds_per_call(lambda: torch.sum(a), 10),
    "mm/4096": seconds_per_call(lambda: torch.mm(square, square), 10),
    "launch_overhead/6": seconds_per_call(lambda: small + small, 1000),
    "copy_from/pinned/67108864": seconds_per_call(lambda: there.copy_(pinned, non_blocking=True), 1),
    "copy_from/pageable/67108864": seconds_per_call(lambda: there.copy_(pageable), 1),
    "linear_step/32": seconds_per_call(linear_step, 100),
    "mlp_step/256": seconds_per_call(mlp_step, 100),
    "load_file/268435456": seconds_per_call(load, 1),
}
os.remove(path)
os.rmdir(folder)
print(json.dumps({"version": torch.__version__, "seconds": times}, indent=1))
