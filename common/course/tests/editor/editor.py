# SPDX-License-Identifier: MIT
"""editor.py CLANGD COURSE NAME...: clangd, with the arguments that VS Code's settings give it, has no error in these files."""
import json
import pathlib
import re
import subprocess
import sys

clangd, course, *names = sys.argv[1:]
settings = json.loads((pathlib.Path(course) / ".vscode/settings.json").read_text())
arguments = [argument.replace("${workspaceFolder}", course) for argument in settings.get("clangd.arguments", [])]
failed = []
for name in names:
    done = subprocess.run([clangd, *arguments, f"--check={name}"], cwd=course, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if not re.search("All checks completed, 0 errors", done.stdout):
        print(f"{name}:", *re.findall(r"^E\[.*", done.stdout, re.MULTILINE), sep="\n")
        failed.append(name)
sys.exit(1 if failed else 0)
