# SPDX-License-Identifier: MIT
"""The site in headless Chromium, opened as a reader opens it: from its folder. What all tests of the book share."""
import argparse
import os
import pathlib
import shutil
import sys

SKIPPED = 77
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}

# One page, or the first that fits, of every type that the site has: the book's own, then Doxygen's.
PAGE_TYPES = {
    "start": "index.html",
    "chapter": "chapter_1_gpus.html",
    "lesson": "lesson_1_gpus_2_2_copying.html",
    "exercise": "exercise_1_gpus_3_frobenius_log.html",
    "solution": "solution_*.html",
    "guide": "virtual_gpus.html",
    "glossary": "glossary.html",
    "class list": "annotated.html",
    "class index": "classes.html",
    "class hierarchy": "hierarchy.html",
    "class members": "functions.html",
    "functions": "namespacemembers.html",
    "namespace list": "namespaces.html",
    "namespace": "namespaced2l.html",
    "class": "classd2l_1_1Tensor.html",
    "members of a class": "classd2l_1_1Tensor-members.html",
    "struct": "structd2l_1_1*.html",
    "file list": "files.html",
    "file": "*_8h.html",
    "source of a file": "*_8h_source.html",
    "folder": "dir_*.html",
}
# Which of them a site may be without: the student's release has no solutions, and Doxygen leaves out what would be empty.
OPTIONAL = {"solution", "source of a file", "folder", "functions", "class hierarchy"}


def skip(reason):
    print(f"Skipped: {reason}")
    sys.exit(SKIPPED)


def expect(condition, message):
    """A failure that says what was wrong: assert would be left out by python -O."""
    if not condition:
        raise AssertionError(message)


class Site:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        if not (self.folder / "index.html").is_file():
            skip(f"there is no site in {self.folder}. ./learn docs makes it.")

    def address(self, page):
        return (self.folder / page).as_uri()

    def text(self, page):
        return (self.folder / page).read_text(encoding="utf-8")

    def pages(self):
        return sorted(path.name for path in self.folder.glob("*.html"))

    def page_types(self):
        """{type: page}; a type that must be there and is not, is an error."""
        found = {}
        for name, pattern in PAGE_TYPES.items():
            matches = sorted(path.name for path in self.folder.glob(pattern))
            if matches:
                found[name] = matches[0]
            else:
                expect(name in OPTIONAL, f"the site has no page of the type {name} ({pattern})")
        return found


def site_argument():
    parser = argparse.ArgumentParser()
    parser.add_argument("--site", required=True, help="the folder with index.html")
    return Site(parser.parse_args().site)


def chromium():
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        skip("there is no Chromium. ./learn setup --all installs it.")
    return path


class Browser:
    """with Browser(site) as browser: browser.open("index.html") is a page; each window has a memory of its own."""

    def __init__(self, site):
        self.site = site

    def __enter__(self):
        try:
            from playwright.sync_api import sync_playwright
        except ImportError as missing:
            skip(f"{sys.executable} has no {missing.name}. ./learn setup --all installs it.")
        path = chromium()
        self.playwright = sync_playwright().start()
        # Chromium will not make its sandbox for root, and CI is often root in a container, whose /dev/shm is small.
        arguments = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        self.browser = self.playwright.chromium.launch(executable_path=path, args=arguments)
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.playwright.stop()

    def window(self, viewport=DESKTOP, **options):
        """A window as of a reader who comes for the first time."""
        context = self.browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(15000)
        return context.new_page()

    def open(self, name, window=None, **options):
        page = window or self.window(**options)
        page.goto(self.site.address(name), wait_until="load")
        return page


def run(check):
    """Runs check(site, browser) on the site that the command line names."""
    site = site_argument()
    with Browser(site) as browser:
        check(site, browser)
    print("Passed")
