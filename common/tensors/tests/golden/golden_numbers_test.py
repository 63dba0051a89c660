# SPDX-License-Identifier: MIT
"""The tests of the reference cases of dtypes, casts and training."""
import itertools
import math
import operator

import _d2l
import torch
from cases import (DEVICES, DTYPES, EVERY_DEVICE, Tally, close, name_of, read, run_case, same_values, sentence, tensor,
                   tensor_of, test)

nn = torch.nn
OPERATORS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
             "pow": operator.pow, "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
             "gt": operator.gt, "ge": operator.ge, "floordiv": operator.floordiv, "mod": operator.mod}
UNARY = {"neg": operator.neg, "matmul": lambda x: x.matmul(x), "sum_dim0": lambda x: x.sum(0),
         "mean_dim0": lambda x: x.mean(0), "softmax": lambda x: x.softmax(-1),
         "arange": lambda x: torch.arange(3, dtype=x.dtype, device=x.device)}
UNARY |= {name: getattr(torch, name) for name in ("sum", "mean", "max", "min", "exp", "log", "sqrt", "abs", "relu",
                                                  "sigmoid", "tanh", "argmax", "norm", "round", "prod", "all", "any",
                                                  "std", "var")}
UNARY |= {"cumsum": lambda x: x.cumsum(0), "dot": lambda x: x[0].dot(x[0])}
NOT_SUPPORTED = {"where_scalar", "cumprod"}


def known(tally, name, table):
    if name not in table:
        tally.check(name in NOT_SUPPORTED, name, "is neither supported nor listed")
        tally.passed_over[name] += 1
    return name in table


def expect_outcome(tally, expected, about, function, *arguments):
    """The name of the dtype of what the function gives, or an error with PyTorch's sentence."""
    try:
        outcome = name_of(function(*arguments).dtype)
    except _d2l.Error as error:
        outcome = f"ERR {error}"
    if expected.startswith("ERR "):
        wanted = sentence(expected.split(": ", 1)[1])
        tally.check(outcome.startswith("ERR ") and wanted in outcome, about, f"gave {outcome}\n instead of {wanted}")
    else:
        tally.equal(outcome, expected, about)
    tally.ran += 1


def ones(dims, dtype, device):
    return torch.ones([1] * dims, dtype=getattr(torch, dtype), device=device)


@test("GoldenPromotion", "OfTensors")
def promotion_of_tensors(tally):
    file = read("promotion.json")
    for table, dims_a, dims_b in (("tensor_tensor", 1, 1), ("tensor1d_tensor0d", 1, 0), ("tensor0d_tensor1d", 0, 1),
                                  ("tensor0d_tensor0d", 0, 0)):
        for name, rows in file[table].items():
            if not known(tally, name, OPERATORS):
                continue
            for device, (i, a), (j, b) in itertools.product(DEVICES, *[list(enumerate(file["dtypes"]))] * 2):
                expect_outcome(tally, rows[i][j], f"{table} {name} {a} {b} {device}", OPERATORS[name],
                               ones(dims_a, a, device), ones(dims_b, b, device))
    tally.report("promotion.json, tensors", 3744)


@test("GoldenPromotion", "OfTensorsAndNumbers")
def promotion_of_numbers(tally):
    file = read("promotion.json")
    for table, dims in (("tensor_pyscalar", 1), ("pyscalar_tensor", 1), ("tensor0d_pyscalar", 0)):
        for name, kinds in file[table].items():
            if not known(tally, name, OPERATORS):
                continue
            for (kind, row), device in itertools.product(kinds.items(), DEVICES):
                number = {"bool": True, "int": 1, "float": 1.0}[kind]
                for dtype, expected in zip(file["dtypes"], row):
                    x = ones(dims, dtype, device)
                    operands = (number, x) if table == "pyscalar_tensor" else (x, number)
                    expect_outcome(tally, expected, f"{table} {name} {dtype} {kind} {device}", OPERATORS[name],
                                   *operands)
    tally.report("promotion.json, numbers", 1404)


@test("GoldenPromotion", "ResultType")
def result_type(tally):
    file = read("promotion.json")
    for (i, a), (j, b) in itertools.product(enumerate(file["dtypes"]), repeat=2):
        promoted = _d2l.promote_types(getattr(torch, a), getattr(torch, b))
        result = _d2l.result_type(ones(1, a, "cpu"), ones(1, b, "cpu"))
        tally.equal([name_of(promoted), name_of(result)], [file["result_type"][i][j]] * 2, f"{a} and {b}")


@test("GoldenPromotion", "OfUnaryOperations")
def promotion_of_unary(tally):
    file = read("promotion.json")
    for name, row in file["unary"].items():
        if not known(tally, name, UNARY):
            continue
        for device, (dtype, expected) in itertools.product(DEVICES, list(zip(file["dtypes"], row))):
            x = ones(2, dtype, device).expand(2, 2)
            expect_outcome(tally, expected, f"{name} {dtype} {device}", UNARY[name], x)
    tally.report("promotion.json, unary", 252)


@test("GoldenPromotion", "InPlaceKeepsTheDtypeOrRefuses")
def promotion_in_place(tally):
    file = read("promotion.json")
    for device, (i, a), (j, b) in itertools.product(DEVICES, *[list(enumerate(file["dtypes"]))] * 2):
        x, y = ones(1, a, device), ones(1, b, device)
        for name in "add", "div":
            expect_outcome(tally, file[f"inplace_{name}_tensor"][i][j], f"{name}_ {a} {b} {device}",
                           getattr(x, name + "_"), y)


@test("GoldenPromotion", "OfLiterals")
def literals(tally):
    for device, case in itertools.product(DEVICES, read("promotion.json")["literals"]):
        about = f"{case['code']} on {device}"
        run_case(tally, about, case, case["code"], device,
                 lambda value: tally.equal(repr(value), case["result"], about),
                 lambda text: tally.check(not case["ok"], about, text))
    tally.report("promotion.json, literals", 48)


def run_value_cases(tally, cases):
    """Cases of an operation, two operands, and the output or the error."""
    for device, case in itertools.product(DEVICES, cases):
        if not known(tally, case["op"], OPERATORS):
            continue
        about = f"{case} on {device}"
        operands = tensor_of(case["a"], device), tensor_of(case["b"], device)
        if "out" not in case:
            expect_outcome(tally, "ERR " + case["error"], about, OPERATORS[case["op"]], *operands)
            continue
        out, expected = OPERATORS[case["op"]](*operands), case["out"]
        tally.equal((str(out.device), name_of(out.dtype)), (device, expected.get("dtype", "float32")), about)
        tally.equal(list(out.shape), expected.get("shape", [len(expected["values"])]), about)
        tally.check(same_values(out, expected["values"]), about, f"gave {out}")
        if device == "cpu" and "str" in expected:
            tally.equal(repr(out), expected["str"], about)
        tally.ran += 1


@test("GoldenPromotion", "ValuesOfMixedOperations")
def mixed_values(tally):
    run_value_cases(tally, read("promotion.json")["value_cases"])
    tally.report("promotion.json, values", 432)


@test("GoldenBroadcast", "GivesPyTorchsValues")
def broadcast_values(tally):
    run_value_cases(tally, read("broadcast_values.json"))
    tally.report("broadcast_values.json", 24)


def defined_cast(x, dtype):
    """Whether C++ defines the conversion: PyTorch's own is undefined for a float beyond the integers."""
    bounds = {"uint8": (0, 2**8), "int32": (-2**31, 2**31), "int64": (-2**63, 2**63)}
    if not x.dtype.is_floating_point or dtype not in bounds:
        return True
    low, high = bounds[dtype]
    return all(low - 1 < value < high for value in x._to_reals())


@test("GoldenCasts", "AreExact")
def casts(tally):
    for device, case in itertools.product(DEVICES, read("casts.json")):
        if unknown := {case["src"], case["dst"]} - set(DTYPES):
            tally.passed_over.update(unknown)
            continue
        x = tensor(case["values"], None, case["src"], device)
        if not defined_cast(x, case["dst"]):
            tally.passed_over["a float beyond the integers"] += 1
            continue
        cast = x.to(getattr(torch, case["dst"]))
        about = f"{case} on {device}"
        tally.equal(name_of(cast.dtype), case["dst"], about)
        tally.check(same_values(cast, case["out"]), about, f"gave {cast}")
        tally.ran += 1
    tally.report("casts.json", 16)


# --- Training


TRAINING = {"rtol": 5e-5, "atol": 1e-6}


def follow(tally, trace, device):
    """The run that a trace was taken of."""
    about = f"{trace['name']} on {device}"
    inputs, targets = tensor_of(trace["X"], device), tensor_of(trace["y"], device)
    net = nn.Linear(inputs.size(1), targets.size(1), device=device)
    loss_of = nn.MSELoss(reduction="sum" if "sum" in trace["loss"] else "mean")
    options = dict(trace["optimizer"])
    tally.equal((trace["loss"].startswith("mse_loss"), options.pop("type")), (True, "SGD"), about)
    optimizer = torch.optim.SGD(net.parameters(), **options)
    net.load_state_dict({"weight": tensor_of(trace["w0"], device), "bias": tensor_of(trace["b0"], device)})

    def expect_parameters(when):
        for name, parameter in net.named_parameters():
            expected = trace[when][name]
            tally.equal(list(parameter.shape), expected["shape"], f"{about}: {name} {when}")
            tally.check(close(parameter, expected["values"], **TRAINING), f"{about}: {name} {when}", parameter)

    losses, norms = [], []
    count = inputs.size(0)
    batch = trace["batch"] or count
    for step in range(trace["steps"]):
        start = step * batch % count
        optimizer.zero_grad()
        loss = loss_of(net(inputs[start:start + batch]), targets[start:start + batch])
        loss.backward()
        max_norm = math.inf if trace["clip_max_norm"] is None else trace["clip_max_norm"]
        norms.append(nn.utils.clip_grad_norm_(net.parameters(), max_norm).item())
        losses.append(loss.item())
        optimizer.step()
        if step == 0:
            expect_parameters("after_step1")
    tally.check(close(losses, trace["losses"], **TRAINING), f"{about}: losses", losses)
    tally.check(close(norms, trace["grad_norm_before_clip"], **TRAINING), f"{about}: norms", norms)
    expect_parameters("final")
    with torch.no_grad():
        final = loss_of(net(inputs), targets)
    tally.check(close(final, [trace["final_loss"]], **TRAINING), f"{about}: the final loss", final)
    tally.ran += 1


@test("GoldenTraining", "TracesArePyTorchs")
def traces(tally):
    for trace, device in itertools.product(read("training.json"), EVERY_DEVICE):
        follow(tally, trace, device)
    tally.report("training.json", 25)


@test("GoldenTraining", "GradientsAreClippedAsPyTorchClipsThem")
def clipping(tally):
    for example, device in itertools.product(read("clip_grad_norm.json"), EVERY_DEVICE):
        about = f"{example} on {device}"
        parameters = []
        for values in example["grads"]:
            gradient = tensor(values, None, "float32", device)
            parameters.append(nn.Parameter(torch.zeros_like(gradient)))
            parameters[-1].grad = gradient
        norm = nn.utils.clip_grad_norm_(parameters, example["max_norm"], example.get("norm_type", 2.0))
        tally.check(close(norm, [example["total_norm"]]), about, norm)
        tally.equal(len(parameters), len(example["out"]), about)
        for x, expected in [(norm, [example["total_norm"]])] + [
                (p.grad, out) for p, out in zip(parameters, example["out"])]:
            tally.check(_d2l.owner(x) == torch.device(device), about, f"is not on {device}")
            tally.check(close(x, expected), about, x)
        tally.ran += 1
    tally.report("clip_grad_norm.json", 15)
