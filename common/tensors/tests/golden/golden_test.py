# SPDX-License-Identifier: MIT
"""The tests of the reference cases; main.cpp makes each a test of GoogleTest. A test returns its failures."""
import itertools
import operator

import _d2l
import torch
from cases import (DEVICES, DTYPES, EVERY_DEVICE, GPUS, Tally, close, holds, is_assertion_of_gpu, is_listed, name_of, on_devices, read,
                   refusal, run_case, sentence, tensor, tensor_of, test, text_of, with_types_of,
                   without_device)

# --- Expressions: results, errors, gradients


SENTENCES_NOT_OURS = (  # they say how a Python binding, a meta tensor or an allocator of PyTorch's is made
    "meta tensor", "must be Number, not", "argument '", "got an unexpected",
    "received an invalid combination of arguments", "invalid data type", "unsupported operand type",
    "Torch not compiled with CUDA", "an integer is required", "object cannot be interpreted", "object has no attribute",
    "tuple index out of range", "have incompatible tensor type", "is not a Module subclass",
    "training mode is expected to be boolean", "Expected state_dict to be dict-like", "DefaultCPUAllocator",
    "Could not run 'aten::")


def reason_to_pass_over_error(case, device):
    two_devices = "'meta'" in case["code"]
    if two_devices and (device != "cpu" or not GPUS):
        return "no GPU, or run from the CPU alone"
    if case["group"] == "torch.load":
        return "torch.load"  # PyTorch's own files
    if case["ok"]:
        return None
    if device != "cpu" and is_assertion_of_gpu(case["error"]):
        return "an assertion of a GPU"
    if device != "cpu" and "ZeroDivisionError" in case["error"]:
        return "a division by 0 on a GPU"
    return next((text for text in SENTENCES_NOT_OURS if text in case["error"]), None)


@test("GoldenErrors", "HoldPyTorchsSentences")
def errors(tally):

    def on_gpu(text):
        text = on_devices(text, "cpu").replace("two devices, meta and", "two devices, cuda:0 and")
        return text.replace("but got meta", "but got cuda:0").replace("and meta!", "and cuda:0!")

    for device, case in itertools.product(DEVICES, read("errors.json")):
        if reason := reason_to_pass_over_error(case, device):
            tally.passed_over[reason] += 1
            continue
        code = on_gpu(case["code"])
        about = f"{code} on {device}"

        def judge(value):
            if device == "cpu":
                expected = on_gpu(case["result"])
                tally.equal(text_of(value, expected), expected, about)

        def judge_error(text):
            # Products and joins of mixed devices are allowed with meta tensors.
            if not case["ok"]:
                wanted = with_types_of(device, sentence(on_gpu(case["error"])))
                tally.check(holds(text, wanted), about, f"gave {text}\n instead of {wanted}")
            elif not case["result"].startswith("tensor(..., device='meta'"):
                tally.check(False, about, f"gave {text}\n instead of {case['result']}")

        run_case(tally, about, case, code, device, judge, judge_error)
    tally.report("errors.json", 168)


def reason_to_pass_over_semantics(case, device):
    code, refused = case["code"], not case["ok"]
    second_device = "'meta'" in code
    if "'cpu:" in code:
        return "numbered CPUs"  # PyTorch takes cpu and cpu:0 for two devices and copies; here there is one CPU
    if ".to('meta')" in code and "nn." in code and " is " in code:
        return "parameters sent to the meta device"  # they become others; to a GPU they stay the same
    if refused and "meta tensor" in case["error"]:
        return "copies out of a meta tensor"
    if second_device and refused and "Lazy" in code:
        return "lazy layers sent to the meta device"
    if device != "cpu" and "is_cuda" in code:
        return "asks whether it is on a GPU"
    return "no GPU, or run from the CPU alone" if second_device and (device != "cpu" or not GPUS) else None


@test("GoldenSemantics", "ArePyTorchs")
def semantics(tally):
    for device, case in itertools.product(DEVICES, read("semantics.json")):
        if reason := reason_to_pass_over_semantics(case, device):
            tally.passed_over[reason] += 1
            continue
        code = on_devices(case["code"], device)
        about = f"{code} on {device}"

        def judge(value):
            wanted = on_devices(case["result"], device)
            # A text alone may be given as it is, or as Python shows one.
            text = value if isinstance(value, str) and wanted[:1] not in ("'", '"') else text_of(value, wanted)
            if device != "cpu":
                text, wanted = without_device(text), without_device(wanted)
            tally.equal(text, wanted, about)

        def judge_error(text):
            wanted = with_types_of(device, sentence(on_devices(case.get("error", ""), device)))
            tally.check(not case["ok"] and holds(text, wanted), about,
                        f"gave {text}\n instead of {case.get('result', wanted)}")

        run_case(tally, about, case, code, device, judge, judge_error)
    tally.report("semantics.json", 185)


def expect_close(tally, x, expected, device, about):
    tally.equal((list(x.shape), name_of(x.dtype)), (expected["shape"], expected["dtype"]), about)
    tally.check(_d2l.owner(x) == torch.device(device), about, f"it is not on {device}")
    tally.check(close(x, expected["values"]), about, f"gave {x}\n instead of {expected['values']}")


def gradient_of(given, example, device):
    """The argument of backward(): nothing, "ones", values with their shape, or values in the shape of the output."""
    if given is None:
        return None
    output = example["output"]
    if given == "ones":
        given = [1] * len(output["values"])
    if isinstance(given, list):
        given = {"values": given, "shape": output["shape"]}
    return tensor(given["values"], given["shape"], output["dtype"], device)


@test("GoldenAutograd", "GradientsArePyTorchs")
def gradients(tally):
    for example, device in itertools.product(read("autograd.json"), EVERY_DEVICE):
        about = f"{example['name']}: {example['expr']} on {device}"
        unknown = {given["dtype"] for given in example["inputs"].values()} - set(DTYPES)
        if unknown:
            tally.check(all(is_listed(f"torch.{name}") for name in unknown), about, f"{unknown} is not listed")
            tally.passed_over.update(unknown)
            continue
        inputs = {name: tensor_of(given, device) for name, given in example["inputs"].items()}
        for name, given in example["inputs"].items():
            inputs[name].requires_grad = given.get("requires_grad", False)

        def judge(output):
            expect_close(tally, output.detach(), example["output"], device, about)
            output.backward(gradient_of(example["grad_output"], example, device))
            for name, x in inputs.items():
                expected = example["grads"].get(name)
                tally.equal(x.grad is not None, expected is not None, f"{about}: whether {name} has a gradient")
                if x.grad is not None and expected is not None:
                    expect_close(tally, x.grad, expected, device, f"{about}: the gradient of {name}")

        run_case(tally, about, {"ok": True}, on_devices(example["expr"], device), device, judge,
                 lambda text: tally.check(False, about, text), inputs)
    tally.report("autograd.json", 80)


# --- Broadcasting


@test("GoldenBroadcast", "GivesPyTorchsShapesAndErrors")
def broadcast_shapes(tally):
    for device, case in itertools.product(DEVICES, read("broadcast_shapes.json")):
        a, b = torch.ones(case["a"], device=device), torch.ones(case["b"], device=device)
        if "out" in case:
            tally.equal([list((a + b).shape), list((a == b).shape)], [case["out"]] * 2, f"{case} on {device}")
        else:
            text = refusal(operator.add, a, b)
            tally.check(sentence(case["error"]) in text, f"{case} on {device}", text)
        tally.ran += 1
    tally.report("broadcast_shapes.json", 158)


# --- Devices


def index_too_large(name):
    """Whether the digits after the colon are more than an index can hold."""
    digits = name.partition(":")[2]
    return len(digits) > 3 or (digits.isdigit() and int(digits) > 127)


@test("GoldenDevice", "ParsesAsPyTorchDoes")
def device_names(tally):
    for case in read("device_parse.json"):
        name = case["input"]
        text = refusal(torch.device, name)
        tally.ran += 1
        if not case["ok"]:
            # A negative or oversized index may be refused before the rest of the name is looked at.
            tally.check(sentence(case["error"]) in text, repr(name), text)
        elif case["type"] not in ("cpu", "cuda"):
            tally.check("this library does not support them" in text, repr(name), text)
        elif index_too_large(name):
            tally.check("at most 127" in text, repr(name), text)
        else:
            device = torch.device(name)
            plain = case["type"] == "cuda" and case["index"] is None
            expected = ("cuda:0", "device(type='cuda', index=0)", 0) if plain else (
                case["str"], case["repr"], case["index"])
            tally.equal((str(device), repr(device), device.index, device.type), (*expected, case["type"]), repr(name))
            tally.check(torch.device(str(device)) == device, repr(name), "is another device when it is read again")
    tally.report("device_parse.json", 26)


@test("GoldenDevice", "HasOneIdentityForTheFirstGpuAndForTheCpu")
def device_identities(tally):
    same = torch.device("cuda") == torch.device("cuda:0") == torch.device("cuda", 0)
    other = torch.device("cuda:1") == torch.device("cuda", 1) != torch.device("cuda:0")
    tally.check(same and other, "cuda, cuda:0 and cuda:1", "they are not two devices")
    numbered, plain = torch.device("cpu:0"), torch.device("cpu")
    tally.equal((str(numbered), repr(numbered), repr(plain)),
                ("cpu:0", "device(type='cpu', index=0)", "device(type='cpu')"), "cpu:0 and cpu")
    tally.check(numbered == plain, "cpu:0 and cpu", "they are two devices")
    x = torch.ones(2)
    tally.check(x.to("cpu:0") is x and x.to("cpu:1") is x, "cpu:0 and cpu:1", "a copy to one is another tensor")


@test("GoldenDevice", "RefusesIndicesOutOfRange")
def device_indices(tally):
    for index in -1, -2, 128, 255, 256, 100000:
        tally.check(not refusal(torch.device, "cuda", index).startswith("gave"), index, "was accepted")
        tally.check(not refusal(_d2l.gpu, index).startswith("gave"), index, "was accepted")
    tally.check(not refusal(torch.device, "cpu", -2).startswith("gave"), -2, "was accepted")
    for name in "cuda:128", "cuda:256", "cuda:65536", "cuda:4294967296", "cuda:99999999999999999999":
        text = refusal(torch.device, name)
        tally.check(name in text and not text.startswith("gave"), name, text)
    tally.equal(torch.device("cuda:127").index, 127, "cuda:127")


# --- Printing


@test("GoldenPrint", "IsPyTorchsText")
def printed(tally):
    for case in read("print.json"):
        if case["dtype"] not in DTYPES or case["device"] not in ("cpu", *GPUS):
            tally.passed_over[case["dtype"] if case["dtype"] not in DTYPES else "a GPU that is not here"] += 1
            continue
        x = tensor_of(case, case["device"])
        tally.equal(_d2l.format_tensor(x, case["requires_grad"], case["grad_fn"] or ""), case["out"], case["id"])
        tally.ran += 1
    tally.report("print.json", 155)


@test("GoldenPrint", "IsTheSameForStridedMemoryAndOnAGpu")
def printed_elsewhere(tally):
    for device, case in itertools.product(DEVICES, read("print.json")):
        if case["dtype"] not in DTYPES or case["device"] != "cpu":
            continue
        x, about = tensor_of(case, device), f"{case['id']} on {device}"
        if len(case["shape"]) > 1:
            strided = x.transpose(0, 1).clone().contiguous().transpose(0, 1)
            tally.equal(repr(strided), repr(x), about)
        if device != "cpu":
            text, reference = repr(x), repr(x.cpu())
            numbers = reference[:reference.rfind("]") + 1]
            tally.check("device='cuda:0'" in text and text.startswith(numbers), about, f"{text}\n and {reference}")


@test("GoldenPrint", "ReadsOnlyWhatItShows")
def printed_parts(tally):
    for device in DEVICES:
        x = torch.arange(1000000, dtype=torch.float32, device=device).reshape(100, 100, 100)
        copies, copied_bytes = _d2l.copies_of(lambda: repr(x))
        tally.check(repr(x).startswith("tensor([[[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 9.7000e+01,"), device, x)
        tally.equal(copies, 0 if device == "cpu" else 1, f"copies from {device}")
        tally.check(copied_bytes <= 6 * 6 * 6 * 4, device, f"{copied_bytes} bytes were copied")


@test("GoldenPrint", "IsWhatTheStreamGets")
def printed_to_stream(tally):
    tally.equal(str(torch.ones(2, 3)), "tensor([[1., 1., 1.],\n        [1., 1., 1.]])", "operator<<")


@test("GoldenPrint", "RefusesATensorThatIsNone")
def printed_undefined(tally):
    text = refusal(_d2l.repr_of_undefined)
    tally.check(not text.startswith("gave"), "repr", text)
