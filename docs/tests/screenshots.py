# SPDX-License-Identifier: MIT
"""Takes pictures of the start page, a lesson, an exercise and a class, to review a change of the theme."""
import argparse
import pathlib

from book import DESKTOP, PHONE, Browser, Site

LESSON = "lesson_1_gpus_2_2_copying.html"
PICTURES = [
    ("start", "index.html", DESKTOP, "light"),
    ("start_dark", "index.html", DESKTOP, "dark"),
    ("start_phone", "index.html", PHONE, "light"),
    ("lesson", LESSON, DESKTOP, "light"),
    ("lesson_dark", LESSON, DESKTOP, "dark"),
    ("lesson_phone", LESSON, PHONE, "light"),
    ("exercise", "exercise_1_gpus_3_frobenius_log.html", DESKTOP, "light"),
    ("class", "classd2l_1_1Tensor.html", DESKTOP, "light"),
]


def shoot(browser, folder, name, page_name, viewport, scheme):
    """Takes two pictures: the first screen, and the whole page in a window of its height."""
    page = browser.open(page_name, viewport=viewport, color_scheme=scheme)
    page.wait_for_timeout(500)
    page.screenshot(path=folder / f"{name}.png")
    height = page.evaluate("Math.max(document.documentElement.scrollHeight, document.getElementById('doc-content').scrollHeight)")
    page.set_viewport_size({"width": viewport["width"], "height": min(height + 60, 12000)})
    page.wait_for_timeout(300)
    page.screenshot(path=folder / f"{name}_whole.png")
    page.context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", required=True, help="the folder with index.html")
    parser.add_argument("--to", required=True, type=pathlib.Path, help="the folder for the pictures")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    site = Site(arguments.site)
    with Browser(site) as browser:
        for picture in PICTURES:
            shoot(browser, arguments.to, *picture)
        page = browser.open(LESSON)
        page.pdf(path=arguments.to / "lesson.pdf", format="A4", print_background=True)
    print(f"Pictures in {arguments.to}")


main()
