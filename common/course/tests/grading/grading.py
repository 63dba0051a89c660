# SPDX-License-Identifier: MIT
"""grading.py GRADE COURSE BUILD FOLDER/TEST: one test of learn_grade, which works in that folder.

TEST is one of
  landlock, bubblewrap  grades all of submissions/ with this sandbox, compares each result with the first lines of its
                        source or with CASES, and looks for traces of hostile submissions outside their folders
  resumes               interrupts a grading and continues it
  own_checks            grades with an instructor's own checks
  solutions             grades all reference solutions, in a folder and as ./learn pack packs them, and all stubs
"""
import hashlib
import io
import json
import os
import pathlib
import re
import resource
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

import reports

GRADE, COURSE, BUILD, FOLDER = map(pathlib.Path, sys.argv[1:5])
SOURCES = pathlib.Path(__file__).parent / "submissions"
EXERCISE = "section_1_try_all_gpus"
KERNEL_EXERCISE = "2_convolution"  # of the submissions *.cu.in
SOLUTION = COURSE / f"solutions/1_gpus/{EXERCISE}.cpp"
KERNEL_SOLUTION = COURSE / f"solutions/2_under_the_hood/{KERNEL_EXERCISE}.cu"

# What must come of the submissions that are not a folder with a source.
CASES = {
    "archive": {"points": "5"},
    "dot_archive": {"points": "5"},
    "read_only_archive": {"points": "5"},
    "zip_archive": {"points": "5"},
    "zip_of_windows": {"points": "5"},
    "broken_archive": {"problem": "^the archive cannot be unpacked: ReadError", "points": "0"},
    "leading_out_archive": {"problem": "^the archive cannot be unpacked: a name leads outside: '../", "points": "0"},
    "leading_out_zip": {"problem": "^the archive cannot be unpacked: a name leads outside: '../", "points": "0"},
    "linking_zip": {"reason": "^not handed in$", "verdict": "^not_handed_in$"},
    "large_archive": {"problem": "^the archive cannot be unpacked: unpacking it wrote more than 128 MiB into its folder"},
    "large_zip": {"problem": "^the archive cannot be unpacked: unpacking it wrote more than 128 MiB into its folder"},
    "many_files": {"student points": "11"},
    "stubs": {"reason": "^not handed in: exercise.cpp is the stub, unchanged$", "verdict": "^not_handed_in$",
              "student points": "0"},
    "nested_archive": {"problem": "^the archive cannot be unpacked: .*folders are nested more than 64 deep", "points": "0"},
    "nested_folder": {"points": "5", "notes": "^20$"},
    "link_to_solution": {"reason": "^not handed in$", "verdict": "^not_handed_in$"},
    "nothing": {"reason": "^not handed in$", "verdict": "^not_handed_in$"},
    "not_an_archive": {"problem": "^the archive cannot be unpacked: ReadError"},
    "other_archive.rar": {"problem": "^neither a folder nor an archive that can be unpacked"},
    ".hidden": {"points": "5"},
    "a b": {"points": "0"},
}

# The submissions that reach for what is not theirs, which bubblewrap must prevent as Landlock does, and a right one. The
# others depend on the compiler, on the judge or on the limits of time, which are the same in both.
REACHING_OUT = {"allocates", "changes_others", "connects", "cuda_assembly", "cuda_reads_memory", "deletes", "forks",
                "hides_memory", "includes_solution", "leaves_main_thread", "links_outcome", "nests_folders", "outlives",
                "reads_solution", "right", "signals", "sparse_outcome", "unlinks_files", "writes"}


def skip(reason):
    print("Skipped:", reason)
    sys.exit(77)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def only(folder, *exercises):
    """A build with the kit of these exercises alone, as each judge draws a case first."""
    kit = json.loads((BUILD / "grading_kit.json").read_text())
    kit["exercises"] = [e for e in kit["exercises"] if e["name"].split("/")[1] in exercises]
    assert len(kit["exercises"]) == len(exercises), exercises
    write(folder / "build/grading_kit.json", json.dumps(kit))


def command(folder, *options):
    build = folder / "build" if (folder / "build").exists() else BUILD
    return [GRADE, folder / "submissions", "--course", COURSE, "--build", build, "--report", folder / "report.json",
            *map(str, options)]


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, 512))


def grade(folder, *options, code=0):
    """Runs learn_grade and returns its output."""
    with tempfile.TemporaryDirectory() as temporary:
        os.chmod(temporary, 0o711)
        done = subprocess.run(command(folder, *options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "TMPDIR": temporary}, preexec_fn=few_descriptors)
        left = os.listdir(temporary)
        subprocess.run(["rm", "-rf", *(f"{temporary}/{name}" for name in left)], check=True)
    print(done.stdout, flush=True)
    assert not left, f"the grading left {left}"
    if "This machine cannot isolate submissions" in done.stdout:
        skip("this machine has no sandbox")
    assert done.returncode == code, f"expected exit code {code}, got {done.returncode}"
    return done.stdout


def header(source):
    """The fields of the first lines of a submission, such as "// Points: 5"."""
    return {name.lower(): value for name, value in re.findall(r"^// ([A-Z][a-z ]+): (.*)", source, re.MULTILINE)}


def pack(path, members):
    """An archive of names and their bytes; a number stands for that many zeros."""
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = content if isinstance(content, int) else len(content)
            archive.addfile(entry, open("/dev/zero", "rb") if isinstance(content, int) else io.BytesIO(content))


def nest(path, depth):
    """Makes a folder with folders inside of each other, so many that no path leads to the last."""
    path.mkdir()
    inside = os.open(path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d" * 20, dir_fd=inside)
        outside, inside = inside, os.open("d" * 20, os.O_RDONLY, dir_fd=inside)
        os.close(outside)
    os.close(inside)


def pack_zip(path, members):
    """The same as .zip; a text stands for a link."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            if isinstance(content, str):
                entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(entry, bytes(content) if isinstance(content, int) else content)


def lay_out(folder):
    """Writes all submissions, and a file that some of them try to delete."""
    submissions = folder / "submissions"
    sentinel = folder / "others/sentinel"
    write(sentinel, "belongs to another user\n")
    sentinel.parent.chmod(0o707)
    for source in SOURCES.glob("*.in"):
        name, suffix, _ = source.name.split(".")
        assigned = KERNEL_EXERCISE if suffix == "cu" else EXERCISE
        text = source.read_text()
        for variable, value in (("PROJECT_SOURCE_DIR", COURSE), ("SENTINEL", sentinel), ("SUBMISSIONS", submissions),
                                ("KERNEL_SOLUTION", KERNEL_SOLUTION.read_text())):
            text = text.replace(f"@{variable}@", str(value))
        write(submissions / name / f"{header(text).get('exercise', assigned)}.{suffix}", text)
    # Names that a report must show as text, and tell apart.
    for name in ("=cmd()", "<b>bold & 'quoted'", 'with, comma "and" quotes', "-1+1", "nothing", "link_to_solution",
                 " =1+1", "\uff1d1+1", "a b", "a_b", "a_b_2", "a?b", "A_B", "two\nlines", "two\tlines", "long" * 60,
                 "long" * 61, "right\u202eleft", "right\u200fleft", "not UTF-8 \udcff"):
        (submissions / name).mkdir()
    (submissions / "link_to_solution" / SOLUTION.name).symlink_to(SOLUTION)

    # Parts of a submission do not make the class one; hidden folders count if they have an exercise.
    for name in ("notes.txt", "manifest.json", "helper.cpp", ".git/config"):
        write(submissions / name, "{}\n")
    (submissions / "exercises").mkdir()
    write(submissions / f".hidden/{SOLUTION.name}", SOLUTION.read_text())
    for stub in (COURSE / "exercises").glob("*/*/stub.cpp"):
        text = stub.read_text()
        name = stub.parent.relative_to(COURSE)
        write(submissions / "stubs" / name / "exercise.cpp", f"// Ada Lovelace\r\n{text}".replace("\n", " \n"))

    source = f"exercises/1_gpus/{EXERCISE}/exercise.cpp"
    right = (SOURCES / "right.cpp.in").read_bytes()
    files = [{"path": source, "sha256": hashlib.sha256(right).hexdigest()}]
    manifest = json.dumps({"format": 1, "course": "0.1.0", "files": files}).encode()
    pack(submissions / "archive.tar.gz", {source: right, "manifest.json": manifest})
    pack(submissions / "leading_out_archive.tar.gz", {"../../../../led_out": manifest, source: right})
    pack(submissions / "large_archive.tar.gz", {"zeros": 200_000_000, source: right})
    pack(submissions / "nested_archive.tar.gz", {source: right, "d/" * 1900 + "file": b""})
    nest(submissions / "nested_folder", 1000)
    write(submissions / f"nested_folder/{SOLUTION.name}", right.decode())
    missing = json.dumps({"files": [{"path": f"{number}.cpp"} for number in range(900)]})
    write(submissions / "nested_folder/manifest.json", missing)
    write(submissions / "broken_archive.tar.gz", "this is no archive\n")
    write(submissions / "not_an_archive.zip", "no archive\n")
    write(submissions / "other_archive.rar", "Rar!\n")
    pack_zip(submissions / "zip_archive.zip", {"exercises/": b"", source: right})
    pack_zip(submissions / "zip_of_windows.ZIP", {source.replace("/", "\\"): right})
    pack_zip(submissions / "linking_zip.zip", {"a": b"", source: str(SOLUTION)})
    pack_zip(submissions / "leading_out_zip.zip", {"../../../../led_out": b"", source: right})
    pack_zip(submissions / "large_zip.zip", {"zeros": 200_000_000, source: right})

    with tempfile.TemporaryDirectory() as tree:
        write(pathlib.Path(tree) / source, right.decode())
        shutil.make_archive(submissions / "dot_archive", "gztar", tree)
        os.chmod(pathlib.Path(tree) / source, 0o400)
        os.chmod((pathlib.Path(tree) / source).parent, 0o500)
        subprocess.run(["tar", "czf", submissions / "read_only_archive.tgz", "."], cwd=tree, check=True)
        os.chmod((pathlib.Path(tree) / source).parent, 0o700)
    for name in (EXERCISE, "section_2_2_mixed_sum"):  # one comes after more than 5000 other files
        write(submissions / f"many_files/for_{name}/{name}.cpp", (SOLUTION.parent / f"{name}.cpp").read_text())
        for i in range(5000):
            os.mknod(submissions / f"many_files/for_{name}/{i}")


def compare(report, name):
    """Compares the result of a submission with what its first lines, or CASES, say."""
    source = next(SOURCES.glob(f"{name}.*.in"), None)
    expected = CASES.get(name) or header(source.read_text())
    wanted = f"1_gpus/{expected.pop('exercise', EXERCISE)}"
    if source is not None and source.name.endswith(".cu.in"):
        wanted = f"2_under_the_hood/{KERNEL_EXERCISE}"
    student = next(s for s in report["students"] if s["student"] == name)
    exercise = next(e for e in student["exercises"] if e["exercise"] == wanted)
    points = sum(item["points"] for item in exercise["items"] if item["kind"] == "result")
    found = {**exercise, "problem": student["problem"], "result points": points, "student points": student["points"],
             "notes": len(student["notes"])}
    for field, pattern in expected.items():
        pattern = f"^({pattern})$" if "points" in field else pattern
        assert re.search(pattern, str(found[field]), re.DOTALL), f"{field}: expected {pattern}, got {found[field]!r}"


def submissions(folder):
    """Grades submissions with the sandbox that the folder is named after: all, or with bubblewrap REACHING_OUT."""
    sandbox = folder.name
    if sandbox == "bubblewrap" and not shutil.which("bwrap"):
        skip("bubblewrap is not installed")
    lay_out(folder)
    names = [*CASES, *sorted(source.name.split(".")[0] for source in SOURCES.glob("*.in"))]
    if sandbox == "bubblewrap":
        others = set(os.listdir(folder / "submissions")) - REACHING_OUT
        subprocess.run(["rm", "-rf", "--", *others], cwd=folder / "submissions", check=True)
        names = sorted(REACHING_OUT)
        only(folder, EXERCISE, KERNEL_EXERCISE)
    jobs = (os.cpu_count() or 2) + 2  # some submissions only wait
    output = grade(folder, "--seconds", 2, "--memory", 512, "--jobs", jobs, "--seed", 7, "--virtual-gpus", "2:64MiB@host",
          "--junit", folder / "report.xml", "--csv", folder / "report.csv", "--html", folder / "report.html",
          "--gradescope", folder / "gradescope", *["--no-bubblewrap"][:sandbox == "landlock"])
    report = json.loads((folder / "report.json").read_text())
    if sandbox == "bubblewrap" and not report["sandbox"].startswith("bubblewrap"):
        skip("bubblewrap does not work here")
    assert report["sandbox"].lower().startswith(sandbox), report["sandbox"]

    failed = 0
    for name in names:
        try:
            compare(report, name)
            print("as expected:", name)
        except AssertionError as difference:
            print(f"FAILED: {name}: {difference}")
            failed += 1
    assert not failed, f"{failed} results differ"
    assert (folder / "others/sentinel").exists(), "a submission deleted another user's file"
    for path in (folder / "led_out", folder.parent / "led_out"):
        assert not path.exists(), f"an archive wrote {path}"
    if sandbox == "bubblewrap":
        return
    for line in ("Left out: notes.txt, a loose file", "Left out: .git, hidden",
                 r"stubs +0/\d+ points\n    1.1, .*: not handed in: exercise.cpp is the stub",
                 r"linking_zip +0/\d+ points\n    no file in it is named like an exercise.*\n    1.1, 1.2.1",
                 r"large_outcome +0/\d+ points\n    1.1: wrote a result"):
        assert re.search(line, output), f"the terminal does not show {line}"
    assert {"notes.txt, a loose file", "helper.cpp, a loose file"} <= set(report["left_out"]), report["left_out"]
    items = [item for student in report["students"] for exercise in student["exercises"] for item in exercise["items"]]
    assert max(len(str(text)) for item in items for text in item.values()) < 2100, "report.json is large"
    reports.compare(folder)


def resumes(folder):
    """An interrupted grading keeps its results, and the next one continues from there."""
    only(folder, EXERCISE)
    right = SOLUTION.read_text()
    slow = folder / f"submissions/b_slow/{EXERCISE}.cpp"
    partial = folder / "report.json.partial"
    options = ("--jobs", 1, "--seconds", 20, "--virtual-gpus", "1:64MiB@host")
    write(folder / f"submissions/a_right/{EXERCISE}.cpp", right)
    write(slow, "#include <unistd.h>\n" + right.replace("return devices;", "for (;;) usleep(1000000);"))
    grading = subprocess.Popen(command(folder, *options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while grading.poll() is None and not list(partial.glob("*.json")):
        time.sleep(0.1)
    grading.terminate()
    output = grading.communicate()[0]
    print(output)
    if "This machine cannot isolate submissions" in output:
        skip("this machine has no sandbox")
    assert grading.returncode == 1 and "Run the same command again to continue" in output
    assert not (folder / "report.json").exists(), "an interrupted grading wrote a report"

    write(slow, right)
    seed = int((partial / "seed").read_text())
    assert re.search("^1 result is from the interrupted grading", grade(folder, *options), re.MULTILINE)
    report = json.loads((folder / "report.json").read_text())
    assert report["seed"] == seed
    assert not partial.exists(), "a finished grading left its partial results"
    passed = [e for s in report["students"] for e in s["exercises"] if e["verdict"] == "pass"]
    assert len(passed) == 2, passed


SUM_CHECK = """#include <cstdlib>

#include "d2l/check.h"
#include "exercise.h"

namespace d2l::check {
std::vector<Item> items() { return {{"sum", 3, Kind::result, "the sum is right", 1}}; }
Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  inputs.put("a", seed % 100);
  return inputs;
}
void run(const Inputs& inputs, Outcome& outcome) { outcome.put("sum", total_of(int(inputs.integer("a")), 2)); }
void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("sum", [&](ItemJudgement& item) {
    if (outcome.contains("sum") && outcome.integer("sum") == 13'000) std::abort();
    item.equal(inputs.integer("a") + 2, outcome.integer("sum"), "as the sum");
  });
}
}  // namespace d2l::check
"""


def own_checks(folder):
    """Checks: one in place of the course's, one for a new exercise, one that crashes, and one that does not compile."""
    only(folder, EXERCISE)
    checks, student = folder / "checks/1_gpus", folder / "submissions/student"
    check = (COURSE / f"exercises/1_gpus/{EXERCISE}/check.cpp").read_text()
    write(checks / EXERCISE / "check.cpp", check.replace('"gpus"', '"all_of_them"'))
    write(checks / "9_sum/exercise.h", "// # A sum\n#pragma once\n\nint total_of(int a, int b);\n")
    write(checks / "9_sum/check.cpp", SUM_CHECK)
    write(student / f"1_gpus/{EXERCISE}.cpp", SOLUTION.read_text())
    write(student / "9_sum/exercise.cpp",
          '#include "exercise.h"\n#include "helper.h"\n\nint total_of(int a, int b) { return added(a, b); }\n')
    write(student / "9_sum/helper.h", "inline int added(int a, int b) { return a + b; }\n")
    # A judge that crashes for one result, and one that always crashes: only the second has a bug in the check.
    shutil.copytree(checks / "9_sum", checks / "8_broken")
    write(checks / "8_broken/check.cpp", SUM_CHECK.replace('if (outcome.contains("sum")', 'if (true || outcome.contains("")'))
    for name in ("8_broken", "9_sum"):
        write(folder / f"submissions/a_hostile/{name}/exercise.cpp",
              '#include "exercise.h"\n\nint total_of(int, int) { return 13000; }\n')
    options = ("--virtual-gpus", "2:64MiB@host", "--checks", folder / "checks", "--jobs", 1)
    grade(folder, *options)
    students = json.loads((folder / "report.json").read_text())["students"]
    graded, hostile = students[1], students[0]
    found = {exercise["exercise"]: exercise for exercise in graded["exercises"]}
    assert "all_of_them" in [item["name"] for item in found[f"1_gpus/{EXERCISE}"]["items"]]
    added = found["1_gpus/9_sum"]
    assert (added["number"], added["title"]) == ("1.5.9", "A sum") and added["items"][0]["what"] == "the sum is right"
    assert graded["points"] == 8, f"expected 5 points for the list and 3 for the sum, got {graded['points']}"

    found = {exercise["exercise"]: exercise for exercise in hostile["exercises"]}
    for name, verdict, reason in (("8_broken", "not_judged", "not evaluated: bug in the check: the judge crashed"),
                                  ("9_sum", "fail", "its result cannot be judged: the judge crashed: Aborted")):
        exercise = found[f"1_gpus/{name}"]
        assert exercise["verdict"] == verdict and exercise["reason"].startswith(reason), exercise

    write(checks / "9_sum/check.cpp", "nonsense\n")
    assert "9_sum/check.cpp does not compile" in grade(folder, *options, code=1)


def solutions(folder):
    """All reference solutions get all points, all stubs none."""
    packed = {}
    for source in sorted((COURSE / "solutions").glob("*/*.c*")):
        exercise = source.relative_to(COURSE / "solutions").with_suffix("")
        write(folder / "submissions/folder" / exercise.with_suffix(source.suffix), source.read_text())
        packed[f"exercises/{exercise}/exercise{source.suffix}"] = source.read_bytes()
        stub = COURSE / "exercises" / exercise / f"stub{source.suffix}"
        write(folder / "submissions/stubs/exercises" / exercise / f"exercise{source.suffix}",
              "// changed\n" + stub.read_text())
    manifest = {"format": 1, "course": "0.1.0",
                "files": [{"path": path, "sha256": hashlib.sha256(text).hexdigest()} for path, text in packed.items()]}
    # What the course supplies comes from the course.
    supplied = "exercises/2_under_the_hood/section_10_copy_compute_pipeline/smallest_divisor.cuh"
    assert (COURSE / supplied).exists()
    pack(folder / "submissions/packed.tar.gz",
         {**packed, "manifest.json": json.dumps(manifest).encode(), supplied: b"#error the student's\n"})
    grade(folder, "--virtual-gpus", "4@host")
    students = {s["student"]: s for s in json.loads((folder / "report.json").read_text())["students"]}
    wrong = 0
    assert set(students) == {"folder", "packed", "stubs"}, set(students)
    for name, student in students.items():
        graded = [e for e in student["exercises"] if f"exercises/{e['exercise']}/exercise" in " ".join(packed)]
        assert len(graded) == len(packed), f"{name}: {len(graded)} of {len(packed)} exercises"
        for exercise in graded:
            for item in exercise["items"]:
                got = (item["points"], item["verdict"])
                right = (0, "fail") if name == "stubs" else (item["possible"], "pass")
                if got != right and item["verdict"] != "not_verifiable":
                    print(f"FAILED: {name}, {exercise['exercise']}, {item['name']}: {got}, {exercise.get('reason')}")
                    wrong += 1
    assert not wrong, f"{wrong} items have other points"


TESTS = {"landlock": submissions, "bubblewrap": submissions, "resumes": resumes, "own_checks": own_checks,
         "solutions": solutions}
subprocess.run(["rm", "-rf", FOLDER], check=True)
TESTS[FOLDER.name](FOLDER)
