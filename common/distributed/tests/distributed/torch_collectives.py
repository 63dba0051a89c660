# SPDX-License-Identifier: MIT
"""Writes what PyTorch's collectives give: torch_collectives.py RANKS PORT FOLDER. torch_comparison_test.cpp has the same
program in the names of d2l. Exits with 77 if PyTorch is not installed or has no gloo."""

import datetime
import os
import sys

try:
    import torch
    import torch.distributed as dist
except ImportError:
    print("PyTorch is not installed")
    sys.exit(77)
if not dist.is_available() or not dist.is_gloo_available():
    print("this PyTorch has no gloo")
    sys.exit(77)

OPS = {"SUM": dist.ReduceOp.SUM, "PRODUCT": dist.ReduceOp.PRODUCT, "MIN": dist.ReduceOp.MIN, "MAX": dist.ReduceOp.MAX}
DTYPES = {"Byte": torch.uint8, "Int": torch.int32, "Long": torch.int64, "Float": torch.float32, "Double": torch.float64}


def tensor_of(rank, length, dtype, salt):
    """Small numbers, whose sums and products are exact."""
    numbers = [(rank * 7 + i * 3 + salt) % 5 for i in range(length)]
    if dtype == torch.uint8:
        return torch.tensor([number % 2 + 1 for number in numbers], dtype=dtype)
    return torch.tensor([number - 2 + (0.5 if dtype.is_floating_point else 0) for number in numbers]).to(dtype)


def program(rank, size, out):
    def write(what, *tensors):
        for tensor in tensors:
            out.write(what + ":" + "".join(f" {float(x):g}" for x in tensor.flatten().tolist()) + "\n")

    for name, dtype in DTYPES.items():
        for length in (1, 7, 1000):
            what = f"{name} {length}"

            def own(salt=0):
                return tensor_of(rank, length, dtype, salt)

            def lists():
                return [torch.zeros(length, dtype=dtype) for _ in range(size)]

            for op_name, op in OPS.items():
                x = own()
                dist.all_reduce(x, op)
                write(f"all_reduce {op_name} {what}", x)
                x = own()
                dist.reduce(x, size - 1, op)
                if rank == size - 1:
                    write(f"reduce {op_name} {what}", x)
            x = own()
            dist.broadcast(x, 1)
            write(f"broadcast {what}", x)
            outputs = lists()
            dist.all_gather(outputs, own())
            write(f"all_gather {what}", *outputs)
            outputs = lists() if rank == 1 else None
            dist.gather(own(), outputs, 1)
            if rank == 1:
                write(f"gather {what}", *outputs)
            x = torch.zeros(length, dtype=dtype)
            dist.scatter(x, [own(r) for r in range(size)] if rank == 1 else None, 1)
            write(f"scatter {what}", x)
            x = torch.zeros(length, dtype=dtype)
            request = dist.irecv(x, (rank + size - 1) % size, tag=3)
            dist.send(own(), (rank + 1) % size, tag=3)
            request.wait()
            write(f"recv {what}", x)
    half = torch.arange(20.0)[::2] if rank == 0 else torch.arange(10.0) * rank
    half = half.contiguous()  # gloo of PyTorch takes no views
    dist.all_reduce(half)
    write("all_reduce of a view", half)
    group = dist.new_group([0, size - 1])
    if rank in (0, size - 1):
        x = torch.tensor([rank + 1.0])
        dist.all_reduce(x, group=group)
        write("all_reduce in a group", x)
        write("ranks", torch.tensor([dist.get_rank(group), dist.get_world_size(group)]))
    work = dist.all_reduce(ones := torch.ones(5), async_op=True)
    work.wait()
    write("all_reduce later", ones)
    dist.barrier()


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
            dist.init_process_group("gloo", f"tcp://127.0.0.1:{port}", rank=rank, world_size=size,
                                    timeout=datetime.timedelta(seconds=60))
            with open(f"{folder}/torch {rank}", "w", encoding="utf-8") as out:
                program(rank, size, out)
            dist.destroy_process_group()
            code = 0
        finally:
            os._exit(code)
    sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))


main()
