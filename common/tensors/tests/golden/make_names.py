# SPDX-License-Identifier: MIT
"""Writes indices.json, names.json, recurrent.json and attention.json: reference cases of indices, einsum, windows and layers.

    python3 make_names.py [FOLDER]

Runs PyTorch (2.15 made the file that is here). Each line is a case: `expr` over `inputs` gives `outputs`, with `grads` of
their weighted sums as operations.json has them, or `text`, or an `error`. Parameters are set by `fill`, without random
numbers, so that a case holds no weights, and inputs by `numbers` of a `start`. `parameters` has a digest of the gradient
of each parameter of the module `m`.
"""
import json
import re
import sys

sys.path.pop(0)  # this folder has a torch.py

import torch
from torch import nn

NAMES = {"torch": torch, "nn": nn, "F": nn.functional}
cases = []


def fill(module):
    """Parameters that are small fractions, the same in every library."""
    with torch.no_grad():
        for i, (_, parameter) in enumerate(module.named_parameters()):
            count = parameter.numel()
            values = [((k * 37 + i * 11) % 101 - 50) / 100 for k in range(count)]
            parameter.copy_(torch.tensor(values, dtype=parameter.dtype).reshape(parameter.shape))
    return module


def numbers(*shape, start=0):
    count = torch.Size(shape).numel()
    return [((k * 29 + start * 13 + 7) % 83 - 41) / 40 for k in range(count)]


def floats(*shape, start=0, dtype="float64"):
    return {"shape": list(shape), "dtype": dtype, "start": start}


def integers(values, dtype="int64", shape=None):
    flat = torch.tensor(values)
    return {"shape": list(flat.shape if shape is None else shape), "dtype": dtype, "values": flat.flatten().int().tolist()}


def made(given):
    values = numbers(*given["shape"], start=given["start"]) if "start" in given else given["values"]
    x = torch.tensor(values, dtype=getattr(torch, given["dtype"])).reshape(given["shape"])
    return x.requires_grad_() if x.is_floating_point() else x


def shown(x):
    values = x.detach().flatten()
    values = [float(f"{v:.8g}") for v in values.double().tolist()] if x.is_floating_point() else values.int().tolist()
    return {"shape": list(x.shape), "dtype": str(x.dtype)[6:], "values": values}


def digest(x):
    """The sum of the elements × (1, 2, 3, …, 7, 1, 2, …)."""
    if x is None:
        return None
    return float(f"{sum(v * (k % 7 + 1) for k, v in enumerate(x.flatten().tolist())):.8g}")


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [x for part in value for x in tensors_in(part)] if isinstance(value, (tuple, list)) else []


def differentiate(outputs):
    """backward() of the sum, over the outputs, of the elements × (1, 2, 3, …) ÷ their number."""
    for x in outputs:
        if x.requires_grad:
            weights = torch.arange(1, x.numel() + 1, dtype=x.dtype).reshape(x.shape) / x.numel()
            x.backward(weights, retain_graph=True)


def case(group, expr, **inputs):
    inputs = {name: given for name, given in inputs.items() if re.search(rf"\b{name}\b", expr)}
    names = NAMES | {"fill": fill} | {name: made(given) for name, given in inputs.items()}
    entry = {"group": group, "expr": expr, "inputs": inputs}
    leaves = {name: names[name] for name in inputs}
    *lines, last = expr.split("\n")
    try:
        exec("\n".join(lines), names)
        value = eval(last, names)
    except Exception as error:
        entry["error"] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
        return cases.append(entry)
    if isinstance(value, (str, list)) and not tensors_in(value):
        entry["value"] = value
        return cases.append(entry)
    outputs = tensors_in(value)
    entry["outputs"] = [shown(x) for x in outputs]
    differentiate(outputs)
    entry["grads"] = {name: shown(made_input.grad) for name in inputs if (made_input := leaves[name]).grad is not None}
    if isinstance(names.get("m"), nn.Module):
        entry["parameters"] = [digest(parameter.grad) for parameter in names["m"].parameters()]
    cases.append(entry)


def index_cases():
    x = floats(2, 3, 4)
    mask = integers([[True, False, True], [False, True, True]], "bool")
    pair, triple, one = integers([0, 1]), integers([2, 0, 2]), integers([[0, 3], [1, 1]])
    for key in ("0:2, 1", "..., 1", "0, ..., ::2", ":, None, 1:", "i", ":, j", "..., k", "i, :, i", "i, i", "0, j, None", "j[:2], i",
                "m", "m, 0:1", "m, 0", "m, k[0]", ":, m[0]", "True", "False", ":, True", "..., ...", "i, None, i", "-1, -1",
                "0, 0, 0, 0", ":, 5", "i, j", "i + 5", ":, i + 7", "m[:, :2]", "x", "::0", "i[0]", "i[:, None], j", "i - 2", "1, j, i[0]"):
        case("index", f"x[{key}]", x=x, m=mask, i=pair, j=triple, k=one)
    v = floats(2, 3, start=5)
    for key, value in [("0:2, 1", "3.5"), ("i, j[:2]", "v[0, :1]"), (":, j", "v[:, :1, None]"), ("m", "v[0, 0]"), ("m", "2"),
                       ("..., i", "v[0].reshape(3, 1)"), ("1", "v[0, 0]"), ("j[:1], 0, 0", "v[0, 0]"), ("0, 1, 2", "v[0, 1]"),
                       ("i", "v"), ("i", "v[None, None, :, :, None]"), ("i", "v[None, :, :, None].expand(1, 2, 3, 4)"), (":, j[1:], 0", "v[:, :2]")]:
        case("assign", f"y = x * 2\ny[{key}] = {value}\ny", x=x, v=v, m=mask, i=pair, j=triple)
    for accumulate in (False, True):
        case("index_put", f"x.index_put((j[:2], j[1:]), v[0, :2], {accumulate})", x=x, v=floats(2, 3, 4, start=3), j=integers([1, 0, 1]))
        case("index_put", f"x.index_put((z,), v[:, 0], {accumulate})", x=x, v=floats(2, 3, 4, start=3), z=integers([1, 1]) if accumulate else integers([1, 0]))
    case("index_put", "x.index_put((i,), x[0].float())", x=x, i=pair)
    case("nonzero", "(x > 0).nonzero()", x=x)
    case("nonzero", "torch.nonzero(x)", x=integers([0, 3, 0, -1], "int32"))
    case("nonzero", "torch.tensor(3.).nonzero()")


def operation_cases():
    a, b, c, s = floats(2, 3), floats(3, 4, start=2), floats(4, 2, start=4), floats(3, 3, start=1)
    for equation, operands in [("ij,jk", "a, b"), ("ij,jk->ik", "a, b"), ("ij,jk,kl->il", "a, b, c"), ("ij->ji", "a"), ("ij->", "a"),
                               ("ii", "s"), ("ii->i", "s"), ("i,j->ij", "a[0], b[0]"), ("ij,ij->ij", "a, a"), ("bij,bjk->bik", "t, t"),
                               ("...ij,...jk->...ik", "t, s"), ("ij,kj", "a, s"), ("ba", "a"), ("...a->a...", "t"), ("ij,i->j", "a, c[0]"),
                               ("bij,kj->bik", "t, a"), (" i j , j k -> k i", "a, b"), ("iij->ij", "t"), ("ij,jk,ik->", "a, b, a @ b"),
                               ("bij,bi->bj", "t, t[:, :1, 0]"), ("ij,jk", "a[:, :1], b"), ("aB,Bc", "a, b"), ("ij,ij->i", "a, a[:1]"),
                               ("ij,jk", "a"), ("ij", "a, b"), ("ij->ijk", "a"), ("ij->ii", "a"), ("i", "a"), ("i1", "a"), ("i.j", "a"),
                               ("...i...", "a"), ("ii", "a"), ("ij,ik", "a, b"), ("ij->i.", "a"), ("ijk...", "a"), ("ij->i->j", "a")]:
        case("einsum", f"torch.einsum({equation!r}, {operands})", a=a, b=b, c=c, s=s, t=floats(3, 3, 3, start=6))
    w = floats(6)
    for expr in ("w.unfold(0, 3, 1)", "w.unfold(0, 2, 3)", "x.unfold(1, 2, 1)", "x.unfold(-1, 4, 2)", "w.unfold(0, 7, 1)", "w.unfold(0, 2, 0)",
                 "w.unfold(0, -1, 1)", "w.unfold(1, 1, 1)", "x.unbind()", "x.unbind(-1)", "torch.unbind(x, 1)[1]", "x.unbind(3)",
                 "x.swapaxes(0, 2)", "torch.swapdims(x, 1, 2)", "w.type_as(x.float())", "torch.max(w[:3], w[3:])", "torch.min(w[:3], w[3:])",
                 "w[0].unbind()", "w[:2].view_as(x[:, 0, 0])", "w[:4].expand_as(x)"):
        case("windows", expr, w=w, x=floats(2, 3, 4))
    p = floats(2, 3)
    for expr in ("torch.multinomial(p, 1)", "torch.multinomial(p.abs(), 4)", "torch.multinomial(p.abs(), 0)", "torch.multinomial(p * 0, 1)",
                 "torch.multinomial(p[None], 1)", "torch.multinomial(i, 1)", "torch.multinomial(p.abs() * float('inf'), 2, True)",
                 "torch.multinomial(torch.tensor([0., 2., 0.]), 3, True)", "torch.multinomial(torch.tensor([[0., 0., 1.]]), 1)",
                 "torch.bernoulli(p + 3)", "torch.bernoulli(i)", "p.bernoulli(2.)", "torch.bernoulli(torch.tensor([1., 0.]))",
                 "torch.normal(0., -1., (2,))", "torch.normal(p, -1.)", "torch.normal(p, p)", "torch.normal(p, p[:, :2].abs())",
                 "torch.normal(p.detach(), 0.)", "torch.normal(2., p.detach() * 0)", "p.detach().normal_(0, -1)", "p.detach().uniform_(1, 0)",
                 "i.normal_()", "i.bernoulli_(2.)"):
        case("samples", expr, p=p, i=integers([1, 2]))


def layer_function_cases():
    image, line = floats(1, 2, 3, 4), floats(2, 1, 5)
    for expr in ("scale_factor=2", "size=(2, 5)", "size=5", "scale_factor=(0.5, 1.7)", "scale_factor=2, mode='bilinear'",
                 "size=(5, 3), mode='bilinear', align_corners=True", "size=(2, 7), mode='bilinear'", "scale_factor=1.7, mode='bilinear'",
                 "scale_factor=1.7, mode='bilinear', recompute_scale_factor=True", "size=(3, 4), mode='bilinear'", "",
                 "size=2, scale_factor=2", "align_corners=True, size=2", "size=(1, 2, 3)", "size=3, mode='linear'", "size=0"):
        case("interpolate", f"F.interpolate(x, {expr})".replace("(x, )", "(x)"), x=image)
    for expr in ("size=8", "scale_factor=2.5", "size=8, mode='linear'", "size=3, mode='linear', align_corners=True", "size=4, mode='bilinear'"):
        case("interpolate", f"F.interpolate(x, {expr})", x=line)
    for expr in ("2", "(2, 3), padding=1", "2, dilation=2", "(3, 2), stride=(1, 2), padding=(0, 1)", "5", "2, stride=0", "0"):
        case("im2col", f"F.unfold(x, {expr})", x=image)
    case("im2col", "F.unfold(x[0], 2)", x=image)
    for expr in ("F.prelu(x, w[:1])", "F.prelu(x, w)", "F.prelu(x[0, 0], w[:1])", "F.prelu(x, torch.ones(3, dtype=torch.float64))", "F.prelu(x, w.float())",
                 "F.prelu(x, w[None])", "F.rms_norm(x, (4,))", "F.rms_norm(x, (3, 4), eps=1e-3)", "F.rms_norm(x, [4], v)", "F.rms_norm(x, (3,))",
                 "F.rms_norm(x, (4,), w)", "torch.rms_norm(x, (4,), v, 0.1)", "F.rms_norm(x, ())"):
        case("layers", expr, x=floats(1, 2, 3, 4), w=floats(2, start=9), v=floats(4, start=3))
    for layer in ("nn.PReLU()", "nn.PReLU(2, 0.5)", "nn.RMSNorm(4)", "nn.RMSNorm((3, 4), eps=0.1)", "nn.RMSNorm(4, elementwise_affine=False)",
                  "nn.GELU()", "nn.GELU('tanh')"):
        case("layers", f"str({layer})")
        case("layers", f"m = fill({layer}.double())\nm(x)", x=image)


def recurrent_cases():
    x, h = floats(3, 2, 2), floats(2, 2, 3, start=1)
    layers = ("nn.RNN(2, 3)", "nn.GRU(2, 3)", "nn.LSTM(2, 3)", "nn.RNN(2, 3, nonlinearity='relu')", "nn.RNN(2, 3, 2, bias=False)",
              "nn.GRU(2, 3, 2)", "nn.LSTM(2, 3, 1, bidirectional=True)", "nn.GRU(2, 3, bidirectional=True, bias=False)",
              "nn.LSTM(2, 3, 2, batch_first=True)", "nn.RNN(2, 3, 2, bidirectional=True, dropout=0.5)", "nn.LSTM(2, 3, proj_size=2)")
    for layer in layers:
        case("recurrent", f"m = fill({layer}.double()).eval()\nm(x)", x=x)
        case("recurrent", f"str({layer})")
        case("recurrent", f"list({layer}.state_dict().keys())")
        case("recurrent", f"[list(p.shape) for p in {layer}.parameters()]")
    case("recurrent", "m = fill(nn.GRU(2, 3, 2).double())\nm(x, h)", x=x, h=h)
    case("recurrent", "m = fill(nn.LSTM(2, 3, 2).double())\nm(x, (h, h * 2))", x=x, h=h)
    case("recurrent", "m = fill(nn.RNN(2, 3, batch_first=True).double())\nm(x[0], h[0, :1])", x=x, h=h)
    case("recurrent", "m = fill(nn.LSTM(2, 3).double())\nm(x[0])", x=x)
    for expr in ("nn.RNN(2, 3).double()(x[0, 0])", "nn.LSTM(2, 3).double()(x[None])", "nn.GRU(4, 3).double()(x)", "nn.GRU(2, 3)(x)",
                 "nn.GRU(2, 3).double()(x, h)", "nn.GRU(2, 3).double()(x, h[0])", "nn.RNN(2, 3).double()(x[0], h)", "nn.LSTM(2, 3).double()(x, (h, h))",
                 "nn.LSTM(2, 3).double()(x, (h[:1], h))", "nn.LSTM(2, 3).double()(x, (h[0], h[0]))", "nn.GRU(0, 3)", "nn.GRU(2, 0)", "nn.LSTM(2, 3, 0)",
                 "nn.RNN(2, 3, dropout=2)", "nn.LSTM(2, 3, proj_size=3)", "nn.LSTM(2, 3, proj_size=-1)"):
        case("recurrent", expr, x=x, h=h)
    for cell in ("RNNCell", "GRUCell", "LSTMCell"):
        state = "(h[0], h[1])" if cell == "LSTMCell" else "h[0]"
        row = "(h[0, 0], h[1, 0])" if cell == "LSTMCell" else "h[0, 0]"
        for options in ("2, 3", "2, 3, bias=False"):
            case("cells", f"m = fill(nn.{cell}({options}).double())\nm(x[0])", x=x)
            case("cells", f"str(nn.{cell}({options}))")
        case("cells", f"m = fill(nn.{cell}(2, 3).double())\nm(x[0], {state})", x=x, h=h)
        case("cells", f"m = fill(nn.{cell}(2, 3).double())\nm(x[0, 0], {row})", x=x, h=h)
        case("cells", f"nn.{cell}(2, 3).double()(x)", x=x)
        case("cells", f"nn.{cell}(5, 3).double()(x[0])", x=x)
        case("cells", f"list(nn.{cell}(2, 3).state_dict().keys())")
    case("cells", "m = fill(nn.RNNCell(2, 3, nonlinearity='relu').double())\nm(x[0], h[0])", x=x, h=h)
    case("cells", "str(nn.RNNCell(2, 3, nonlinearity='relu'))")
    case("cells", "nn.GRUCell(2, 3).double()(x[0], h)", x=x, h=h)
    case("cells", "nn.GRUCell(2, 3).double()(x[0], h[0, :1])", x=x, h=h)


def attention_cases():
    q, k, v = floats(3, 2, 4), floats(2, 2, 4, start=2), floats(2, 2, 4, start=5)
    padding, causal = integers([[False, True], [False, False]], "bool"), integers([[False, True], [False, False], [False, False]], "bool")
    everything = {"q": q, "k": k, "v": v, "p": padding, "c": causal, "w": floats(2, 2, 3, start=7)}
    for options, call in [("4, 2", "q, k, v"), ("4, 2", "q, q, q"), ("4, 2", "q, k, v, need_weights=False"), ("4, 2", "q, k, v, key_padding_mask=p"),
                          ("4, 2", "q, k, v, attn_mask=c"), ("4, 2", "q, k, v, p, True, c, False"), ("4, 2", "q, k, v, p, False, c"),
                          ("4, 1, bias=False", "q, k, v"), ("4, 2, add_bias_kv=True", "q, k, v, key_padding_mask=p"), ("4, 2, add_zero_attn=True", "q, k, v, attn_mask=c"),
                          ("4, 2, kdim=3, vdim=4", "q, w, v"), ("4, 2, batch_first=True", "q, q, q"), ("4, 2", "q[:, 0], k[:, 0], v[:, 0]"),
                          ("4, 2", "q[:, 0], k[:, 0], v[:, 0], p[0], False"), ("4, 2, dropout=0.5", "q, k, v"),
                          ("4, 2", "q, k, v, None, True, (c.double() * 1.5).expand(4, 3, 2)"), ("4, 2", "q, k, v, None, False, (c * 1.5).expand(4, 3, 2)"),
                          ("4, 2", "q, k, v, p.double() * 2.0"), ("4, 2", "q, k[0], v"), ("4, 2", "q[0, 0], k, v"), ("4, 2", "q, k, v, p[0]"), ("4, 2", "q, k, v, c[:2].long()"),
                          ("4, 2", "q, k, v, None, True, c[:2]"), ("4, 2", "q, k, v, None, True, c[None]"), ("4, 2", "q, k, v[:1]"), ("4, 2", "q[:, :, :3], k, v"),
                          ("4, 2", "q, k, v, None, True, None, True, True"), ("4, 2", "q, k, v, c"), ("5, 2", "q, k, v")]:
        case("attention", f"m = fill(nn.MultiheadAttention({options}).double()).eval()\nm({call})", **everything)
    for options in ("4, 2", "4, 2, bias=False", "4, 2, add_bias_kv=True", "4, 2, kdim=3"):
        case("attention", f"str(nn.MultiheadAttention({options}))")
        case("attention", f"list(nn.MultiheadAttention({options}).state_dict().keys())")
    for call in ("q, k, v", "q, k, v, is_causal=True", "q, k, v, scale=0.3", "q, k, v, c.logical_not()", "q, k, v, c * 0.5", "q, k, v, torch.zeros(3, 2, dtype=torch.bool)",
                 "q, k, v, c, is_causal=True", "q, k, v[:, 0]", "q[0, 0], k, v", "q, k.float(), v", "q, k, v, dropout_p=1.5"):
        case("scaled", f"q, k, v = (x.transpose(0, 1) for x in (q, k, v))\nF.scaled_dot_product_attention({call})", q=q, k=k, v=v, c=causal)


def transformer_cases():
    x, y = floats(3, 2, 4), floats(2, 2, 4, start=3)
    padding = integers([[False, False, True], [False, False, False]], "bool")
    causal = integers([[False, True], [False, False]], "bool")
    for options in ("4, 2, 3", "4, 2, 3, activation='gelu'", "4, 1, 3, norm_first=True", "4, 2, 3, batch_first=True, layer_norm_eps=0.1"):
        case("transformer", f"m = fill(nn.TransformerEncoderLayer({options}).double()).eval()\nm(x)", x=x)
        if "batch_first" not in options:
            case("transformer", f"m = fill(nn.TransformerDecoderLayer({options}).double()).eval()\nm(y, x)", x=x, y=y)
    case("transformer", "m = fill(nn.TransformerEncoderLayer(4, 2, 3).double()).eval()\nm(x, src_key_padding_mask=p)", x=x, p=padding)
    case("transformer", "m = fill(nn.TransformerDecoderLayer(4, 2, 3).double()).eval()\nm(y, x, c, memory_key_padding_mask=p)", x=x, y=y, p=padding, c=causal)
    case("transformer", "m = fill(nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 3), 2, nn.LayerNorm(4)).double()).eval()\nm(x)", x=x)
    case("transformer", "m = fill(nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 3), 2).double()).eval()\nm(y, x, tgt_mask=c)", x=x, y=y, c=causal)
    for module in ("nn.TransformerEncoderLayer(4, 2, 3)", "nn.TransformerDecoderLayer(4, 2, 3)", "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 3), 2, nn.LayerNorm(4))"):
        case("transformer", f"list({module}.state_dict().keys())")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else __file__.rpartition("/")[0] or "."
    for name, makers in {"indices": [index_cases], "names": [operation_cases, layer_function_cases], "recurrent": [recurrent_cases],
                         "attention": [attention_cases, transformer_cases]}.items():
        cases.clear()
        for make in makers:
            make()
        lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases)
        with open(f"{folder}/{name}.json", "w", encoding="utf-8") as file:
            file.write(f"[\n{lines}\n]\n")
        errors = sum("error" in one for one in cases)
        print(f"{name}.json: {len(cases)} cases by PyTorch {torch.__version__}, of which {errors} are errors")


if __name__ == "__main__":
    main()
