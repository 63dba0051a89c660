// SPDX-License-Identifier: MIT
// Adds what Doxygen's pages and theme lack for the keyboard and for screen readers: roles, names, and keys for everything
// that can be clicked. Opens the contents on a narrow screen.
(() => {
  // Sets attributes of an element; null removes one.
  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) element.removeAttribute(name)
      else element.setAttribute(name, value)
    }
  }

  function setAll(selector, attributes) {
    for (const element of document.querySelectorAll(selector)) set(element, attributes)
  }

  // Makes a clickable element a button: Tab focuses it, Enter or the space bar presses it.
  function makeButton(element, label) {
    set(element, { role: "button", tabindex: 0 })
    if (label) set(element, { "aria-label": label })
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      element.click()
    })
  }

  // The theme's scripts may add their elements later, so this runs at each change of the page.
  function buttons() {
    for (const button of document.querySelectorAll("doxygen-awesome-fragment-copy-button:not([role])")) {
      makeButton(button, "Copy this code")
      button.addEventListener("click", () => {
        set(button, { "aria-label": "Copied" })
        setTimeout(() => set(button, { "aria-label": "Copy this code" }), 2000)
      })
    }
    for (const toggle of document.querySelectorAll("doxygen-awesome-dark-mode-toggle:not([role])")) {
      makeButton(toggle, "Dark mode")
      const update = () => set(toggle, { "aria-pressed": document.documentElement.classList.contains("dark-mode") })
      new MutationObserver(update).observe(document.documentElement, { attributeFilter: ["class"] })
      update()
    }
    setAll("a.anchorlink:not([aria-label])", { "aria-label": "Link to this heading" })
  }

  function landmarks() {
    setAll("div.header .title", { role: "heading", "aria-level": "1" })
    setAll("#doc-content", { role: "main", tabindex: "-1" })
    setAll("#side-nav", { role: "navigation", "aria-label": "Contents" })
    setAll(".contents > .toc", { role: "navigation", "aria-label": "On this page" })
    setAll("img:not([alt])", { alt: "" })
    setAll("iframe:not([title])", { title: "Diagram" })
  }

  // The keyboard must reach a box that scrolls.
  function scrollable() {
    for (const box of document.querySelectorAll(".contents :is(.fragment, pre, .memproto, table, tbody, .center, figure)")) {
      const wide = box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible"
      if (wide) box.tabIndex = 0
      else if (box.tabIndex === 0) box.removeAttribute("tabindex")
    }
  }

  // On a narrow screen, a click on the heading of "On this page" unfolds it.
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
    const update = () => {
      const open = box.classList.contains("open")
      const unfolds = { tabindex: 0, role: "button", "aria-expanded": open }
      set(button, narrow.matches ? unfolds : { tabindex: -1, role: null, "aria-expanded": null })
      for (const link of box.querySelectorAll("a")) link.tabIndex = narrow.matches && !open ? -1 : 0
    }
    new MutationObserver(update).observe(box, { attributeFilter: ["class"] })
    narrow.addEventListener("change", update)
    update()
  }

  // The arrows of the sidebar's tree: what each opens, and whether it is open.
  function tree() {
    const contents = document.getElementById("nav-tree-contents")
    if (!contents) return
    const observer = new MutationObserver(update)
    function update() {
      observer.disconnect()
      for (const arrow of contents.querySelectorAll(".item > a > .arrow")) {
        const link = arrow.parentElement
        const label = link.parentElement.querySelector(".label")?.textContent
        const expanded = arrow.textContent === "\u25BC"
        set(link, { role: "button", "aria-label": `Sections of ${label}`, "aria-expanded": expanded })
      }
      for (const link of contents.querySelectorAll(".label > a")) {
        const selected = link.closest(".item").classList.contains("selected")
        set(link, { title: link.textContent, "aria-current": selected ? "page" : null }) // the sidebar may cut the text
      }
      observer.observe(contents, { childList: true, subtree: true, attributeFilter: ["class"] })
    }
    update()
  }

  // The button that shows the sidebar on a narrow screen.
  function contentsButton() {
    const button = document.getElementById("d2l-contents")
    button.addEventListener("click", () => {
      const open = document.documentElement.classList.toggle("d2l-contents-open")
      set(button, { "aria-expanded": open })
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
