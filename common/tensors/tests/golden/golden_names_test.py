# SPDX-License-Identifier: MIT
"""The test of the reference cases that make_names.py writes: indices, einsum, windows, recurrent layers, attention."""
import itertools

import _d2l
import torch
from cases import DEVICES, close, holds, is_assertion_of_gpu, is_close, name_of, read, run_case, sentence, tensor, test

TOLERANCE = {"rtol": 1e-7, "atol": 1e-9}  # the files have eight digits
# The host reads no probabilities of a GPU, and PyTorch says it by an assertion that it is sorry for.
NOT_ON_GPU = "Expected p_in >= 0", "all elements of std >= 0.0"
# A part of a sentence of PyTorch that ours has too, before words that differ.
PARTS = ["Need attn_mask if specifying the is_causal hint.", "Expected p_in >= 0 && p_in <= 1 to be true, but got false."]


def numbers(shape, start):
    count = torch.Size(shape).numel()
    return [((k * 29 + start * 13 + 7) % 83 - 41) / 40 for k in range(count)]


def made(given, device):
    values = [float(v) for v in numbers(given["shape"], given["start"])] if "start" in given else given["values"]
    x = tensor(values, given["shape"], given["dtype"], device)
    return x.requires_grad_() if x.dtype.is_floating_point else x


def fill(module):
    """The parameters that make_names.py gave the module."""
    with torch.no_grad():
        for i, (_, parameter) in enumerate(module.named_parameters()):
            count = parameter.numel()
            values = [((k * 37 + i * 11) % 101 - 50) / 100 for k in range(count)]
            parameter.copy_(tensor(values, list(parameter.shape), name_of(parameter.dtype), str(parameter.device)))
    return module


def digest(x):
    return sum(v * (k % 7 + 1) for k, v in enumerate(x._to_reals()))


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [x for part in value for x in tensors_in(part)] if isinstance(value, (tuple, list)) else []


def expect(tally, x, expected, about):
    found = name_of(x.dtype), list(x.shape)
    tally.equal(found, (expected["dtype"], expected["shape"]), about)
    tally.check(close(x, expected["values"], **TOLERANCE), about, f"gave {x}\n instead of {expected['values']}")


def differentiate(outputs):
    for x in outputs:
        if x.requires_grad:
            count = x.numel()
            weights = [(i + 1) / count for i in range(count)]
            _d2l.backward([x], [tensor(weights, list(x.shape), name_of(x.dtype), str(x.device))], True)


def run(tally, file, count):
    for case, device in itertools.product(read(file), DEVICES):
        about = f"{case['expr']} on {device}"
        inputs = {name: made(given, device) for name, given in case["inputs"].items()}
        kind, _, text = case.get("error", "").partition(": ")
        text = next((part for part in PARTS if text.startswith(part)), text)
        if device != "cpu" and (is_assertion_of_gpu(case.get("error", "")) or any(part in text for part in NOT_ON_GPU)):
            tally.passed_over["an assertion of a GPU"] += 1
            continue
        names = dict(inputs)
        modules = []

        def filled(module):
            modules.append(fill(module))
            return module

        def judge(value):
            if "value" in case:
                return tally.equal(value, case["value"], about)
            outputs = tensors_in(value)
            tally.equal(len(outputs), len(case["outputs"]), f"{about}: the count of outputs")
            for x, expected in zip(outputs, case["outputs"]):
                expect(tally, x, expected, about)
            differentiate(outputs)
            for name, x in inputs.items():
                expected = case["grads"].get(name)
                tally.equal(x.grad is not None, expected is not None, f"{about}: whether {name} has a gradient")
                if x.grad is not None and expected is not None:
                    expect(tally, x.grad, expected, f"{about}: the gradient of {name}")
            for module, digests in zip(modules, [case["parameters"]] if "parameters" in case else []):
                for (name, parameter), expected in zip(module.named_parameters(), digests):
                    found = None if parameter.grad is None else digest(parameter.grad)
                    same = found is expected if None in (found, expected) else is_close(found, expected, 1e-7, 1e-7)
                    tally.check(same, f"{about}: the gradient of {name}", f"gave {found}\n instead of {expected}")
            return None

        def judge_error(found):
            tally.check("error" in case and holds(found, sentence(text)), about,
                        f"gave {found}\n instead of {text or case.get('outputs')}")

        outcome = {"ok": "error" not in case, "error": text, "error_type": kind}
        run_case(tally, about, outcome, case["expr"], device, judge, judge_error, names | {"fill": filled, "str": str, "list": list})
    tally.report(file, count)


@test("GoldenNames", "IndicesArePyTorchs")
def indices(tally):
    run(tally, "indices.json", 105)


@test("GoldenNames", "ArePyTorchs")
def names(tally):
    run(tally, "names.json", 268)


@test("GoldenNames", "RecurrentLayersArePyTorchs")
def recurrent(tally):
    run(tally, "recurrent.json", 190)


@test("GoldenNames", "AttentionIsPyTorchs")
def attention(tally):
    run(tally, "attention.json", 124)
