# SPDX-License-Identifier: MIT
"""Dark mode follows the system, can be toggled by mouse and keyboard, and persists; figures use the colour of the text."""
from book import expect, run

BRIGHTNESS = """(colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number); return (r + g + b) / 3 }"""


def brightness(page, selector, what):
    colour = page.evaluate(f"getComputedStyle(document.querySelector({selector!r})).{what}")
    return page.evaluate(BRIGHTNESS, colour)


def is_dark(page):
    ground, text = brightness(page, "body", "backgroundColor"), brightness(page, "body", "color")
    expect(abs(ground - text) > 100, f"text of brightness {text} on a background of {ground}")
    return ground < text


def check(_site, browser):
    page = browser.open("index.html")
    expect(not is_dark(page), "the page is dark on a light system")
    toggle = page.get_by_role("button", name="Dark mode")
    toggle.click()
    expect(is_dark(page), "the toggle has no effect")
    expect(toggle.get_attribute("aria-pressed") == "true", "the toggle is not marked as pressed")
    browser.open("lesson_1_gpus_2_2_copying.html", page)
    expect(is_dark(page), "dark mode ends with the page")
    figure = brightness(page, ".d2l-figure svg text", "fill")
    expect(figure > 128, f"the text of a figure has a brightness of {figure} of 255 on a dark background")
    page.reload()
    expect(is_dark(page), "dark mode does not survive a reload")
    page.get_by_role("button", name="Dark mode").focus()
    page.keyboard.press("Enter")
    expect(not is_dark(page), "Enter does not toggle")
    page.keyboard.press("Space")
    expect(is_dark(page), "the space bar does not toggle")

    page = browser.open("index.html", color_scheme="dark")
    expect(is_dark(page), "the page is light on a dark system")
    page.get_by_role("button", name="Dark mode").click()
    browser.open("annotated.html", page)
    expect(not is_dark(page), "light mode on a dark system ends with the page")
    page = browser.open("index.html", color_scheme="dark", java_script_enabled=False)
    expect(is_dark(page), "without script the page is light on a dark system")


run(check)
