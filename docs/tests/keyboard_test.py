# SPDX-License-Identifier: MIT
"""Everything works without a mouse: the first Tab skips to the content, every stop shows its focus, and Tab reaches
everything that a mouse can press."""
from book import expect, run

# A stop shows its focus by an outline; the search field by its frame.
SEEN = """() => {
  const element = document.activeElement
  const style = getComputedStyle(element)
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1
  const framed = element.id === "MSearchField" && getComputedStyle(element.parentElement).boxShadow !== "none"
  const box = element.getBoundingClientRect()
  return { what: element.outerHTML.slice(0, 120), shown: (outlined || framed) && box.width > 0 && box.height > 0 }
}"""
# Only one tab of a group is a stop. Arrow keys move to the others.
PRESSABLE = """() => [...document.querySelectorAll(`#top :is(a, button, input), doxygen-awesome-dark-mode-toggle,
    doxygen-awesome-fragment-copy-button, .contents :is(a[href], summary, [role="tab"][aria-selected="true"], button:not([role="tab"]))`)]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => element.tabIndex !== 0)
  .map((element) => element.outerHTML.slice(0, 160))"""


def check(site, browser):
    page = browser.open("lesson_1_gpus_2_2_copying.html")
    page.keyboard.press("Tab")
    skip = page.locator(".d2l-skip")
    expect(skip.evaluate("link => link === document.activeElement"), "the first stop is not the link to the content")
    expect(skip.bounding_box()["y"] >= 0, "the link to the content is not visible")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    inside = page.evaluate("document.activeElement.closest('.contents') !== null")
    expect(inside, f"after skipping, Tab moves to {page.evaluate(SEEN)['what']}")

    for name in site.page_types().values():
        browser.open(name, page)
        page.wait_for_timeout(200)
        missed = page.evaluate(PRESSABLE)
        expect(not missed, "\n".join([f"{name}: the keyboard does not reach", *missed]))
        for _ in range(40):
            page.keyboard.press("Tab")
            stop = page.evaluate(SEEN)
            if stop["what"].startswith("<body"):
                break
            expect(stop["shown"], f"{name}: the focus is not visible on {stop['what']}")


run(check)
