// SPDX-License-Identifier: MIT
// Loads MathJax on the pages that hold a formula, \( … \) or \[ … \], and spares the others its work. Who cannot see the
// picture that it draws hears the formula's TeX.
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
    const live = document.createElement("script") // a copy of one from a template would not run
    if (script.type) live.type = script.type
    if (script.src) live.src = script.getAttribute("src")
    live.onload = () => MathJax.Hub.Register.StartupHook("End", name)
    live.textContent = script.textContent
    document.head.append(live)
  }
})
