# SPDX-License-Identifier: MIT
"""A printed page has only the text, dark on white: no navigation, the selected panel with its heading, folded parts open."""
from book import expect, run


def check(_site, browser):
    page = browser.open("lesson_1_gpus_2_2_copying.html", color_scheme="dark")
    page.locator('[role="tab"][data-configuration="none"]:visible').first.click()
    page.emulate_media(media="print")
    for part in ["#top", "#side-nav", "#nav-path", ".toc", ".d2l-steps", '[role="tablist"]',
                 "doxygen-awesome-fragment-copy-button"]:
        for element in page.locator(part).all():
            expect(not element.is_visible(), f"{part} is printed")
    for group in page.locator(".d2l-tabs").all():
        panels = [panel for panel in group.locator('[role="tabpanel"]').all() if panel.is_visible()]
        expect(len(panels) == 1, f"{len(panels)} panels of a group are printed")
        if group.locator('[role="tab"][data-configuration="none"]').count():
            chosen = panels[0].get_attribute("data-configuration")
            expect(chosen == "none", f"the panel of {chosen} is printed, not the selected one")
        expect(panels[0].locator(".d2l-configuration").is_visible(), "a printed panel does not name its configuration")
    answers = page.locator("details.d2l-answer")
    expect(answers.count() > 0, "the lesson has no question")
    for answer in answers.all():
        height = answer.bounding_box()["height"]
        expect(height > 2 * answer.locator("summary").bounding_box()["height"], f"a folded answer is printed {height} px high")
    gaps = page.evaluate("""() => [...document.querySelectorAll(".fragment .line + .line")].map((line) =>
        line.getBoundingClientRect().top - line.previousElementSibling.getBoundingClientRect().bottom)""")
    expect(len(gaps) > 10 and max(gaps) < 5, f"lines of code are printed {max(gaps)} px apart")
    colours = page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    expect(colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"], f"background and text are printed as {colours}")
    # The whole page, not only the part that is visible on the screen.
    heights = page.evaluate("[document.documentElement.scrollHeight, document.querySelector('.contents').scrollHeight]")
    expect(heights[0] >= heights[1] > 2000, f"the page is printed {heights[0]} px high, its contents are {heights[1]} px")
    expect(len(page.pdf()) > 10000, "nothing is printed")


run(check)
