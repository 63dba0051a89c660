# SPDX-License-Identifier: MIT
"""The sidebar shows the chapter, its sections and the current page; "on this page" follows the reader; headings have links."""
from book import expect, run


def check(_site, browser):
    page = browser.open("lesson_1_gpus_2_2_copying.html")
    tree = page.locator("#nav-tree")
    here = tree.locator('[aria-current="page"]')
    here.wait_for()
    expect("1.2.2" in here.inner_text(), f"the sidebar marks {here.inner_text()!r} as the current page")
    links = [link.get_attribute("href") or "" for link in tree.locator(".label:visible > a").all()]
    lessons = [at for at, link in enumerate(links) if link.startswith("lesson_")]
    exercises = [at for at, link in enumerate(links) if link.startswith("exercise_")]
    expect(len(lessons) > 1 and exercises and max(lessons) < min(exercises), f"the sidebar shows {links}")
    numbers = [tree.locator(f'a[href="{links[at]}"]').inner_text().split()[0] for at in lessons]
    expect(numbers == sorted(numbers), f"the sections are in the order {numbers}")

    links = page.locator(".toc a")
    expect(links.count() > 2, f"{links.count()} links under 'on this page'")
    last = links.nth(links.count() - 1)
    last.click()
    target = page.url.split("#")[1]
    expect(page.locator(f"[id='{target}']").count() == 1, f"the anchor {target} does not exist")
    # The page scrolls, and then marks where the reader is: not the first heading any more.
    page.wait_for_function(
        "first => { const active = document.querySelector('.toc a.active'); return active && active.innerText !== first; }",
        arg=links.first.inner_text())

    heading = page.locator(".contents h1:visible").nth(1)
    heading.hover()
    link = heading.locator(".anchorlink")
    link.click()
    expect("#" + (link.get_attribute("href") or "").lstrip("#") in page.url, "the link of a heading does not lead to it")


run(check)
