# SPDX-License-Identifier: MIT
"""Hints and answers are folded and unfold by mouse and keyboard, also without script. Each hint unfolds separately."""
from book import expect, run


def check(_site, browser):
    for script in (True, False):
        page = browser.open("exercise_1_gpus_3_frobenius_log.html", java_script_enabled=script)
        hints = page.locator("details.d2l-hint")
        expect(hints.count() >= 2, f"an exercise with {hints.count()} hints")
        for i in range(hints.count()):
            expect(not hints.nth(i).locator("p, pre").first.is_visible(), f"hint {i + 1} is open at first")
        hints.nth(0).locator("summary").click()
        expect(hints.nth(0).locator("p, pre").first.is_visible(), "a click does not unfold a hint")
        hints.nth(1).locator("summary").focus()
        page.keyboard.press("Enter")
        expect(hints.nth(1).locator("p, pre").first.is_visible(), "Enter does not unfold a hint")
        hints.nth(1).locator("summary").click()
        expect(not hints.nth(1).locator("p, pre").first.is_visible(), "a hint does not fold again")

    page = browser.open("lesson_1_gpus_2_2_copying.html")
    answer = page.locator("details.d2l-answer").first
    output = answer.locator(".d2l-output:visible")
    expect(output.count() == 0, "the answer to a question is open at first")
    answer.locator("summary").click()
    output.first.wait_for()


run(check)
