#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the checks with mutants: changes each solution in one place, many times, and counts how often its check fails.

    solutions/mutate.py [--build build/cpu] [--configurations virtual2,none] [--jobs 2] [EXERCISE...]

A mutant changes an operator, a number, a Boolean, a dtype or a device, negates a condition, drops a statement, or swaps
two neighbouring statements. In a kernel it also removes barriers and padding, and changes indices, strides, masks and the
blocks of a launch. Mutants that do not compile do not count. A mutant is killed if the check fails, crashes or
times out in one of the configurations. Some survivors compute the same result as the solution. They are listed, with
the reason, in solutions/equivalent_mutants.txt, and do not count either. The exit code is 1 if less than 95 % are
killed, or if a survivor is not listed.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EQUIVALENT = ROOT / "solutions" / "equivalent_mutants.txt"
SECONDS = 20
MEMORY = 24 << 30  # address space: a virtual GPU reserves more than it uses
NEEDED = 0.95

# Comments, string literals and preprocessor lines are not changed.
SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#[^\n]*', re.S | re.M)
INNER = r"[^()]*(?:\([^()]*\)[^()]*)*"  # the inside of brackets, with nested brackets
REPLACEMENTS = [
    (r"(?<=\s)\+(?=\s)", "-"), (r"(?<=\s)-(?=\s)", "+"), (r"(?<=\s)\*(?=\s)", "/"), (r"(?<=\s)/(?=\s)", "*"),
    (r"(?<=\s)<(?=\s)", "<="), (r"(?<=\s)<(?=\s)", ">"), (r"(?<=\s)<=(?=\s)", "<"), (r"(?<=\s)>(?=\s)", ">="),
    (r"(?<=\s)>=(?=\s)", "<"), (r"==", "!="), (r"!=", "=="), (r"&&", "||"), (r"\|\|", "&&"), (r"\+=", "-="),
    (r"-=", "+="), (r"\+\+", "--"), (r"!(?=[\w(])", ""), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"\bkFloat\b", "kDouble"), (r"\bkDouble\b", "kFloat"), (r"\bkLong\b", "kInt"),
    (rf"\bgpu\({INNER}\)", "cpu()"), (rf"\bgpu\((?=[^)0]){INNER}\)", "gpu(0)"), (r"(?<![.\w>])cpu\(\)", "gpu()"),
    (rf"\btry_gpu\({INNER}\)", "cpu()"), (rf"\btry_gpu\((?=[^)0]){INNER}\)", "try_gpu(0)"),
    (r"\b\w+(?:\(\)|\[\w+\])?(?:\.|->)device\(\)", "cpu()"), (r"\bis_cpu\(", "is_cuda("),
    (r"\bis_cuda\(", "is_cpu("), (r"\bempty\(\)", "size() == 1"), (r"\bbegin\(\)", "begin() + 1"),
    (r"(?<=[(,:] )\b(?:device|wanted)\b(?=[,)])", "cpu()"), (r"(?<=\()\b(?:device|wanted)\b(?=[,)])", "cpu()"),
    (r"\.front\(\)", ".back()"), (r"\.back\(\)", ".front()"), (r"\bmin\b", "max"), (r"\bmax\b", "min"),
    (r"\bones\b", "zeros"), (r"\bzeros\b", "ones"), (r"\bmean\(", "sum("),
]
# Of kernels: barriers, the padding of shared arrays, indices, masks of shuffles, what atomics do, and kinds of memory.
KERNEL_REPLACEMENTS = [
    (r"__sync(?:threads|warp)\([^()]*\);", ";"), (r"\[(\w+) \+ 1\]", r"[\1]"), (r"\bthreadIdx\.x\b", "threadIdx.y"),
    (r"\bthreadIdx\.y\b", "threadIdx.x"), (r"\bblockIdx\.x\b", "blockIdx.y"), (r"\bblockIdx\.x\b", "0"),
    (r"\bblockIdx\.y\b", "blockIdx.x"), (r"\bblockDim\.x\b", "gridDim.x"), (r"\bgridDim\.x\b", "1"),
    (r"\b0x[fF]{8}[uU]?\b", "0x7fffffffu"), (r"\b__shfl_down_sync\b", "__shfl_up_sync"),
    (r"\b__shfl_xor_sync\b", "__shfl_down_sync"), (r"\batomicAdd\(&", "atomicExch(&"), (r"\batomicMax\b", "atomicMin"),
    (r"/= 2\b", "/= 4"), (r">>= 1\b", ">>= 2"), (r"\*= 2\b", "*= 4"), (r"(?<=\s)%(?=\s)", "/"), (r"(?<=\s)\^(?=\s)", "+"),
    (r"\bfmaxf\b", "fminf"), (r"\bfminf\b", "fmaxf"), (r"-INFINITY\b", "0.0f"),
    (r"(?<=, )stream\(\w+\.device\(\)\)(?=>>>)", "nullptr"),
]
NUMBER = re.compile(r"(?<![\w.'])(\d+)(?![\w.'])")
FRACTION = re.compile(r"(?<![\w.'])(\d+\.\d*(?:e-?\d+)?|\d+e-?\d+)(?![\w.'])")
DECLARATION = re.compile(r"(?:using|const|constexpr|extern|__shared__|auto|int|float|double|bool|std::\w+) ")
CONDITION = re.compile(rf"\b(?:if|while) \(({INNER})\)")


def blanked(text):
    """The text with blanks for skipped parts, so that positions stay the same."""
    return SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def statements(code):
    """The simple statements, as (block, begin, end): they end with a semicolon outside of all brackets."""
    found, blocks, begin, depth, count = [], [0], 0, 0, 0
    for at, letter in enumerate(code):
        depth += (letter in "([") - (letter in ")]")
        if letter in "{}":
            depth = 0
            begin = at + 1
            if letter == "{":
                count += 1
                blocks.append(count)
            elif len(blocks) > 1:
                blocks.pop()
        elif letter == ";" and depth == 0:
            text = code[begin:at + 1]
            found.append((blocks[-1], begin + len(text) - len(text.lstrip()), at + 1))
            begin = at + 1
    return found


def mutants(text):
    """(description, text) for each mutant; the description names the line before and after."""
    code = blanked(text)
    made = {}

    def add(what, begin, end, new):
        changed = text[:begin] + new + text[end:]
        if changed == text:
            return
        if what is None:
            first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
            line = text[first:last]
            what = line.strip() + " => " + (line[:begin - first] + new + line[end - first:]).strip()
        made.setdefault(changed, " ".join(what.split()))

    for pattern, new in REPLACEMENTS + (KERNEL_REPLACEMENTS if "__global__" in code else []):
        for match in re.finditer(pattern, code):
            add(None, match.start(), match.end(), match.expand(new))
    for match in NUMBER.finditer(code):
        add(None, match.start(), match.end(), str(int(match.group()) + 1))
    for match in FRACTION.finditer(code):
        add(None, match.start(), match.end(), f"(2 * {match.group()})")
    for match in CONDITION.finditer(code):
        add(None, match.start(1), match.end(1), f"!({text[match.start(1):match.end(1)]})")
    simple = statements(code)
    for block, begin, end in simple:
        statement = text[begin:end]
        if statement.strip() != ";" and not statement.startswith("using "):
            add("dropped: " + statement, begin, end, ";")
    for (block, begin, middle), (other, next_begin, end) in zip(simple, simple[1:]):
        first, second = text[begin:middle], text[next_begin:end]
        if block == other and not (DECLARATION.match(first) and DECLARATION.match(second)):  # these make no difference
            add(f"swapped: {first} {second}", begin, end, second + text[middle:next_begin] + first)
    return [(what, changed) for changed, what in made.items()]


def environment(configuration):
    gpus = "0" if configuration == "none" else configuration.replace("virtual", "") + ":1GiB@host"
    return {**os.environ, "D2L_VIRTUAL_GPUS": gpus, "CCACHE_DISABLE": "1"}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Exercise:
    """Compiles and checks variants of a solution."""

    def __init__(self, name, build, folder):
        self.name, self.build, self.folder = name, build, folder
        self.source = next(path for path in (ROOT / "solutions" / f"{name}.{suffix}" for suffix in ("cpp", "cu"))
                           if path.exists())
        self.is_cuda = self.source.suffix == ".cu"
        target = "solution_" + name.replace("/", "_")
        subprocess.run(["ninja", "-C", build, target], check=True, stdout=subprocess.DEVNULL)
        listed = subprocess.run(["ninja", "-C", build, "-t", "commands", target], check=True, capture_output=True,
                                text=True).stdout.splitlines()
        compiled = f"{self.source}.cpp" if self.is_cuda else str(self.source)
        compiling = next(line for line in listed if " -c " in line and compiled in line.split(" -c ")[1])
        self.translator = os.path.join(build, "common/emulator/d2l_cuda_translator")
        self.link = next(line for line in listed if f"-o exercises/{target} " in line)
        self.object = re.search(r" -o (\S+)", compiling).group(1)
        words = shlex.split(compiling)
        self.compile = [word for word in words[:words.index("-MD")] if not word.endswith("ccache")] + ["-w"]
        self.compile += ["-Werror=return-type"] + ([] if self.is_cuda else ["-O0"])  # counts depend on the optimisation
        folder.mkdir()
        if self.is_cuda:
            return
        # Precompiled once, because the headers take longer than the solution.
        subprocess.run([*self.compile, "-x", "c++-header", "-c", ROOT / "exercises" / name / "exercise.h", "-o",
                        folder / "exercise.h.gch"], check=True, cwd=build)

    def program(self, text, number):
        """The compiled program; None when it does not compile."""
        stem = self.folder / str(number)  # without a suffix: the program
        source = stem.with_suffix(self.source.suffix)
        source.write_text(text)
        if self.is_cuda and subprocess.run([self.translator, source, f"{stem}.cpp"], stderr=subprocess.DEVNULL).returncode:
            return None
        compiled = subprocess.run([*self.compile, "-c", f"{stem}.cpp", "-o", f"{stem}.o"], cwd=self.build,
                                  stderr=subprocess.DEVNULL).returncode
        if compiled != 0:
            return None
        link = self.link.replace(f" {self.object} ", f" {stem}.o ")
        link = re.sub(r" -o \S+", f" -o {stem}", link, count=1)
        subprocess.run(link, shell=True, check=True, cwd=self.build, stdout=subprocess.DEVNULL)
        return stem

    def fate(self, text, number, configurations):
        if self.is_cuda:
            configurations = [one for one in configurations if one != "none"]  # kernels need a GPU
        program = self.program(text, number)
        if program is None:
            return "does not compile"
        try:
            for configuration in configurations:
                ended = subprocess.run([program], env=environment(configuration), timeout=SECONDS, preexec_fn=limit,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
                if ended not in (0, 77):  # 77: not verifiable in this configuration
                    return "killed"
        except subprocess.TimeoutExpired:
            return "killed"
        finally:
            program.unlink()
            program.with_suffix(".o").unlink()
        return "survived"


def equivalent():
    """The listed mutants, as a set of (exercise, description)."""
    listed = set()
    for line in EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []:
        if line and not line.startswith("#"):
            name, rest = line.split(": ", 1)
            listed.add((name, rest.split(" -- ")[0].strip()))
    return listed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exercises", nargs="*", metavar="EXERCISE", help="1_gpus/3_frobenius_log; all by default")
    parser.add_argument("--build", default="build/cpu", help="a configured build folder, with Ninja")
    parser.add_argument("--configurations", default="virtual2,none")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--at-most", type=int, help="the number of mutants of each exercise to test")
    given = parser.parse_args()
    names = given.exercises or sorted(str(path.relative_to(ROOT / "solutions").with_suffix(""))
                                      for path in (ROOT / "solutions").glob("*/*.c*"))
    configurations, listed, good = given.configurations.split(","), equivalent(), True
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for name in names:
            exercise = Exercise(name, os.path.abspath(given.build), pathlib.Path(folder) / name.replace("/", "_"))
            text = exercise.source.read_text()
            if exercise.fate(text, "whole", configurations) != "survived":
                sys.exit(f"{name}: the solution itself does not pass")
            made = mutants(text)[:given.at_most]
            fates = list(pool.map(lambda one: exercise.fate(one[1][1], one[0], configurations), enumerate(made)))
            survivors = [what for (what, _), fate in zip(made, fates) if fate == "survived"]
            unlisted = [what for what in survivors if (name, what) not in listed]
            killed = fates.count("killed")
            share = killed / max(1, killed + len(unlisted))
            good = good and not unlisted and share >= NEEDED
            print(f"{name}: {killed} killed, {len(survivors)} survived, {len(survivors) - len(unlisted)} of them "
                  f"equivalent; {fates.count('does not compile')} do not compile; {100 * share:.0f} %", flush=True)
            for what in unlisted:
                print(f"  survived: {what}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
