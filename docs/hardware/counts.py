#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""counts.py [CARD.csv]: a Markdown table of the memory requests of ten kernels, as the emulator counts them and as a
card's counters do, which Nsight Compute (ncu) reads. With CARD.csv, what ncu wrote before. Exits with 1 if they differ,
2 if there is no ncu or no GPU."""
import csv
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "common/emulator/tests/programs/language/counted.cu"
INCLUDE = PROGRAM.parents[1]
# Each of our columns is the sum of these counters.
COUNTERS = {
    "requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    "sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "shared": ["smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum"],
    "passes": ["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"],
}


def emulated():
    """The columns of each kernel, from the report of ./learn cuda."""
    environment = os.environ | {"D2L_VIRTUAL_GPUS": "1@host"}
    run = subprocess.run(
        [ROOT / "learn", "cuda", PROGRAM, "-I", INCLUDE, "--report"], env=environment, capture_output=True, text=True
    )
    kernels, name = {}, None
    for line in (run.stdout + run.stderr).splitlines():
        if match := re.match(r"(\w+), grid ", line):
            name = match[1]
        elif line.split()[:1] == ["all"] and name:
            _, requests, sectors, _, _, _, shared, each, _ = line.split()
            kernels[name] = {
                "requests": int(requests),
                "sectors": int(sectors),
                "shared": int(shared),
                "passes": round(int(shared) * float(each)),
            }
    if run.returncode != 0 or len(kernels) != 10:
        sys.exit(f"./learn cuda did not report ten kernels:\n{run.stdout}{run.stderr}")
    return kernels


def of_card(text):
    """The columns of each kernel, from the output of ncu --csv."""
    values = {}
    lines = [line for line in text.splitlines() if line.startswith('"')]
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        kernel = values.setdefault(row["Kernel Name"].split("(")[0].strip(), {})
        kernel[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    return {
        kernel: {column: round(sum(counted[one] for one in names)) for column, names in COUNTERS.items()}
        for kernel, counted in values.items()
    }


def measure():
    ncu, nvcc = shutil.which("ncu"), shutil.which("nvcc")
    if not ncu or not nvcc:
        print("ncu and nvcc are needed, with a GPU", file=sys.stderr)
        sys.exit(2)
    binary = ROOT / "build/counted"
    subprocess.run([nvcc, "-std=c++20", "-O2", "-arch=native", "-I", INCLUDE, PROGRAM, "-o", binary], check=True)
    metrics = ",".join(one for names in COUNTERS.values() for one in names)
    run = subprocess.run([ncu, "--csv", "--metrics", metrics, binary], capture_output=True, text=True)
    if run.returncode != 0:
        print(run.stdout + run.stderr, file=sys.stderr)
        sys.exit(2)
    return run.stdout


card = of_card(Path(sys.argv[1]).read_text() if len(sys.argv) > 1 else measure())
ours = emulated()
print("| kernel | " + " | ".join(f"{column} | on the card" for column in COUNTERS) + " |")
print("| --- |" + " ---: |" * (2 * len(COUNTERS)))
for name, counts in ours.items():
    cells = " | ".join(f"{counts[column]} | {card.get(name, {}).get(column, 'missing')}" for column in COUNTERS)
    print(f"| {name} | {cells} |")
sys.exit(0 if ours == card else 1)
