#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the public names that are documented, and the errors that are told of where they are raised.

    coverage.py DOXYFILE HEADERS [SOURCES]

DOXYFILE is the site's. Public are headers, namespaces, classes, functions, variables, types, enumerations, their values
and macros that are neither private nor in a namespace `detail`; what is deleted, or left to the compiler, says all that
there is to say. The sources raise an error as fail<ShapeError>("cat", …): the words about cat, or those that they
point to by `other()`, have to name ShapeError. Ends with 1 unless both are complete, with 77 without Doxygen.
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
INPUT = "{headers}"
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
NOT_PUBLIC = {"backend", "check"}  # the folders of sources behind the seam, and of the program that checks


def text(element):
    """What an element says, without its markup."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


class Name:
    """A public name: what it is, where it stands, and the words about it."""

    def __init__(self, element, label):
        place = element.find("location")
        self.label = label
        self.where = f"{place.get('file')}:{place.get('line') or 1}" if place is not None else "?"
        self.words = " ".join(text(element.find(part)) for part in ("briefdescription", "detaileddescription")).strip()
        path = re.sub(r"<[^<>]*>", "", re.split("[(=]", label)[0]).split()[-1].split("::")
        self.name = path[-1]
        self.owner = path[-2] if len(path) > 1 else ""


def says_itself(member):
    """True for what is no member of ours: private, a befriended class, deleted, or left to the compiler."""
    definition, arguments = (text(member.find(part)) for part in ("definition", "argsstring"))
    if member.get("kind") == "friend" and re.match(r"(friend )?(class|struct) ", definition):
        return True
    plain = "~" in definition or arguments.startswith("()")
    return member.get("prot") == "private" or arguments.endswith("=delete") or (
        arguments.endswith("=default") and plain)


def names_in(folder):
    """Every public name of Doxygen's XML, once."""
    found = {}
    for path in sorted(folder.glob("*.xml")):
        for compound in ElementTree.parse(path).getroot().iter("compounddef"):
            title = text(compound.find("compoundname"))
            if compound.get("kind") in ("dir", "page") or compound.get("prot") == "private":
                continue
            found[compound.get("id")] = Name(compound, f"{compound.get('kind')} {title}")
            for member in compound.iter("memberdef"):
                if says_itself(member):
                    continue
                what = text(member.find("definition")) or f"{member.get('kind')} {text(member.find('name'))}"
                found[member.get("id")] = Name(member, what + text(member.find("argsstring")))
                for value in member.iter("enumvalue"):
                    entry = Name(value, f"{what}::{text(value.find('name'))}")
                    entry.where = found[member.get("id")].where
                    found[value.get("id")] = entry
    return list(found.values())


def raised_in(sources):
    """(public name, error) for each error that the sources raise in its name."""
    for path in sorted(sources.rglob("*.cpp")):
        if NOT_PUBLIC.isdisjoint(path.relative_to(sources).parts):
            for match in RAISED.findall(path.read_text(encoding="utf-8")):
                yield (match[1] or match[3], match[0] or match[2])


def is_told(name, error, names, seen=frozenset()):
    """True when the words about a name or a class's members, or those that they point to, name the error."""
    about = [each.words for each in names if name in (each.name, each.owner, each.owner.removesuffix("Impl"))]
    if any(error in words for words in about):
        return True
    further = set(re.findall(r"(\w+)\(\)", " ".join(about))) - seen - {name}
    return any(is_told(other, error, names, seen | {name}) for other in further)


def describe(doxygen, doxyfile, headers):
    with tempfile.TemporaryDirectory() as folder:
        settings = SETTINGS.format(doxyfile=doxyfile, headers=headers, folder=folder)
        subprocess.run([doxygen, "-"], input=settings, text=True, check=True, stdout=subprocess.DEVNULL)
        return names_in(pathlib.Path(folder) / "xml")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    doxygen = shutil.which("doxygen")
    if doxygen is None or not pathlib.Path(sys.argv[1]).exists():
        print("Skipped: there is no Doxygen with what the site takes; ./learn setup --all installs it")
        return 77
    names = describe(doxygen, *sys.argv[1:3])
    silent = [name for name in names if not name.words]
    for name in sorted(silent, key=lambda name: name.where):
        print(f"{name.where}: {name.label} is not documented")
    print(f"{len(names) - len(silent)} of {len(names)} public names documented")
    if len(sys.argv) == 3:
        return 1 if silent or not names else 0

    known = {name.name for name in names}
    raised = sorted({pair for pair in raised_in(pathlib.Path(sys.argv[3])) if pair[0] in known})
    untold = [pair for pair in raised if not is_told(*pair, names)]
    for name, error in untold:
        print(f"{name} can end with a {error}, and does not say so")
    print(f"{len(raised) - len(untold)} of {len(raised)} errors told of at the name that raises them")
    return 1 if silent or untold or not raised else 0


if __name__ == "__main__":
    sys.exit(main())
