# SPDX-License-Identifier: MIT
"""Writes sixteen_bits.json with PyTorch: python make_sixteen_bits.py, where `import torch` finds PyTorch itself.

A case is [expression, case of float16, case of bfloat16]. A result is {"dtype", "shape", "bits"}: four hexadecimal digits
for each element of 16 bits, or "values" of other dtypes, of every nth element if there are many; {"value"} if it is no
tensor; {"error"} if PyTorch refuses. "grads" are the gradients of the sum of the first result, as bits.
"""
import json
import math
import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
sys.path = [path for path in sys.path if os.path.abspath(path) != folder]  # not the module torch of this folder
import torch  # noqa: E402

sys.path.append(folder)
from sixteen_bits_cases import DTYPES, EXPRESSIONS, MOST, WITH_GRADIENTS, inputs  # noqa: E402


def samples(x):
    """Every nth element, at most 24."""
    flat = x.detach().contiguous().reshape(-1)
    return flat[::-(-flat.numel() // MOST) or 1]


def bits(x):
    words = samples(x).view(torch.int16).tolist()
    return "".join(f"{word & 0xFFFF:04x}" for word in words)


def described(x):
    if not isinstance(x, torch.Tensor):
        return {"value": x if isinstance(x, (bool, int, str)) else repr(x)}
    small = x.dtype in (torch.float16, torch.bfloat16)
    facts = {"dtype": str(x.dtype)[6:], "shape": list(x.shape)}
    if small:
        return facts | {"bits": bits(x)}
    if x.is_floating_point():
        return facts | {"values": [float(f"{v:.9g}") for v in samples(x).tolist()]}
    return facts | {"values": [int(v) for v in samples(x).tolist()]}


def run(expression, dtype):
    names = inputs(torch, dtype, "cpu", lambda values: torch.tensor(values, dtype=torch.float64))
    leaves = {name: x for name, x in names.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    for x in leaves.values():
        x.requires_grad = expression in WITH_GRADIENTS
    scope = names | {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "math": math}
    torch.manual_seed(0)
    try:
        result = eval(expression, scope)
        outputs = list(result) if isinstance(result, tuple) else [result]
        case = {"outputs": [described(x) for x in outputs]}
    except Exception as error:
        return {"error": str(error).splitlines()[0]}
    first = outputs[0]
    if isinstance(first, torch.Tensor) and first.requires_grad and first.grad_fn is not None:
        first.sum().backward()
        case["grads"] = {name: bits(x.grad) for name, x in leaves.items() if x.grad is not None and name != "f"}
    return case


torch.set_num_threads(1)
cases = [[expression] + [run(expression, dtype) for dtype in DTYPES] for expression in EXPRESSIONS]
with open(os.path.join(folder, "sixteen_bits.json"), "w", encoding="utf-8") as file:
    file.write("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]\n")
print(f"{len(cases)} cases by PyTorch {torch.__version__}")
