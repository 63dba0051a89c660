# SPDX-License-Identifier: MIT
"""The test of the reference cases of float16 and bfloat16, which make_sixteen_bits.py writes."""
import itertools
import math
import struct

import _d2l
import torch
from cases import DEVICES, close, holds, name_of, read, run_case, test
from sixteen_bits_cases import DTYPES, MOST, WITH_GRADIENTS, inputs


def of_bits(word, dtype):
    if dtype == "float16":
        return struct.unpack("e", struct.pack("H", word))[0]
    return struct.unpack("f", struct.pack("I", word << 16))[0]


def order(value, dtype):
    """The number of a finite or infinite value among all of its dtype, in ascending order: neighbours differ by 1."""
    if dtype == "float16":
        packed = struct.unpack("H", struct.pack("e", value))[0]
    else:
        packed = struct.unpack("I", struct.pack("f", value))[0] >> 16
    return -(packed & 0x7FFF) if packed >> 15 else packed


def distance(value, bits, dtype):
    """How many units in the last place a value is from the bits."""
    expected = of_bits(bits, dtype)
    if math.isnan(value) or math.isnan(expected):
        return 0 if math.isnan(value) and math.isnan(expected) else math.inf
    return abs(order(value, dtype) - order(expected, dtype))


def samples(x):
    values = x.detach().double().reshape(-1)._to_reals()
    return values[::-(-len(values) // MOST) or 1]


def expect_bits(tally, x, bits, dtype, most, about):
    values = samples(x)
    words = [int(bits[i:i + 4], 16) for i in range(0, len(bits), 4)]
    far = [(value, of_bits(word, dtype), units) for value, word in zip(values, words)
           if (units := distance(value, word, dtype)) > most]
    tally.check(len(values) == len(words) and not far, about,
                "".join(f"gave {value} instead of {expected}, {units} units away\n " for value, expected, units in far))


def expect_gradient(tally, x, bits, dtype, about):
    """PyTorch rounds the steps on the way to a gradient: near, as its largest element is."""
    values, expected = samples(x), [of_bits(int(bits[i:i + 4], 16), dtype) for i in range(0, len(bits), 4)]
    largest = max((abs(v) for v in expected if math.isfinite(v)), default=0)
    tally.check(close(values, expected, 0, largest * (2 ** -8 if dtype == "float16" else 2 ** -5)), about,
                f"gave {values}\n instead of {expected}")


def expect(tally, x, expected, about):
    if "value" in expected:
        value = x if isinstance(x, (bool, int, str)) else repr(x)
        return tally.equal(value, expected["value"], about)
    tally.equal((list(x.shape), name_of(x.dtype)), (expected["shape"], expected["dtype"]), about)
    if "bits" in expected:
        return expect_bits(tally, x, expected["bits"], expected["dtype"], 1, about)
    return tally.check(close(samples(x), expected["values"]), about, f"gave {samples(x)}\n instead of {expected['values']}")


@test("GoldenSixteenBits", "ArePyTorchsToOneUnit")
def sixteen_bits(tally):
    for (expression, *cases), device in itertools.product(read("sixteen_bits.json"), DEVICES):
        for dtype, case in zip(DTYPES, cases):
            about = f"{expression} of {dtype} on {device}"
            names = inputs(torch, dtype, device, _d2l.from_reals)
            leaves = {name: x for name, x in names.items() if isinstance(x, torch.Tensor) and x.dtype.is_floating_point}
            for x in leaves.values():
                x.requires_grad = expression in WITH_GRADIENTS
            text = case.get("error", "")

            def judge(result):
                outputs = list(result) if isinstance(result, tuple) else [result]
                for x, expected in zip(outputs, case["outputs"]):
                    expect(tally, x, expected, about)
                if "grads" not in case:
                    return
                outputs[0].sum().backward()
                for name, bits in case["grads"].items():
                    tally.check(leaves[name].grad is not None, about, f"{name} has no gradient")
                    if leaves[name].grad is not None:
                        tally.equal(name_of(leaves[name].grad.dtype), dtype, f"{about}: the gradient of {name}")
                        expect_gradient(tally, leaves[name].grad, bits, dtype, f"{about}: the gradient of {name}")

            def judge_error(found):
                tally.check(bool(text) and holds(found, text), about, f"gave {found}\n instead of {text or case['outputs']}")

            outcome = {"ok": not text, "error": text, "error_type": ""}
            run_case(tally, about, outcome, expression, device, judge, judge_error, names)
    tally.report("sixteen_bits.json", 2116)
