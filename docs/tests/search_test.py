# SPDX-License-Identifier: MIT
"""The search finds try_gpu and opens it, with the mouse and with the keyboard; what is nowhere is said to be nowhere."""
import re

from book import expect, run


def opened_try_gpu(page):
    page.wait_for_url("**/namespaced2l.html#*")
    anchor = page.url.split("#")[1]
    # A name is described below its heading, or, when a sentence is enough, in the row of a list.
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
    expect("try_gpu" in focused, f"the arrow went to {focused!r}")
    page.keyboard.press("Enter")
    opened_try_gpu(page)

    page = browser.open("index.html")
    page.get_by_role("searchbox").fill("Copying")
    first = page.locator("#d2l-results a").first
    first.wait_for()
    expect("lesson_1_gpus_2_2_copying.html" in first.get_attribute("href"), f"found first: {first.inner_text()!r}")
    page.get_by_role("searchbox").fill("gpu")
    page.locator("#d2l-results a", has_text="num_gpus").first.wait_for()
    names = [link.evaluate("link => link.firstChild.textContent") for link in page.locator("#d2l-results a").all()]
    expect(names[0] == "gpu" and "num_gpus" in names, f"for gpu were found, in this order: {names}")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(not page.locator("#d2l-results").is_visible(), "Escape leaves the results open")
    expect(page.evaluate("document.activeElement.id") == "MSearchField", "Escape does not lead back to the field")
    page.get_by_role("searchbox").fill("no such name")
    page.get_by_text("Nothing is called").wait_for()
    expect(page.locator("#d2l-results a").count() == 0, "results for a name that is nowhere")


run(check)
