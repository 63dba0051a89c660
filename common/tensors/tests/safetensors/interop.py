# SPDX-License-Identifier: MIT
"""Files written by the library are read by the safetensors package and PyTorch, and vice versa, bit for bit."""
import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
try:
    import numpy
    import safetensors
    import safetensors.numpy
except ImportError as missing:
    print(f"Skipped: {sys.executable} has no {missing.name}. ./learn setup --all installs it.")
    sys.exit(SKIPPED)
try:
    import torch
    import safetensors.torch
except ImportError:
    torch = None

HARD_NAMES = [
    "", " ", "a.weight", '"quoted\\"', "\n\t\r\b\f\x01\x1f\x7f", "zero\0byte", "\u00e9", "e\u0301", "日本語",
    "😀👩\u200d👩\u200d👧", "\uffff\U0010ffff", "\u202eright",
]
# NumPy has no bfloat16: an array of it is one of uint16 here, with the same bytes. Our names, NumPy's and those in files.
BFLOAT16 = "<u2"
DTYPES = [("Bool", "?", "BOOL"), ("Byte", "u1", "U8"), ("Int", "<i4", "I32"), ("Long", "<i8", "I64"), ("Half", "<f2", "F16"),
          ("BFloat16", BFLOAT16, "BF16"), ("Float", "<f4", "F32"), ("Double", "<f8", "F64")]
NAMES_IN_FILES = {numpy.dtype(dtype): name for _, dtype, name in DTYPES}
LARGE_ZEROS = [33, 1 << 24]


def patterned(shape, dtype, seed):
    """Byte j is (seed + 89 j) mod 256, or of bool mod 2."""
    count = int(numpy.prod(shape, dtype=numpy.int64)) * numpy.dtype(dtype).itemsize
    data = (seed + 89 * numpy.arange(count)) % 256
    if dtype == "?":
        data %= 2
    return numpy.frombuffer(data.astype("u1").tobytes(), dtype=dtype).reshape(shape)


def one_of_each():
    tensors, seed = {}, 1
    for name, dtype, _ in DTYPES:
        for kind, shape in (("matrix", (3, 5)), ("number", ()), ("empty", (0, 4))):
            tensors[f"{name}.{kind}"] = patterned(shape, dtype, seed)
            seed += 1
    return tensors


def named():
    return {name: patterned((2,), "<f4", 100 + i) for i, name in enumerate(HARD_NAMES)}


def expect_same(found, expected, how):
    assert set(found) == set(expected), f"{how}: {sorted(found)}"
    for name, array in expected.items():
        other = found[name]
        if not isinstance(other, numpy.ndarray):
            other = other.view(torch.int16).numpy().view(BFLOAT16) if other.dtype == torch.bfloat16 else other.numpy()
        assert other.dtype == array.dtype and other.shape == array.shape, f"{how}: {name!r} is {other.dtype}{other.shape}"
        assert other.tobytes() == array.tobytes(), f"{how}: the bytes of {name!r}"


def as_torch(arrays):
    def converted(array):
        if array.dtype != BFLOAT16:
            return torch.from_numpy(array.copy())
        return torch.from_numpy(array.view("<i2").copy()).view(torch.bfloat16)
    return {name: converted(array) for name, array in arrays.items()}


def expect_in_file(path, expected):
    """What the package finds in the file, of every dtype."""
    with open(path, "rb") as file:
        found = dict(safetensors.deserialize(file.read()))
    assert set(found) == set(expected), f"{path}: {sorted(found)}"
    for name, array in expected.items():
        view = found[name]
        assert view["dtype"] == NAMES_IN_FILES[array.dtype] and view["shape"] == list(array.shape), f"{path}: {name!r} is {view}"
        assert bytes(view["data"]) == array.tobytes(), f"{path}: the bytes of {name!r}"


def for_numpy(arrays):
    return {name: array for name, array in arrays.items() if array.dtype != BFLOAT16}


def run(program, *arguments):
    subprocess.run([program, *arguments], check=True, timeout=300)


def written_here(program, folder):
    run(program, "write", folder)
    for name, expected in (("each", one_of_each()), ("named", named()), ("none", {})):
        path = f"{folder}/{name}.safetensors"
        expect_in_file(path, expected)
        if len(for_numpy(expected)) == len(expected):
            expect_same(safetensors.numpy.load_file(path), expected, f"{name} by numpy")
        with safetensors.safe_open(path, framework="np") as file:
            assert (file.metadata() or {}) == ({"format": "pt"} if name == "each" else {})
            assert set(file.keys()) == set(expected)
            expect_same({key: file.get_tensor(key) for key in for_numpy(expected)}, for_numpy(expected), f"{name} by safe_open")
        if torch:
            expect_same(safetensors.torch.load_file(path), expected, f"{name} by torch")


def written_there(program, folder):
    """The package's files are read here, and have the same bytes as ours."""
    files = {name: open(f"{folder}/{name}.safetensors", "rb").read() for name in ("each", "named", "none")}
    savers = [("numpy", safetensors.numpy, dict)]
    if torch:
        savers.append(("torch", safetensors.torch, as_torch))
    for library, saver, convert in savers:
        for name, arrays, metadata in (("each", one_of_each(), {"format": "pt"}), ("named", named(), None), ("none", {}, None)):
            path = f"{folder}/{name}.safetensors"
            if saver is safetensors.numpy and len(for_numpy(arrays)) < len(arrays):
                continue
            saver.save_file(convert(arrays), path, metadata)
            assert open(path, "rb").read() == files[name], f"{library} writes other bytes for {name}"
        run(program, "check", folder)


def large(program, folder):
    room = os.statvfs(folder)
    path = f"{folder}/large.safetensors"
    with open(path, "wb") as file:
        try:
            file.truncate(5 << 30)
        except OSError as error:
            print(f"not done: files of more than 4 GiB; {error}")
            return
    blocks = os.stat(path).st_blocks
    os.unlink(path)
    if blocks * 512 > 1 << 20 and room.f_bavail * room.f_frsize < 12 << 30:
        print("not done: files of more than 4 GiB; no sparse files here, and too little room for others")
        return

    run(program, "write-large", path)
    with safetensors.safe_open(path, framework="np") as file:
        assert file.get_tensor("small").tobytes() == patterned((5,), "u1", 7).tobytes()
        zeros = file.get_slice("zeros")
        assert zeros.get_shape() == LARGE_ZEROS and zeros.get_dtype() == "I64"
        assert zeros[32:, (1 << 24) - 1000:].tolist() == [[0] * 1000]
    os.unlink(path)

    # The package would make the zeros in memory first, so this writes its header by hand and leaves a hole for the data.
    small = patterned((5,), "u1", 7).tobytes()
    end = LARGE_ZEROS[0] * LARGE_ZEROS[1] * 8
    header = (f'{{"zeros":{{"dtype":"I64","shape":{LARGE_ZEROS},"data_offsets":[0,{end}]}},'
              f'"small":{{"dtype":"U8","shape":[5],"data_offsets":[{end},{end + 5}]}}}}').encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.seek(end, os.SEEK_CUR)
        file.write(small)
    with safetensors.safe_open(path, framework="np") as file:
        assert file.get_tensor("small").tobytes() == small
    run(program, "check-large", path)
    os.unlink(path)
    print("files of more than 4 GiB: done")


def malformed(program, folder):
    """The package refuses the files that the table says it refuses, so the table agrees with another implementation."""
    run(program, "write-malformed", folder)
    refused, others = 0, []
    for name in sorted(os.listdir(folder)):
        kind = name.split(".")[0]
        data = open(f"{folder}/{name}", "rb").read()
        try:
            safetensors.deserialize(data)
            accepted = True
        except safetensors.SafetensorError:
            accepted = False
        if kind in ("refuses", "accepts"):
            others += [name] if accepted != (kind == "accepts") else []
        else:
            assert accepted, f"the package refuses {name}"
        refused += not accepted
    assert not others, f"the package does not do what the table says with {others}"
    print(f"malformed files that the package refuses too: {refused}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--folder", required=True)
    chosen = arguments.parse_args()
    print(f"safetensors {safetensors.__version__}, numpy {numpy.__version__}, "
          + (f"PyTorch {torch.__version__}" if torch else "no PyTorch: its part is not done"))
    os.makedirs(chosen.folder, exist_ok=True)
    for part in (written_here, written_there, large, malformed):
        folder = tempfile.mkdtemp(prefix=part.__name__, dir=chosen.folder) if part is not written_there else folder
        part(chosen.program, folder)
    shutil.rmtree(chosen.folder)


main()
