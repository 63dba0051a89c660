#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every public name is documented, and that its documentation names the errors that the code raises.

    coverage.py DOXYFILE COURSE
    coverage.py DOXYFILE --planted

DOXYFILE is the one of the book. Public names are headers, namespaces, classes, functions, variables, types, enumerations,
their values and macros that are neither private nor in a namespace `detail`; deleted and defaulted functions need no
documentation. If the sources contain fail<ShapeError>("cat", …), then the documentation of cat, or of a name that it refers
to as `other()`, must name ShapeError. --planted checks that each kind of gap is found. Exits with 1 if something is missing,
and with 77 without Doxygen.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SETTINGS = """
@INCLUDE = "{doxyfile}"
INPUT = {headers}
OUTPUT_DIRECTORY = "{folder}"
WARN_LOGFILE = "{folder}/warnings.txt"
WARN_AS_ERROR = NO
GENERATE_HTML = NO
GENERATE_TAGFILE =
GENERATE_XML = YES
HIDE_UNDOC_CLASSES = NO
XML_PROGRAMLISTING = NO
"""
RAISED = re.compile(r'fail<(\w+Error)>\(\s*"(\w+)"|throw (\w+Error)\([^;]*?"\[(\w+)\]')
NOT_PUBLIC = {"backend", "check"}  # folders whose errors are not raised by public names
PLANTED_HEADER = """/// @file
/// A header with undocumented names.
/// For the test.
namespace d2l {
/// Halves a number.
int halved(int x);
int silent(int x);
class Wordless {};
}
"""
PLANTED_GAPS = [r"silent[^\n]* is not documented", "class d2l::Wordless is not documented", "halved can raise a ValueError"]


def text(element):
    """The text of an element without markup."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


class Name:
    """A public name: its label, its place, and its documentation."""

    def __init__(self, element, label):
        place = element.find("location")
        self.label = label
        self.where = f"{place.get('file')}:{place.get('line') or 1}" if place is not None else "?"
        self.words = " ".join(text(element.find(part)) for part in ("briefdescription", "detaileddescription")).strip()
        path = re.sub(r"<[^<>]*>", "", re.split("[(=]", label)[0]).split()[-1].split("::")
        self.name = path[-1]
        self.owner = path[-2] if len(path) > 1 else ""


def needs_no_words(member):
    """True for a private, deleted or defaulted member, and for a friend class."""
    definition, arguments = (text(member.find(part)) for part in ("definition", "argsstring"))
    if member.get("kind") == "friend" and re.match(r"(friend )?(class|struct) ", definition):
        return True
    plain = "~" in definition or arguments.startswith("()")
    return member.get("prot") == "private" or arguments.endswith("=delete") or (
        arguments.endswith("=default") and plain)


def names_in(folder):
    """Each public name in Doxygen's XML, once."""
    found = {}
    for path in sorted(folder.glob("*.xml")):
        for compound in ElementTree.parse(path).getroot().iter("compounddef"):
            title = text(compound.find("compoundname"))
            if compound.get("kind") in ("dir", "page") or compound.get("prot") == "private":
                continue
            found[compound.get("id")] = Name(compound, f"{compound.get('kind')} {title}")
            for member in compound.iter("memberdef"):
                if needs_no_words(member):
                    continue
                what = text(member.find("definition")) or f"{member.get('kind')} {text(member.find('name'))}"
                found[member.get("id")] = Name(member, what + text(member.find("argsstring")))
                for value in member.iter("enumvalue"):
                    entry = Name(value, f"{what}::{text(value.find('name'))}")
                    entry.where = found[member.get("id")].where
                    found[value.get("id")] = entry
    return list(found.values())


def raised_in(course):
    """(public name, error) for each error that the sources of the rooms raise."""
    for path in sorted(course.glob("common/*/src/**/*.cpp")):
        if NOT_PUBLIC.isdisjoint(path.relative_to(course).parts):
            for match in RAISED.findall(path.read_text(encoding="utf-8")):
                yield (match[1] or match[3], match[0] or match[2])


def is_told(name, error, names, seen=frozenset()):
    """True if the documentation of a name, of its members, or of a name that it refers to, names the error."""
    about = [each.words for each in names if name in (each.name, each.owner, each.owner.removesuffix("Impl"))]
    if any(error in words for words in about):
        return True
    further = set(re.findall(r"(\w+)\(\)", " ".join(about))) - seen - {name}
    return any(is_told(other, error, names, seen | {name}) for other in further)


def describe(doxygen, doxyfile, course):
    headers = " ".join(f'"{folder.parent}"' for folder in sorted(course.glob("common/*/include/d2l")))
    with tempfile.TemporaryDirectory() as folder:
        settings = SETTINGS.format(doxyfile=doxyfile, headers=headers, folder=folder)
        subprocess.run([doxygen, "-"], input=settings, text=True, check=True, stdout=subprocess.DEVNULL)
        return names_in(pathlib.Path(folder) / "xml")


def gaps(doxygen, doxyfile, course):
    """What is missing in the public headers and the sources of a course, as lines; prints the counts."""
    course = pathlib.Path(course)
    names = describe(doxygen, doxyfile, course)
    undocumented = sorted((name for name in names if not name.words), key=lambda name: name.where)
    known = {name.name for name in names}
    raised = sorted({pair for pair in raised_in(course) if pair[0] in known})
    untold = [pair for pair in raised if not is_told(*pair, names)]
    print(f"{len(names) - len(undocumented)} of {len(names)} public names are documented")
    print(f"{len(raised) - len(untold)} of {len(raised)} errors are named where they are raised")
    if not names or not raised:
        return ["found no names or no errors to check"]
    return [f"{name.where}: {name.label} is not documented" for name in undocumented] + [
        f"{name} can raise a {error}, but its documentation does not say so" for name, error in untold]


def check_planted(doxygen, doxyfile):
    """The gaps of a small header and source that have one gap of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        room = pathlib.Path(folder) / "common/room"
        headers, sources = room / "include/d2l", room / "src"
        headers.mkdir(parents=True)
        sources.mkdir()
        (headers / "planted.h").write_text(PLANTED_HEADER, encoding="utf-8")
        (sources / "halved.cpp").write_text('int halved(int x) { fail<ValueError>("halved", "odd"); }\n', encoding="utf-8")
        found = "\n".join(gaps(doxygen, doxyfile, folder))
    missed = [gap for gap in PLANTED_GAPS if not re.search(gap, found)]
    return [f"did not find {gap!r} in:\n{found}" for gap in missed]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    doxygen, doxyfile, *rest = shutil.which("doxygen"), *sys.argv[1:]
    if doxygen is None or not pathlib.Path(doxyfile).exists():
        print("Skipped: Doxygen or other tools of the book are missing; ./learn setup --all installs them")
        return 77
    found = check_planted(doxygen, doxyfile) if rest == ["--planted"] else gaps(doxygen, doxyfile, *rest)
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
