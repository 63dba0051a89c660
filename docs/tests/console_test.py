# SPDX-License-Identifier: MIT
"""No page writes an error or a warning to the console or throws an exception, also when its controls are pressed."""
from book import expect, run
from visits import new_visit, visits, watch

PRESSED = ['[role="tab"][aria-selected="false"]', "summary", "#nav-tree .item > a >> nth=1", ".toc a", ".anchorlink",
           "doxygen-awesome-dark-mode-toggle", "doxygen-awesome-fragment-copy-button", "#d2l-contents"]


def press_everything(window):
    """Presses one control of each kind."""
    for selector in PRESSED:
        element = window.locator(selector).first
        if element.count():
            element.dispatch_event("click")
    window.get_by_role("searchbox").fill("copy")
    window.locator("#d2l-results p:not(:empty)").wait_for()


def check(site, browser):
    seen = visits(".")
    for planted in ("error: planted", "exception: nothing is not defined"):
        expect(planted in seen["planted"]["messages"], f"{planted!r} was not recorded, only {seen['planted']['messages']}")
    failures = [f"{page}: {message}" for page, visit in seen["pages"].items() for message in visit["messages"]]

    window, visit = browser.window(), new_visit()
    window.context.grant_permissions(["clipboard-write"])
    watch(window, visit)
    for page in site.page_types().values():
        browser.open(page, window)
        press_everything(window)
        window.wait_for_timeout(100)
        failures += [f"{page}, when pressed: {message}" for message in visit["messages"]]
        visit["messages"].clear()
    print(f"{len(seen['pages'])} pages")
    expect(not failures, "\n".join([f"{len(failures)} messages:", *failures]))


run(check)
