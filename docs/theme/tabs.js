// SPDX-License-Identifier: MIT
// Tabs for outputs that differ between configurations. One choice holds for all tabs of all pages: it is kept where the
// browser keeps what a site remembers. Keys move as https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ says. Without this
// script every panel is shown, under a heading of its own.
(() => {
  const key = "d2l-configuration"

  // A browser may forbid a site to remember anything; the choice then ends with the page.
  let chosen = null
  try {
    chosen = localStorage.getItem(key)
  } catch {}

  function remember(configuration) {
    chosen = configuration
    try {
      localStorage.setItem(key, configuration)
    } catch {}
  }

  const tabsOf = (group) => [...group.querySelectorAll(':scope > [role="tablist"] > [role="tab"]')]

  function select(group, tab) {
    for (const each of tabsOf(group)) {
      const selected = each === tab
      each.setAttribute("aria-selected", String(selected))
      each.tabIndex = selected ? 0 : -1
      document.getElementById(each.getAttribute("aria-controls")).hidden = !selected
    }
  }

  // Each group that has the configuration shows it; one without keeps what it shows.
  function selectEverywhere(configuration) {
    for (const group of document.querySelectorAll(".d2l-tabs")) {
      const tab = tabsOf(group).find((each) => each.dataset.configuration === configuration)
      if (tab) select(group, tab)
    }
  }

  // A choice changes what stands above the tab too: the page is moved so that the tab stays where the reader sees it.
  function choose(tab) {
    const before = tab.getBoundingClientRect().top
    remember(tab.dataset.configuration)
    selectEverywhere(chosen)
    tab.focus({ preventScroll: true })
    const content = document.getElementById("doc-content")
    const moved = tab.getBoundingClientRect().top - before
    if (getComputedStyle(content).overflowY === "visible") window.scrollBy(0, moved)
    else content.scrollTop += moved
  }

  function onKey(event, tabs) {
    const here = tabs.indexOf(event.currentTarget)
    const there = {
      ArrowRight: (here + 1) % tabs.length,
      ArrowLeft: (here + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    if (there === undefined) return
    event.preventDefault()
    choose(tabs[there])
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const group of document.querySelectorAll(".d2l-tabs")) {
      group.classList.add("d2l-scripted")
      const tabs = tabsOf(group)
      for (const tab of tabs) {
        tab.addEventListener("click", () => choose(tab))
        tab.addEventListener("keydown", (event) => onKey(event, tabs))
      }
      select(group, tabs.find((each) => each.getAttribute("aria-selected") === "true") ?? tabs[0])
    }
    if (chosen) selectEverywhere(chosen)
  })

  // Another window of the same browser may have chosen meanwhile.
  window.addEventListener("storage", (event) => {
    if (event.key === key && event.newValue) {
      chosen = event.newValue
      selectEverywhere(chosen)
    }
  })
})()
