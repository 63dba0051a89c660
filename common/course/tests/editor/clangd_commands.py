# SPDX-License-Identifier: MIT
"""clangd_commands.py CLANG BUILD NAME...: Clang accepts these .cu files with the commands that the build writes for clangd,
with the toolkit that it finds and without one."""
import json
import pathlib
import subprocess
import sys

clang, build, *names = sys.argv[1:]
commands = json.loads((pathlib.Path(build) / "clangd/compile_commands.json").read_text())
for name in names:
    command = next(one for one in commands if one["file"].endswith(name))
    for toolkit in [], ["--cuda-path=/nonexistent"]:
        subprocess.run([clang, "-fsyntax-only", *command["arguments"][1:], *toolkit], cwd=command["directory"], check=True)
