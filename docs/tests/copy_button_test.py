# SPDX-License-Identifier: MIT
"""The copy button copies the code exactly, by mouse and by keyboard."""
from book import expect, run


def check(_site, browser):
    page = browser.window()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    browser.open("lesson_1_gpus_2_2_copying.html", page)
    fragments = page.locator(".fragment.d2l-code:visible")
    expect(fragments.count() > 3, f"a lesson with {fragments.count()} pieces of code")
    for at, press in [(0, "mouse"), (1, "keyboard")]:
        fragment = fragments.nth(at)
        lines = fragment.locator(".line").all()
        code = "\n".join(line.evaluate("line => line.textContent") for line in lines).strip("\n")
        fragment.hover()
        button = fragment.locator("xpath=following-sibling::doxygen-awesome-fragment-copy-button")
        if press == "mouse":
            button.click()
        else:
            button.focus()
            page.keyboard.press("Enter")
        page.wait_for_timeout(200)
        copied = page.evaluate("navigator.clipboard.readText()")
        expect(copied.strip("\n") == code, f"{press} copied:\n{copied}\n\ninstead of:\n{code}")
        expect(code.count("\n") == copied.strip("\n").count("\n") and len(lines) > 1, "lines are missing")


run(check)
