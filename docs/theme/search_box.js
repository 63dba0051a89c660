// SPDX-License-Identifier: MIT
// Searches Doxygen's index without the frame of Doxygen's own search. Doxygen's page creates the object with the folder of
// the index. Each file of the index defines `searchData`, a list of [id, [name, [address, is in this site, scope], ...]].
class SearchBox {
  static mostResults = 40

  constructor(_name, folder) {
    this.folder = folder
    this.entries = []
    document.addEventListener("DOMContentLoaded", () => this.connect())
  }

  connect() {
    this.form = document.getElementById("MSearchBox")
    this.field = document.getElementById("MSearchField")
    this.box = document.getElementById("d2l-results")
    this.status = this.box.querySelector("p")
    this.list = this.box.querySelector("ul")
    // The elements of Doxygen's own search are not needed.
    document.getElementById("MSearchSelectWindow")?.remove()
    document.getElementById("MSearchResultsWindow")?.remove()

    this.field.addEventListener("focus", () => this.load())
    this.field.addEventListener("input", () => this.search())
    this.form.addEventListener("keydown", (event) => this.onKey(event))
    this.box.addEventListener("keydown", (event) => this.onKey(event))
    this.list.addEventListener("click", (event) => {
      if (event.target.closest("a")) this.close()
    })
    this.form.addEventListener("submit", (event) => {
      event.preventDefault()
      this.list.querySelector("a")?.click()
    })
    document.addEventListener("pointerdown", (event) => {
      if (!this.box.contains(event.target) && !this.form.contains(event.target)) this.close()
    })
    if (document.activeElement === this.field) this.load()
  }

  // Reads the whole index once, when the search field gets the focus. A page that is opened from a folder may load scripts
  // but not read files.
  load() {
    this.loaded ??= (async () => {
      let position = 0
      for (const letter of indexSectionsWithContent[0]) {
        this.entries.push(...(await this.read(`${this.folder}/${indexSectionNames[0]}_${position.toString(16)}.js`)))
        position += letter.length
      }
    })()
    return this.loaded
  }

  read(file) {
    return new Promise((resolve) => {
      const script = document.createElement("script")
      script.onload = () => resolve(window.searchData.flatMap((entry) => SearchBox.targets(entry)))
      script.onerror = () => resolve([])
      script.src = file
      document.head.append(script)
    })
  }

  static targets([, [name, ...places]]) {
    const title = SearchBox.plain(name)
    return places.map(([address, , scope]) => ({
      title,
      scope: SearchBox.plain(scope),
      address: address.replace(/^\.\.\//, ""),
      words: title.toLowerCase(),
    }))
  }

  static plain(html) {
    const signs = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#160;": " ", "&amp;": "&" }
    return (html ?? "").replace(/&(lt|gt|quot|#39|#160|amp);/g, (sign) => signs[sign])
  }

  // 0 for the name itself, 1 for names that begin with it, 2 for names with a word that does, 3 for names that contain it,
  // null for others.
  static rank(words, wanted) {
    const at = words.indexOf(wanted)
    if (at < 0) return null
    if (at === 0) return words.length === wanted.length ? 0 : 1
    return words.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) ? 2 : 3
  }

  async search() {
    const typed = () => this.field.value.trim().toLowerCase().replace(/\s+/g, " ")
    const wanted = typed()
    if (wanted === "") return this.close()
    await this.load()
    if (wanted !== typed()) return
    const found = this.entries
      .map((entry) => ({ entry, rank: SearchBox.rank(entry.words, wanted) }))
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => a.rank - b.rank || a.entry.title.length - b.entry.title.length)
    this.show(found.map(({ entry }) => entry), wanted)
  }

  show(found, wanted) {
    const shown = found.slice(0, SearchBox.mostResults)
    this.list.replaceChildren(...shown.map((entry) => SearchBox.row(entry, this.folder)))
    const count = found.length === 1 ? "1 result" : `${found.length} results`
    this.status.textContent =
      found.length === 0
        ? `Nothing is called “${wanted}”.`
        : found.length > shown.length
          ? `${count}; the first ${shown.length}:`
          : count
    this.box.hidden = false
  }

  static row(entry, folder) {
    const link = document.createElement("a")
    link.href = folder.replace(/search$/, "") + entry.address
    link.append(entry.title)
    const scope = document.createElement("span")
    scope.textContent = entry.scope
    if (entry.scope) link.append(scope)
    const row = document.createElement("li")
    row.append(link)
    return row
  }

  close() {
    this.box.hidden = true
    this.list.replaceChildren()
    this.status.textContent = ""
  }

  // Arrow keys move between the field and the list. Escape closes the list.
  onKey(event) {
    const stops = [this.field, ...this.list.querySelectorAll("a")]
    const here = stops.indexOf(document.activeElement)
    if (event.key === "Escape") {
      this.close()
      this.field.focus()
    } else if (event.key === "ArrowDown") {
      stops[Math.min(here + 1, stops.length - 1)].focus()
    } else if (event.key === "ArrowUp") {
      stops[Math.max(here - 1, 0)].focus()
    } else {
      return
    }
    event.preventDefault()
  }
}
