// SPDX-License-Identifier: MIT
// A link that leads to a folded part, or into one, opens it.
(() => {
  function open() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    const folded = target?.closest("details")
    if (!folded || folded.open) return
    folded.open = true
    target.scrollIntoView()
  }
  document.addEventListener("DOMContentLoaded", open)
  window.addEventListener("hashchange", open)
  // The same link once more changes no address.
  document.addEventListener("click", (event) => {
    if (event.target.closest?.('a[href^="#"]')) setTimeout(open)
  })
})()
