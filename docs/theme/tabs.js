// SPDX-License-Identifier: MIT
// Tabs for outputs that differ between configurations. A choice applies to all tabs of all pages and is kept in the
// browser's local storage. The keys follow https://www.w3.org/WAI/ARIA/apg/patterns/tabs/. Without this script every panel
// is shown under its own heading.
(() => {
  const key = "d2l-configuration"

  // A browser may block local storage. The choice then applies only to this page.
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

  // Each group that has the configuration shows it. The others do not change.
  function selectEverywhere(configuration) {
    for (const group of document.querySelectorAll(".d2l-tabs")) {
      const tab = tabsOf(group).find((each) => each.dataset.configuration === configuration)
      if (tab) select(group, tab)
    }
  }

  // The choice may change the height of groups above the tab. Scroll so that the tab keeps its position on the screen.
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

  // Follow a choice in another window of the browser.
  window.addEventListener("storage", (event) => {
    if (event.key === key && event.newValue) {
      chosen = event.newValue
      selectEverywhere(chosen)
    }
  })
})()
