# SPDX-License-Identifier: MIT
"""Tabs switch by mouse and by keyboard, keep the selection on the next page, and show every panel without script."""
from book import expect, run

GROUP = "details:not(.d2l-answer) .d2l-tabs, .d2l-tabs:not(details .d2l-tabs)"


def shown(page):
    """The configuration that each group of a page shows."""
    return page.evaluate("""() => [...document.querySelectorAll(".d2l-tabs")].map((group) =>
        [...group.querySelectorAll('[role="tabpanel"]')].filter((panel) => !panel.hidden)
            .map((panel) => panel.dataset.configuration).join("+"))""")


def selected(page):
    return page.evaluate("""() => [...document.querySelectorAll('[role="tab"][aria-selected="true"]')]
        .map((tab) => tab.dataset.configuration)""")


def lessons(site):
    return [page for page in site.pages() if page.startswith("lesson_") and 'role="tablist"' in site.text(page)]


def check(site, browser):
    first, *others = lessons(site)
    page = browser.open(first)
    group = page.locator(GROUP).first
    expect(set(shown(page)) == {"virtual2"} == set(selected(page)), f"{first} shows {shown(page)} at first")

    group.locator('[role="tab"][data-configuration="none"]').click()
    expect("none" in shown(page) and shown(page) == selected(page), f"a click shows {shown(page)}")

    # The keys: arrows that wrap around, Home, End. Tab stops once at the group.
    tabs = group.locator('[role="tab"]')
    configurations = [tabs.nth(i).get_attribute("data-configuration") for i in range(tabs.count())]
    expect(group.locator('[role="tab"][tabindex="0"]').count() == 1, "Tab stops at more than one tab")
    for key, at in [("Home", 0), ("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowLeft", -1), ("ArrowRight", 0), ("End", -1)]:
        page.keyboard.press(key)
        focused = page.evaluate("document.activeElement.dataset.configuration")
        expect(focused == configurations[at], f"{key} moves to {focused}, not to {configurations[at]}")
    tabs.first.click()
    page.keyboard.press("Tab")
    panel = page.evaluate("document.activeElement.getAttribute('role')")
    expect(panel == "tabpanel", f"Tab moves from the tab to {panel}, not to its panel")

    # The selection on the next page, and back on the first.
    tabs.first.click()
    for other in others[:1] + [first]:
        browser.open(other, page)
        wanted = page.locator(f'[role="tab"][data-configuration="{configurations[0]}"]').count()
        count = shown(page).count(configurations[0])
        expect(wanted and count == wanted, f"{other} shows {shown(page)} after {configurations[0]} was chosen before")

    page = browser.open(first, java_script_enabled=False)
    for panel in page.locator('[role="tabpanel"]:not(details *)').all():
        expect(panel.is_visible(), "without script a panel is hidden")
        expect(panel.locator(".d2l-configuration").is_visible(), "without script a panel has no heading")
    expect(page.locator('[role="tab"]').first.is_hidden(), "without script the tabs are visible")


run(check)
