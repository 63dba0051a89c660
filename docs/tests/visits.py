# SPDX-License-Identifier: MIT
"""Opens the pages of the site once, as wide as a phone, and records requests, console messages and overflowing elements. Of the
pages that Doxygen makes for classes and files it opens a few, unless D2L_ALL_PAGES is set. The tests console, requests and
phone judge the record. `planted` is the record of a bad page, which proves that faults are recorded."""
import json
import os
import pathlib

from book import PHONE, Browser, site_argument

# Elements beyond the right edge of the window that are not inside a scrolling box.
OVERFLOWING = """() => {
  const width = document.documentElement.clientWidth
  const scrolls = (element) => {
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
      const clips = /auto|scroll|hidden|clip/.test(getComputedStyle(box).overflowX)
      if (clips && box.getBoundingClientRect().right <= width + 1) return true
    }
    return false
  }
  return [...document.body.querySelectorAll("*")]
    .filter((element) => {
      const box = element.getBoundingClientRect()
      return box.width > 0 && box.height > 0 && box.right > width + 1 && !scrolls(element)
    })
    .slice(0, 3)
    .map((element) => `${element.outerHTML.slice(0, 150)} ends at ${element.getBoundingClientRect().right} px`)
}"""
# How far the page itself scrolls sideways.
MOVES = """() => { window.scrollTo(1000, 0); const moved = window.scrollX; window.scrollTo(0, 0); return moved }"""
UNFOLD = "document.querySelectorAll('details').forEach((details) => { details.open = true })"
# MathJax loads after the page.
MATHJAX_IS_READY = "!document.querySelector('head > script[src*=MathJax]') || window.MathJax?.isReady"


def overflow(window):
    window.evaluate(UNFOLD)
    moved = window.evaluate(MOVES)
    return window.evaluate(OVERFLOWING) + ([f"the page scrolls sideways by {moved} px"] if moved else [])


def watch(window, visit):
    """Records in visit["requests"], visit["failed"] and visit["messages"] what happens in a window from now on."""
    def failed(request):
        if request.failure != "net::ERR_ABORTED":  # the window opened the next page
            visit["failed"].append(f"{request.url}: {request.failure}")

    def said(message):
        if message.type in ("error", "warning"):
            visit["messages"].append(f"{message.type}: {message.text}")

    window.on("request", lambda request: visit["requests"].append(request.url))
    window.on("websocket", lambda socket: visit["requests"].append(socket.url))
    window.on("requestfailed", failed)
    window.on("console", said)
    window.on("pageerror", lambda error: visit["messages"].append(f"exception: {error}"))


def new_visit():
    return {"requests": [], "failed": [], "messages": [], "overflow": []}


def planted(browser):
    """The record of a page with every kind of fault."""
    window, visit = browser.window(PHONE), new_visit()
    watch(window, visit)
    window.set_content('<p style="width: 500px">wide</p><img alt="" src="https://example.invalid/picture.png">'
                       "<script>console.error('planted'); nothing.there</script>")
    window.wait_for_timeout(500)
    visit["overflow"] = overflow(window)
    return visit


def visits(folder):
    return json.loads((pathlib.Path(folder) / "visits.json").read_text(encoding="utf-8"))


def main():
    site = site_argument()
    with Browser(site) as browser:
        window, visit, result = browser.window(PHONE), {}, {"planted": planted(browser), "pages": {}}
        watch(window, visit)
        for name in site.pages() if os.environ.get("D2L_ALL_PAGES") else site.pages_and_some_of_doxygen():
            visit.update(new_visit())
            browser.open(name, window)
            window.wait_for_function(MATHJAX_IS_READY)
            visit["overflow"] = overflow(window)
            result["pages"][name] = dict(visit)
    pathlib.Path("visits.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(f"{len(result['pages'])} pages")


if __name__ == "__main__":
    main()
