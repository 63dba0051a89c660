# SPDX-License-Identifier: MIT
"""The search finds try_gpu and opens it, by mouse and by keyboard, and says when it finds nothing."""
import re

from book import expect, run


def opened_try_gpu(page):
    page.wait_for_url("**/namespaced2l.html#*")
    anchor = page.url.split("#")[1]
    # The description of a name is below its heading, or in a row of a list if it is one sentence.
    title = page.evaluate("""(id) => { const anchor = document.getElementById(id)
        return (anchor.closest("tr") ?? anchor.nextElementSibling).textContent }""", anchor)
    expect(re.search(r"\btry_gpu\b", title), f"#{anchor} is {title!r}, not try_gpu")


def check(_site, browser):
    page = browser.open("index.html")
    field = page.get_by_role("searchbox")
    field.fill("try_gpu")
    results = page.locator("#d2l-results")
    results.get_by_role("link", name="try_gpu", exact=False).first.click()
    opened_try_gpu(page)

    page = browser.open("annotated.html")
    page.get_by_role("searchbox").focus()
    page.keyboard.type("try_gpu")
    page.locator("#d2l-results a").first.wait_for()
    page.keyboard.press("ArrowDown")
    focused = page.evaluate("document.activeElement.textContent")
    expect("try_gpu" in focused, f"the arrow key moved to {focused!r}")
    page.keyboard.press("Enter")
    opened_try_gpu(page)

    page = browser.open("index.html")
    page.get_by_role("searchbox").fill("Copying")
    first = page.locator("#d2l-results a").first
    first.wait_for()
    expect("lesson_1_gpus_2_2_copying.html" in first.get_attribute("href"), f"the first result is {first.inner_text()!r}")
    page.get_by_role("searchbox").fill("gpu")
    page.locator("#d2l-results a", has_text="num_gpus").first.wait_for()
    names = [link.evaluate("link => link.firstChild.textContent") for link in page.locator("#d2l-results a").all()]
    expect(names[0] == "gpu" and "num_gpus" in names, f"the results for gpu are, in this order: {names}")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(not page.locator("#d2l-results").is_visible(), "Escape does not close the results")
    expect(page.evaluate("document.activeElement.id") == "MSearchField", "Escape does not focus the field")
    page.get_by_role("searchbox").fill("no such name")
    page.get_by_text("Nothing is called").wait_for()
    expect(page.locator("#d2l-results a").count() == 0, "there are results for a name that does not exist")


run(check)
