# SPDX-License-Identifier: MIT
"""axe finds no serious or critical violation on any type of page: in light on a desktop and, where the page differs, on a phone;
in dark, of the rules about colours."""
import sys

from book import DESKTOP, PHONE, expect, run, skip

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError as missing:
    skip(f"{sys.executable} has no {missing.name}. ./learn setup --all installs it.")

ON_A_PHONE = {"start", "lesson", "exercise", "class"}
GRAVE = {"serious", "critical"}
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def violations(page, scheme="light"):
    """The serious violations as lines: the rule, and the elements that break it."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": OF_COLOURS} if scheme == "dark" else {})
    found = []
    for violation in Axe().run(page, options=options).response["violations"]:
        if violation["impact"] in GRAVE:
            for node in violation["nodes"][:5]:
                found.append(f"{violation['impact']} {violation['id']}: {node['html'][:160]}\n"
                             f"      {node['failureSummary'].splitlines()[1].strip()}")
    return found


def unfold(page):
    """Opens all folded parts."""
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true })")


def check_axe(browser):
    """Expects axe to find the faults of a bad page."""
    page = browser.window()
    page.set_content('<html><body><img src="data:,"><input type="text"><p style="color: #eee">pale</p></body></html>')
    found = "\n".join(violations(page))
    expect("image-alt" in found and "label" in found, f"axe did not find the faults of a bad page: {found!r}")
    found = "\n".join(violations(page, "dark"))
    expect("color-contrast" in found, f"axe did not find the pale text of a bad page: {found!r}")


def check(site, browser):
    check_axe(browser)
    types = site.page_types()
    failures = []
    for scheme, viewport in [("light", DESKTOP), ("dark", DESKTOP), ("light", PHONE)]:
        for name, file in types.items():
            if viewport == PHONE and name not in ON_A_PHONE:
                continue
            page = browser.open(file, viewport=viewport, color_scheme=scheme)
            page.wait_for_timeout(300)
            unfold(page)
            place = f"{name} ({file}), {scheme}, {viewport['width']} px"
            failures += [f"{place}: {violation}" for violation in violations(page, scheme)]
            if name == "start":
                page.get_by_role("searchbox").fill("gpu")
                page.locator("#d2l-results a").first.wait_for()
                failures += [f"search results, {scheme}, {viewport['width']} px: {one}" for one in violations(page, scheme)]
            page.context.close()
    print(f"{len(types)} types of pages, light and dark; on a phone {', '.join(sorted(ON_A_PHONE))}; search results")
    expect(not failures, "\n".join([f"{len(failures)} violations:", *failures]))


run(check)
