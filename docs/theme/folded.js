// SPDX-License-Identifier: MIT
// A link to or into a folded part opens that part.
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
  // A second click on the same link does not change the address, so there is no hashchange.
  document.addEventListener("click", (event) => {
    if (event.target.closest?.('a[href^="#"]')) setTimeout(open)
  })
})()
