#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""page.py [--check]: writes the tables of docs/pages/programs.md from the lists and results; --check compares only (exit 1)."""
import sys

import programs

BEGIN, END = "<!-- tables: written by docs/programs/page.py -->", "<!-- end of the tables -->"


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def address(program):
    path = program.path.replace(" ", "%20").replace("+", "%2B")
    return f"https://github.com/{program.repository}/blob/{program.commit}/{path}"


def name(program):
    arguments = "" if program.arguments == "-" else " " + program.arguments
    smaller = "" if program.smaller == "-" else ", smaller"
    return f"[{cell(program.path)}]({address(program)}){cell(arguments)}{smaller}"


def totals(listed, seen):
    rows = [seen[program.key()] for program in listed if program.key() in seen]
    passed = sum(row.result == "passes" for row in rows)
    mute = sum(program.success == "ends" for program in listed)
    files = len({(program.repository, program.path) for program in listed})
    alarms = sum(row.verdict == "false alarm" for row in rows)
    return (f"**{len(listed)} programs** of {files} files. {len(rows)} were run: {passed} compile and pass their own "
            f"verification, or end without an error where they have none ({mute} of the list); `--check` has a false alarm "
            f"on {alarms}.")


def program_tables(listed, seen):
    for repository in dict.fromkeys(program.repository for program in listed):
        yield f"\n### {repository}\n"
        yield "| program | result | `--check` |"
        yield "| --- | --- | --- |"
        for program in (program for program in listed if program.repository == repository):
            row = seen.get(program.key())
            said = cell(row.check) if row else "-"
            if row and row.verdict == "right" and program.finds != "-":
                said += f"; right: {cell(program.why)}"
            elif row and row.verdict in ("false alarm", "missed"):
                said += f" ({row.verdict})"
            yield f"| {name(program)} | {row.result if row else 'not run'} | {said} |"


def fault_table(listed, seen):
    found = sum(program.key() in seen and seen[program.key()].verdict == "right" for program in listed)
    yield f"\n## Published faults\n\n**{len(listed)} programs with a fault that was published**: `--check` finds {found}.\n"
    yield "| program | the fault, and where it was reported | `--check` |"
    yield "| --- | --- | --- |"
    for program in listed:
        row = seen.get(program.key())
        said = "not run" if row is None else cell(row.check) + ("" if row.verdict == "right" else f" ({row.verdict})")
        yield f"| {program.repository}: {name(program)} | {cell(program.why)} | {said} |"


def tables(folder):
    listed, faulty, seen = programs.programs(folder), programs.faults(folder), programs.results(folder)
    return "\n".join(["", totals(listed, seen), *program_tables(listed, seen), *fault_table(faulty, seen), ""])


def page_of(folder):
    return folder.parent / "pages" / "programs.md"


def text_of(folder):
    """The page with the tables of the lists."""
    before, rest = page_of(folder).read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + tables(folder) + END + rest.split(END)[1]


def update(folder):
    page_of(folder).write_text(text_of(folder), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if text_of(programs.HERE) != page_of(programs.HERE).read_text(encoding="utf-8"):
            sys.exit("docs/pages/programs.md does not have the tables of docs/programs: run docs/programs/page.py")
    elif sys.argv[1:]:
        sys.exit("page.py takes --check or nothing")
    else:
        update(programs.HERE)
