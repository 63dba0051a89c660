# SPDX-License-Identifier: MIT
"""Opening a page, searching and toggling dark mode request only files that exist in the site's folder."""
from book import expect, run
from visits import new_visit, visits, watch


def outside(site, urls):
    """The requests that leave the folder; data: and blob: are part of the page."""
    return {url for url in urls if not url.startswith((site.folder.as_uri() + "/", "data:", "blob:"))}


def check(site, browser):
    seen = visits(".")
    planted = outside(site, seen["planted"]["requests"])
    expect(planted == {"https://example.invalid/picture.png"}, f"for a request that leaves the folder, this was recorded: {planted}")
    expect(len(seen["planted"]["failed"]) == 1, f"for a request that fails, this was recorded: {seen['planted']['failed']}")

    pages = dict(seen["pages"])
    window, pages["in use"] = browser.window(), new_visit()
    watch(window, pages["in use"])
    browser.open("index.html", window)
    window.get_by_role("searchbox").fill("tensor")
    window.locator("#d2l-results a").first.wait_for()
    window.get_by_role("button", name="Dark mode").click()
    window.wait_for_load_state("networkidle")

    for page, visit in pages.items():
        expect(len(visit["requests"]) > 5, f"{page}: too few requests were recorded: {visit['requests']}")
    leaving = [f"{page}: {url}" for page, visit in pages.items() for url in outside(site, visit["requests"])]
    failed = [f"{page}: {what}" for page, visit in pages.items() for what in visit["failed"]]
    print(f"{len(pages)} pages, {sum(len(visit['requests']) for visit in pages.values())} requests")
    expect(not leaving, "\n".join(["requests that leave the folder:", *leaving]))
    expect(not failed, "\n".join(["requests that failed:", *failed]))


run(check)
