#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""table.py GPU_BENCHMARKS.json [PYTORCH.json]: a Markdown table of times per call, with the ratio to PyTorch."""
import json
import sys


def ours(path):
    """The median seconds per call by name. Google Benchmark adds /real_time to a name."""
    with open(path) as file:
        runs = json.load(file)["benchmarks"]
    return {
        run["run_name"].removesuffix("/real_time"): 1 / run["items_per_second"]
        for run in runs
        if run.get("aggregate_name") == "median"
    }


def rate(name, seconds):
    """The rate: bytes or floating-point operations a second."""
    work, size = name.split("/")[0], int(name.split("/")[-1])
    amount, unit = {
        "add_bandwidth": (3 * 4 * size, "GB/s"),
        "sum": (4 * size, "GB/s"),
        "mm": (2 * size**3, "GFLOP/s"),
        "copy_from": (4 * size, "GB/s"),
        "load_file": (size, "GB/s"),
    }.get(work, (0, ""))
    return f"{amount / seconds / 1e9:.0f} {unit}" if amount else ""


times = ours(sys.argv[1])
beside = {}
if len(sys.argv) > 2:
    with open(sys.argv[2]) as file:
        beside = json.load(file)["seconds"]
print("| work | d2l, µs a call | | PyTorch, µs a call | d2l / PyTorch |")
print("| --- | ---: | ---: | ---: | ---: |")
for name, seconds in times.items():
    theirs = beside.get(name)
    columns = (f"{theirs * 1e6:.1f}", f"{seconds / theirs:.2f}") if theirs else ("", "")
    print(f"| {name} | {seconds * 1e6:.1f} | {rate(name, seconds)} | {columns[0]} | {columns[1]} |")
