// SPDX-License-Identifier: MIT
// What the pages of Doxygen and the scripts of its theme lack for who reads them with the keyboard or by ear: roles,
// names, and keys for what a mouse can press. It also opens the contents on a narrow screen.
(() => {
  function describe(selector, attributes) {
    for (const element of document.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    }
  }

  // An element that answers to clicks becomes a button: reached with Tab, pressed with Enter or the space bar.
  function makeButton(element, label) {
    element.setAttribute("role", "button")
    element.tabIndex = 0
    if (label) element.setAttribute("aria-label", label)
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      element.click()
    })
  }

  // The theme's scripts add their elements in their own time.
  function buttons() {
    for (const button of document.querySelectorAll("doxygen-awesome-fragment-copy-button:not([role])")) {
      makeButton(button, "Copy this code")
      button.addEventListener("click", () => {
        button.setAttribute("aria-label", "Copied")
        setTimeout(() => button.setAttribute("aria-label", "Copy this code"), 2000)
      })
    }
    for (const toggle of document.querySelectorAll("doxygen-awesome-dark-mode-toggle:not([role])")) {
      makeButton(toggle, "Dark mode")
      const tell = () => toggle.setAttribute("aria-pressed", document.documentElement.classList.contains("dark-mode"))
      new MutationObserver(tell).observe(document.documentElement, { attributeFilter: ["class"] })
      tell()
    }
    describe("a.anchorlink:not([aria-label])", { "aria-label": "Link to this place" })
  }

  function landmarks() {
    describe("div.header .title", { role: "heading", "aria-level": "1" })
    describe("#doc-content", { role: "main", tabindex: "-1" })
    describe("#side-nav", { role: "navigation", "aria-label": "Contents" })
    describe(".contents > .toc", { role: "navigation", "aria-label": "On this page" })
    for (const picture of document.querySelectorAll("img:not([alt])")) picture.alt = ""
    for (const frame of document.querySelectorAll("iframe:not([title])")) frame.title = "Diagram"
  }

  // What is wider than its box is scrolled in it, and the keyboard must get there to do so.
  function scrollable() {
    for (const box of document.querySelectorAll(".contents :is(.fragment, pre, .memproto, table, tbody, .center, figure)")) {
      const wide = box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible"
      if (wide) box.tabIndex = 0
      else if (box.tabIndex === 0) box.removeAttribute("tabindex")
    }
  }

  // "On this page" unfolds by a click on its heading where the screen is narrow.
  function toc() {
    const box = document.querySelector(".contents > .toc")
    const heading = box?.querySelector("h3")
    if (!heading) return
    const narrow = matchMedia("(max-width: 999px)")
    heading.textContent = "On this page"
    const button = document.createElement("span")
    button.append(...heading.childNodes)
    heading.append(button)
    makeButton(button)
    const tell = () => {
      button.tabIndex = narrow.matches ? 0 : -1
      if (narrow.matches) button.setAttribute("role", "button")
      else button.removeAttribute("role")
      if (narrow.matches) button.setAttribute("aria-expanded", String(box.classList.contains("open")))
      else button.removeAttribute("aria-expanded")
      for (const link of box.querySelectorAll("a")) {
        link.tabIndex = narrow.matches && !box.classList.contains("open") ? -1 : 0
      }
    }
    new MutationObserver(tell).observe(box, { attributeFilter: ["class"] })
    narrow.addEventListener("change", tell)
    tell()
  }

  // The arrows of the tree in the sidebar: each says what it opens, and whether it has.
  function tree() {
    const contents = document.getElementById("nav-tree-contents")
    if (!contents) return
    const observer = new MutationObserver(tell)
    function tell() {
      observer.disconnect()
      for (const arrow of contents.querySelectorAll(".item > a > .arrow")) {
        const link = arrow.parentElement
        const label = link.parentElement.querySelector(".label")?.textContent
        link.setAttribute("role", "button")
        link.setAttribute("aria-label", `Sections of ${label}`)
        link.setAttribute("aria-expanded", String(arrow.textContent === "\u25BC"))
      }
      for (const link of contents.querySelectorAll(".label > a")) {
        link.title = link.textContent // the sidebar may be too narrow for it
        if (link.closest(".item").classList.contains("selected")) link.setAttribute("aria-current", "page")
        else link.removeAttribute("aria-current")
      }
      observer.observe(contents, { childList: true, subtree: true, attributeFilter: ["class"] })
    }
    tell()
  }

  // The sidebar on a narrow screen.
  function contentsButton() {
    const button = document.getElementById("d2l-contents")
    button.addEventListener("click", () => {
      const open = document.documentElement.classList.toggle("d2l-contents-open")
      button.setAttribute("aria-expanded", String(open))
    })
  }

  window.addEventListener("load", () => {
    landmarks()
    buttons()
    new MutationObserver(buttons).observe(document.body, { childList: true, subtree: true })
    toc()
    tree()
    contentsButton()
    scrollable()
    window.addEventListener("resize", scrollable)
  })
})()
