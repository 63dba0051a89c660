#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `try` on planted programs, shell scripts here, with a runner that runs them; and compares the page with the lists."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import page  # noqa: E402
import programs  # noqa: E402

RACE = "race at x.cu:3: kernel k"
SOURCES = {
    "right.cu": "echo PASSED",
    "wrong.cu": "echo FAILED",
    "exit.cu": "exit 3",
    "broken.cu": "echo broken.cu does not compile.; exit 1",
    "alarm.cu": f"echo PASSED; case $* in *--check*) echo '{RACE}';; esac",
    "leak.cu": "echo PASSED; echo 'never freed: 1 allocation, 4 bytes, cudaMalloc at x.cu:1'",
    "size.cu": "N=1000; [ $N = 10 ] && echo PASSED",
    "header.h": "N=1000",
    "sized.cu": ". ./header.h; [ $N = 10 ] && echo PASSED",
    "arguments.cu": "[ \"$*\" = '-- 7 fast' ] && echo PASSED",
    "endless.cu": "sleep 60",
    "two.cu": "[ \"$D2L_VIRTUAL_GPUS $*\" = \"2@host $PWD/right.cu\" ] && echo PASSED",
}


def row(path, arguments="-", smaller="-", success="PASSED", finds="-", repository="me/own", options="-"):
    return programs.Program(repository, "main", path, options, arguments, smaller, success, finds, "a reason")


class Planted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        root = pathlib.Path(self.folder.name)
        self.lists, self.checkouts = root / "docs" / "programs", root / "checkouts"
        for made in (self.lists, root / "docs" / "pages", self.checkouts / "me" / "own"):
            made.mkdir(parents=True)
        for name, text in SOURCES.items():
            (self.checkouts / "me" / "own" / name).write_text(text + "\n")
        self.page = root / "docs" / "pages" / "programs.md"
        self.page.write_text(f"# Before\n\n{page.BEGIN}\n{page.END}\n\nAfter\n")
        self.learn = root / "learn"
        self.learn.write_text('#!/bin/sh\nshift\nexec sh "$@"\n')
        self.learn.chmod(0o755)

    def run_all(self, rows, faults=(), options=()):
        programs.write(programs.Program, self.lists / "programs.tsv", rows)
        programs.write(programs.Program, self.lists / "faults.tsv", faults)
        ended = subprocess.run([sys.executable, HERE / "try", self.checkouts, "--lists", self.lists, "--learn", self.learn,
                                "--record", *options], capture_output=True, text=True, check=False)
        return ended, programs.results(self.lists)

    def test_right_programs_pass(self):
        rows = [row("right.cu"), row("leak.cu"), row("size.cu", smaller="s/N=1000/N=10/"), row("arguments.cu", arguments="7 fast"),
                row("sized.cu", smaller="in header.h: s/N=1000/N=10/"),
                row("two.cu", options="D2L_VIRTUAL_GPUS=2@host right.cu")]
        ended, seen = self.run_all(rows)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertEqual({result.result for result in seen.values()}, {"passes"})
        self.assertEqual({result.check for result in seen.values()}, {"clean"})
        self.assertIn("6 of 6 as they should be", ended.stdout)
        self.assertIn("N=1000", (self.checkouts / "me/own/size.cu").read_text())

    def test_wrong_programs_fail(self):
        for path, result in (("wrong.cu", "wrong"), ("broken.cu", "does not compile"), ("size.cu", "wrong"), ("sized.cu", "wrong")):
            ended, seen = self.run_all([row(path)])
            self.assertEqual((ended.returncode, seen[f"me/own/{path}"].result), (1, result))
        ended, seen = self.run_all([row("exit.cu", success="exit")])
        self.assertEqual((ended.returncode, seen["me/own/exit.cu"].result), (1, "wrong"))

    def test_reports_are_judged(self):
        ended, seen = self.run_all([row("alarm.cu")])
        self.assertEqual((ended.returncode, seen["me/own/alarm.cu"].verdict), (1, "false alarm"))
        ended, seen = self.run_all([row("alarm.cu", finds="race at")])
        self.assertEqual((ended.returncode, seen["me/own/alarm.cu"].check), (0, RACE))
        ended, seen = self.run_all([row("alarm.cu", finds="out of bounds")])
        self.assertEqual((ended.returncode, seen["me/own/alarm.cu"].verdict), (1, "false alarm"))
        ended, seen = self.run_all([], [row("right.cu", finds="race at")])
        self.assertEqual((ended.returncode, seen["me/own/right.cu"].verdict), (1, "missed"))

    def test_a_program_that_does_not_end_is_ended(self):
        ended, seen = self.run_all([row("endless.cu")], options=["--seconds", "1"])
        self.assertEqual((ended.returncode, seen["me/own/endless.cu"].result), (1, "does not end"))

    def test_a_missing_repository_is_left_out(self):
        ended, seen = self.run_all([row("right.cu"), row("right.cu", repository="you/gone")])
        self.assertEqual((ended.returncode, list(seen)), (0, ["me/own/right.cu"]))
        self.assertIn("git clone https://github.com/you/gone", ended.stderr)

    def test_a_git_checkout_is_used_at_the_commit(self):
        def git(*arguments):
            subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *arguments], cwd=self.checkouts / "me/own",
                           capture_output=True, check=True)
        try:
            git("init", "-q", "-b", "main")
        except FileNotFoundError:
            self.skipTest("git is not installed")
        git("add", "-A")
        git("commit", "-q", "-m", "all")
        (self.checkouts / "me/own/right.cu").write_text("echo FAILED\n")
        ended, _ = self.run_all([row("right.cu")])
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_the_page_has_the_results(self):
        self.run_all([row("right.cu"), row("alarm.cu", finds="race at")], [row("wrong.cu", finds="race at")])
        text = self.page.read_text()
        self.assertIn("**2 programs** of 2 files. 2 were run: 2 compile and pass their own verification", text)
        self.assertIn("https://github.com/me/own/blob/main/right.cu", text)
        self.assertIn("clean (missed)", text)
        self.assertTrue(text.startswith("# Before") and text.endswith("After\n"))


class Lists(unittest.TestCase):
    def test_the_page_has_the_tables_of_the_lists(self):
        ended = subprocess.run([sys.executable, HERE / "page.py", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_no_program_is_listed_twice(self):
        keys = [program.key() for program in programs.programs() + programs.faults()]
        self.assertEqual(sorted(keys), sorted(set(keys)))

    def test_each_fault_has_what_check_must_say_and_where_it_was_reported(self):
        for program in programs.faults():
            self.assertNotEqual(program.finds, "-", program.key())
            self.assertIn("https://", program.why, program.key())


if __name__ == "__main__":
    unittest.main()
