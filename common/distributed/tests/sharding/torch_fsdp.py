# SPDX-License-Identifier: MIT
"""Writes the parameters of a perceptron that PyTorch's FSDP2 has trained on Gloo: torch_fsdp.py RANKS PORT FOLDER.
torch_fsdp_test.cpp has the same program in the names of d2l. Exits with 77 if PyTorch is not installed or has no FSDP2
on Gloo."""

import datetime
import os
import sys

try:
    import torch
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
except ImportError:
    print("PyTorch is not installed, or has no fully_shard")
    sys.exit(77)
if not dist.is_available() or not dist.is_gloo_available():
    print("this PyTorch has no gloo")
    sys.exit(77)


def program(rank, size, out):
    """Twenty steps of Adam in double precision; each rank has a part of eight examples."""
    net = torch.nn.Sequential(torch.nn.Linear(4, 7), torch.nn.ReLU(), torch.nn.Linear(7, 3)).double()
    with torch.no_grad():
        for seed, parameter in enumerate(net.parameters()):
            values = (torch.arange(parameter.numel(), dtype=torch.double) + 3 * (seed + 1)) % 5 - 2
            parameter.copy_((values / 4).view(parameter.shape))
    mesh = init_device_mesh("cpu", (size,))
    for layer in (net[0], net[2]):
        fully_shard(layer, mesh=mesh)
    fully_shard(net, mesh=mesh)
    rows = [list(parameter.to_local().shape) for parameter in net.parameters()]
    optimizer = torch.optim.Adam(net.parameters(), lr=1 / 64)
    count = 8 // size
    x = ((torch.arange(32, dtype=torch.double) % 7) - 3).view(8, 4)[rank * count:(rank + 1) * count]
    y = (torch.arange(24, dtype=torch.double) % 3).view(8, 3)[rank * count:(rank + 1) * count]
    for _ in range(20):
        error = net(x) - y
        optimizer.zero_grad()
        ((error * error).sum() * 0.5 / count).backward()
        optimizer.step()
    for parameter, shape in zip(net.parameters(), rows):
        full = parameter.full_tensor()
        out.write("rows" + "".join(f" {n}" for n in shape) + "\n")
        out.write("values" + "".join(f" {v:.17g}" for v in full.flatten().tolist()) + "\n")


def main():
    size, port, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    children = []
    for rank in range(size):
        child = os.fork()
        if child:
            children.append(child)
            continue
        code = 1
        try:
            os.environ.update(RANK=str(rank), WORLD_SIZE=str(size), MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
            dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=120))
            with open(f"{folder}/torch {rank}", "w", encoding="utf-8") as out:
                program(rank, size, out)
            dist.destroy_process_group()
            code = 0
        finally:
            os._exit(code)
    sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))


main()
