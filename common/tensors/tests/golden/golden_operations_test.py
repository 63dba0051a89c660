# SPDX-License-Identifier: MIT
"""The test of the reference cases of operations, layers and losses."""
import itertools

import _d2l
import torch
from cases import DEVICES, close, holds, is_assertion_of_gpu, is_close, name_of, read, refusal, run_case, sentence, tensor, tensor_of, test
from golden_test import SENTENCES_NOT_OURS


def tolerance(dtype):
    return {"rtol": 1e-12, "atol": 1e-12} if dtype == "float64" else {}


def expect(tally, x, expected, device, about):
    tally.equal((list(x.shape), name_of(x.dtype)), (expected["shape"], expected["dtype"]), about)
    tally.check(_d2l.owner(x) == torch.device(device), about, f"it is not on {device}")
    tally.check(close(x, expected["values"], **tolerance(expected["dtype"])), about,
                f"gave {x}\n instead of {expected['values']}")


def differentiate(output):
    """backward() of the sum of the elements × (1, 2, 3, …) ÷ their number."""
    count = output.numel()
    weights = [(i + 1) / count for i in range(count)]
    output.backward(tensor(weights, list(output.shape), name_of(output.dtype), str(output.device)))


def reason_to_pass_over(case, device):
    error = case.get("error", "")
    # A kernel of a GPU cannot refuse a divisor: the quotient and the rest are 0 there.
    if device != "cpu" and error.endswith("ZeroDivisionError"):
        return "a division by 0 on a GPU"
    if device != "cpu" and is_assertion_of_gpu(error):
        return "an assertion of a GPU"
    return next((text for text in SENTENCES_NOT_OURS if text in error), None)


def optimise(tally, case, device):
    """The steps of an optimiser, with the learning rates that a schedule gives it."""
    about = f"{case['expr']} with {case['scheduler']} on {device}"
    parameter = tensor_of(case["start"], device)
    parameter.requires_grad = True

    def judge(value):
        optimizer, schedule = value
        for i, gradient in enumerate(case["gradients"]):
            rate = optimizer.param_groups[0]["lr"]
            tally.check(is_close(rate, case["learning_rates"][i], 1e-12, 0), about, f"step {i} has the rate {rate}")
            parameter.grad = tensor_of(gradient, device)
            optimizer.step()
            expect(tally, parameter.detach(), case["after"][i], device, f"{about}: after step {i}")
            if schedule is not None:
                schedule.step()

    run_case(tally, about, {"ok": True}, f"o = {case['expr']}\no, {case['scheduler']}", device, judge,
             lambda text: tally.check(False, about, text), {"p": [parameter]})


@test("GoldenOperations", "ArePyTorchs")
def operations(tally):
    for case, device in itertools.product(read("operations.json"), DEVICES):
        if "start" in case:
            optimise(tally, case, device)
            continue
        if reason := reason_to_pass_over(case, device):
            tally.passed_over[reason] += 1
            continue
        about = f"{case['expr']} of {case['inputs']} on {device}"
        inputs = {name: tensor_of(given, device) for name, given in case["inputs"].items()}
        for x in inputs.values():
            x.requires_grad = x.dtype.is_floating_point
        kind, _, text = case.get("error", "").partition(": ")
        gradients = case.get("grads", {})

        def judge(value):
            if "outputs" not in case:
                return tally.equal(value, case["value"], about)
            outputs = [value] if isinstance(value, torch.Tensor) else list(value)
            tally.equal(len(outputs), len(case["outputs"]), f"{about}: the count of outputs")
            for output, expected in zip(outputs, case["outputs"]):
                expect(tally, output, expected, device, about)
            if text:
                refused = refusal(differentiate, outputs[0])
                tally.check(holds(refused, sentence(text)), about, f"backward() gave {refused}\n instead of {text}")
            if not gradients:
                return None
            differentiate(outputs[0])
            for name, x in inputs.items():
                tally.equal(x.grad is not None, name in gradients, f"{about}: whether {name} has a gradient")
                if x.grad is not None and name in gradients:
                    expect(tally, x.grad, gradients[name], device, f"{about}: the gradient of {name}")
            return None

        def judge_error(found):
            refused = "outputs" not in case and text and holds(found, sentence(text))
            tally.check(refused, about, f"gave {found}\n instead of {text or case.get('outputs')}")

        outcome = {"ok": "outputs" in case or "value" in case, "error": text, "error_type": kind}
        run_case(tally, about, outcome, case["expr"], device, judge, judge_error, inputs)
    tally.report("operations.json", 656)
