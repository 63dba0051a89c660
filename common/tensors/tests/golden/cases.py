# SPDX-License-Identifier: MIT
"""Runs the code of a reference case and judges what it gives; the counts of cases that ran and were passed over."""
import ast
import collections
import copy
import json
import math
import os
import re

import _d2l
import torch

FOLDER = os.path.dirname(os.path.abspath(__file__))
NAMES = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "optim": torch.optim, "copy": copy, "math": math,
         "OrderedDict": collections.OrderedDict, "type": torch.type_of}
GPUS = [f"cuda:{i}" for i in range(_d2l.num_gpus())]
DEVICES = ["cpu"] + GPUS[:1]
EVERY_DEVICE = ["cpu"] + GPUS
tests = {}
DTYPES = "bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64"


def test(suite, name):
    """Makes a function of a Tally a test, which returns the failures."""
    def register(function):
        def run():
            tally = Tally()
            function(tally)
            return tally.failures
        tests[suite, name] = run
        return function
    return register


def read(file):
    """A file of cases, from the folder D2L_GOLDEN_DIR of the environment or else from this one."""
    with open(os.path.join(os.environ.get("D2L_GOLDEN_DIR", FOLDER), file), encoding="utf-8") as cases:
        return json.load(cases)


def listed_names():
    section, names = "", set()
    with open(os.path.join(FOLDER, "not_supported.txt"), encoding="utf-8") as lines:
        for line in map(str.rstrip, lines):
            if line.startswith("["):
                section = line[1:-1]
            elif section == "phrases":
                names.add(line)
            elif not line.startswith("#"):
                names.update(section + word for word in line.split())
    return names


NOT_SUPPORTED = listed_names()


def is_listed(name):
    """Whether not_supported.txt has the name, or names of it; of "sum(dtype=)" also whether it has "dtype="."""
    keyword = name.partition("(")[2][:-1]
    return not NOT_SUPPORTED.isdisjoint((name, keyword)) or any(other.startswith(name + ".") for other in NOT_SUPPORTED)


class Tally:
    """Counts cases and gathers failures, each with what it is about."""

    def __init__(self):
        self.ran, self.passed_over, self.failures = 0, collections.Counter(), []

    def check(self, condition, about, text):
        if not condition:
            self.failures.append(f"{about}\n {text}")

    def equal(self, found, expected, about):
        self.check(found == expected, about, f"gave       {found}\n instead of {expected}")

    def report(self, title, count):
        """Prints the counts; `count` of the cases beside this file run on four GPUs."""
        total = sum(self.passed_over.values())
        reasons = ", ".join(f"{name} ({count})" for name, count in sorted(self.passed_over.items()))
        print(f"{title}: {self.ran} ran, {total} passed over{': ' * bool(total)}{reasons}", flush=True)
        exactly = len(GPUS) == 4 and "D2L_GOLDEN_DIR" not in os.environ
        self.check(self.ran == count if exactly else self.ran >= count // 6, title, f"{self.ran} ran, not {count}")


def refusal(function, *arguments):
    """The text of this library's error, or what the function gave instead."""
    try:
        return f"gave {function(*arguments)!r}"
    except _d2l.Error as error:
        return str(error)


def evaluate(code, device, names):
    """The value of the last line, or None; tensors are made on the device where the code names none."""
    names = NAMES | names
    body = ast.parse(code).body
    last = ast.Expression(body.pop().value) if isinstance(body[-1], ast.Expr) else None
    _d2l.set_default_device(device)
    _d2l.set_grad_mode(True)
    try:
        exec(compile(ast.Module(body, []), "case", "exec"), names)
        return eval(compile(last, "case", "eval"), names) if last else None
    finally:
        _d2l.set_grad_mode(True)
        _d2l.set_default_device("cpu")


def unlisted(error, code):
    """The names that the error says are not supported and that are not listed, after the reason in words."""
    text = str(error)
    if isinstance(error, torch.NotSupported):
        names = [text]
    elif isinstance(error, NameError):
        names = [error.name]
    elif isinstance(error, ImportError):
        names = ["import"]
    elif match := re.match(r"(?:unsupported .* for |bad .* for unary |'(?=\S+' not supported))([^\s:']+)", text):
        names = ["operator " + match[1]]
    elif match := re.match(r"(?:\w+\.)*(\w+)\(\) got an unexpected keyword argument '(\w+)'", text):
        names = [f"{match[1]}({match[2]}=)"]
    elif "incompatible function arguments" in text:
        signatures, _, given = text.partition("Invoked with")
        function, given = text.partition("(")[0], given.partition("kwargs: ")[2]
        keywords = {k.arg for call in ast.walk(ast.parse(code)) if isinstance(call, ast.Call) for k in call.keywords}
        names = [f"{function}({k}=)" for k in keywords if f"{k}=" in given and f"{k}: " not in signatures]
    else:
        names = []
    return ", ".join(names) or "argument type", [name for name in names if not is_listed(name)]


def run_case(tally, about, case, code, device, judge, judge_error, names={}):
    """Evaluates a case. Python's own refusal of a case that PyTorch refuses too says nothing about this library."""
    # This library's messages say more than PyTorch's.
    if re.search(r"except \w+ as ", code):
        return tally.passed_over.update(["the text of a caught error"])
    try:
        value = evaluate(code, device, names)
    except _d2l.Error as error:
        tally.ran += 1
        return judge_error(str(error))
    except (AttributeError, NameError, TypeError, ImportError) as error:
        reason, missing = unlisted(error, code)
        if type(error) is TypeError and case.get("error_type") == "TypeError":
            reason, missing = "Python's TypeError", []
        tally.check(not missing, about, f"not_supported.txt does not list {missing}: {error}")
        return tally.passed_over.update([reason])
    except (ArithmeticError, AssertionError, LookupError, StopIteration, ValueError) as error:
        tally.check(not case["ok"], about, f"gave {error!r}\n instead of {case.get('result')}")
        return tally.passed_over.update([f"Python's {type(error).__name__}"])
    except Exception as error:  # also a C++ exception of another hierarchy
        return tally.check(False, about, repr(error))
    tally.ran += 1
    if case["ok"]:
        return judge(value)
    return tally.check(False, about, f"gave {value}\n instead of {case['error']}")


# --- Values


def real(value):
    return float.fromhex(value) if "0x" in str(value) else float(value)


def tensor(values, shape, dtype, device):
    """A list of integers and of floats in hexadecimal as a tensor of exactly these values."""
    reals = dtype.startswith(("float", "bfloat"))
    made = _d2l.from_reals([real(value) for value in values]) if reals else _d2l.from_integers(values)
    made = made.to(getattr(torch, dtype)).to(device)
    return made if shape is None else made.reshape(shape)


def tensor_of(given, device, dtype="float32"):
    return tensor(given["values"], given.get("shape"), given.get("dtype", dtype), device)


def name_of(dtype):
    return repr(dtype)[6:]


def same_values(x, expected):
    """Whether the elements are exactly these; nan equals nan, -0 is not 0."""
    if name_of(x.dtype) in ("uint8", "int32", "int64"):
        return x._to_integers() == expected
    return [v.hex() for v in x._to_reals()] == [real(v).hex() for v in expected]


def is_close(a, b, rtol, atol):
    return a == b or abs(a - b) <= atol + rtol * abs(b) or (math.isnan(a) and math.isnan(b))


def close(found, expected, rtol=1e-5, atol=1e-6):
    found = found._to_reals() if isinstance(found, torch.Tensor) else found
    return len(found) == len(expected) and all(is_close(a, real(b), rtol, atol) for a, b in zip(found, expected))


# --- Texts


# A part of a sentence of PyTorch 1.13, and the same of newer versions, which ours follows.
NEWER = {"fpga, ort, xla": "fpga, maia, xla", "hpu, privateuseone": "hpu, mtia, privateuseone"}


def sentence(error):
    """PyTorch's sentence as our text must have it: its first line, or all of a list of problems."""
    for before, after in NEWER.items():
        error = error.replace(before, after)
    return error.rstrip(" \n") if "\n\t" in error else error.split("\n")[0].split(" (when checking argument")[0]


def is_assertion_of_gpu(error):
    """Whether a kernel of a GPU refuses this, by an assertion: the GPU is lost by it."""
    return "index out of range in self" in error or re.search(
        r"^(index \S+|Target \S+) is out of bounds|Class values must be smaller", error.partition("Error: ")[2] or error)


def holds(text, wanted):
    """Whether our text holds the sentence; what Python says of a function's object in it may be anything."""
    head, _, tail = wanted.partition(" in <")
    _, closed, tail = tail.partition(">. ")
    if not closed:
        return wanted in text
    start = text.find(head)
    return start >= 0 and " " + tail in text[start + len(head):]


def on_devices(text, first, second="cuda:0"):
    """A case for PyTorch's second device, meta, as one for the device `second`; the first, cpu, is `first`."""
    def shown(device):
        return f"device(type='cuda', index={device[5:]})"
    if first != "cpu":
        text = text.replace("device(type='cpu')", shown(first)).replace("'cpu'", f"'{first}'")
        text = text.replace('"cpu"', f"'{first}'").replace(".cpu()", f".to('{first}')")
    return text.replace("device(type='meta')", shown(second)).replace("'meta'", f"'{second}'")


def with_types_of(device, text):
    """PyTorch's names of types of tensors, as they are on a device: torch.cuda.FloatTensor."""
    return text if device == "cpu" else re.sub(r"torch\.([A-Z][a-z]+Tensor)", r"torch.cuda.\1", text)


def text_of(value, expected):
    """Our text of a value in the form of what is expected: PyTorch prints a meta tensor without numbers."""
    if re.match(r"(Parameter containing:\n)?tensor\(\.\.\., device=", expected) and isinstance(value, torch.Tensor):
        head = "Parameter containing:\n" * isinstance(value, torch.nn.Parameter)
        dtype = f", dtype={value.dtype}" * (value.dtype is not torch.float32)
        recorded = f", grad_fn=<{value.grad_fn.name()}>" if value.grad_fn else ", requires_grad=True" * value.requires_grad
        return f"{head}tensor(..., device='{value.device}', size={tuple(value.shape)}{dtype}{recorded})"
    return repr(value)


def without_device(text):
    """A printed text without its device and layout, to compare what different devices computed."""
    text = re.sub(r"\s|\\n", "", text).replace('"', "'")
    return re.sub(r",device='cuda:\d+'", "", text)
