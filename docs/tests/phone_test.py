# SPDX-License-Identifier: MIT
"""On a phone, 390 px wide, no page overflows: wide elements scroll in their own boxes. A button opens the sidebar."""
from book import PHONE, expect, run
from visits import overflow, visits


def check(site, browser):
    seen = visits(".")
    expect(len(seen["planted"]["overflow"]) == 2, f"for a page that is too wide, this was recorded: {seen['planted']['overflow']}")
    failures = [f"{page}: {what}" for page, visit in seen["pages"].items() for what in visit["overflow"]]

    window = browser.window(PHONE, is_mobile=True, has_touch=True)
    for page in site.page_types().values():
        browser.open(page, window)
        failures += [f"{page}, opened on a phone: {what}" for what in overflow(window)]
    print(f"{len(seen['pages'])} pages")
    expect(not failures, "\n".join([f"{len(failures)} places overflow:", *failures]))

    browser.open("lesson_1_gpus_2_2_copying.html", window)
    tree = window.locator("#nav-tree")
    expect(not tree.is_visible(), "the sidebar is open at first")
    window.get_by_role("button", name="Contents", exact=True).tap()
    tree.get_by_role("link", name="1.2.2").first.wait_for()
    expect(not overflow(window), f"with the contents open: {overflow(window)}")


run(check)
