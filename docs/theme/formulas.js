// SPDX-License-Identifier: MIT
// Loads MathJax only on pages with a formula, \( … \) or \[ … \]. A screen reader reads the TeX of a formula.
document.addEventListener("DOMContentLoaded", () => {
  const contents = document.getElementById("doc-content")
  if (!/\\\(|\\\[/.test(contents.textContent)) return
  const name = () => {
    for (const formula of MathJax.Hub.getAllJax()) {
      const picture = document.querySelector(`#${formula.inputID}-Frame svg`)
      picture?.setAttribute("aria-label", formula.originalText.trim())
    }
  }
  for (const script of document.getElementById("d2l-mathjax").content.querySelectorAll("script")) {
    const live = document.createElement("script") // a script that is copied from a template does not run
    if (script.type) live.type = script.type
    if (script.src) live.src = script.getAttribute("src")
    live.onload = () => MathJax.Hub.Register.StartupHook("End", name)
    live.textContent = script.textContent
    document.head.append(live)
  }
})
