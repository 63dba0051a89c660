// SPDX-License-Identifier: MIT
#include "pages/exercise_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/files.h"
#include "course/hints.h"
#include "outputs/captures.h"
#include "outputs/outputs.h"
#include "source/highlight.h"
#include "source/text.h"

namespace d2l::weaver {

namespace {

using Json = nlohmann::json;

/// A file without its beginning: licence, statement and #pragma once.
std::string code_of(const std::string& file) {
  auto lines = lines_of(file);
  const auto skipped = [](const std::string& line) {
    return line.empty() || line.starts_with("//") || line == "#pragma once";
  };
  while (!lines.empty() && skipped(lines.front())) lines.erase(lines.begin());
  return joined(lines);
}

/// The opening comment of a file, without comment signs and licence.
std::string opening_comment(const std::string& file) {
  std::string text;
  for (const auto& line : lines_of(file)) {
    if (!line.starts_with("//")) break;
    if (line.find("SPDX-License-Identifier") == std::string::npos)
      text += (line.size() > 3 ? line.substr(3) : "") + "\n";
  }
  return text;
}

/// A row for each item of the check, in its order.
std::string items_html(const Book& book, const runner::Exercise& exercise) {
  const auto file = book.items / (exercise.chapter + "_" + exercise.name + ".json");
  std::vector<std::vector<std::string>> rows;
  int sum = 0;
  try {
    const auto json = Json::parse(runner::read_file(file));
    for (const auto& item : json.at("items")) {
      const auto hint = item.at("hint").get<int>();
      const auto points = item.at("possible").get<int>();
      sum += points;
      rows.push_back({fmt::format("<code>{}</code>", html(item.at("name").get<std::string>())),
                      html(item.at("what").get<std::string>()), html(item.at("kind").get<std::string>()),
                      std::to_string(points), hint > 0 ? fmt::format("<a href=\"#hint{0}\">{0}</a>", hint) : ""});
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("cannot read the items {}: {}", file.string(), error.what()));
  }
  rows.push_back({"", "total", "", std::to_string(sum), ""});
  return table_html("d2l-items", {"item", "what must hold", "kind", "points", "hint"}, rows);
}

std::string hints_html(const Book& book, const runner::Exercise& exercise) {
  std::string out;
  int number = 0;
  for (const auto& hint : runner::read_hints(exercise.folder / "hint.md")) {
    ++number;
    out += fmt::format("<details class=\"d2l-hint\" id=\"hint{0}\"><summary>Hint {0}: {1}</summary>\n{2}</details>\n",
                       number, html(without_markdown(hint.title)), markdown(hint.text, book.links));
  }
  return out;
}

std::string files_html(const runner::Exercise& exercise) {
  const auto folder = fmt::format("sources/exercises/{}/", exercise.key());
  const auto source = exercise.source().filename().string();
  return downloads_html({{source, folder + source}, {"exercise.h", folder + "exercise.h"}});
}

void add_demonstration(const Book& book, const runner::Exercise& exercise, Page& page) {
  const auto file = book.captures / "demonstrations" / (exercise.chapter + "_" + exercise.name + ".json");
  if (!std::filesystem::exists(file)) return;
  const auto capture = read_capture(file);
  page.section(1, "What it costs");
  std::string shown = "<div class=\"d2l-outputs\">\n";
  for (const auto& [line, outputs] : capture.cells) shown += outputs_html(outputs, fmt::format("line{}", line));
  page.block(fmt::format("<p>The outputs of our solution. Show those of yours:</p>\n{}{}</div>\n{}",
                         command_html(fmt::format("./learn check {} --demonstrate", exercise.number)), shown,
                         provenance_html({capture})));
}

}  // namespace

Page exercise_page(const Book& book, const runner::Exercise& exercise) {
  Page page(page_of(exercise), fmt::format("Exercise {}: {}", exercise.number, exercise.title));
  const auto& names = book.links.names;
  page.block(files_html(exercise) + markdown(runner::statement(exercise), book.links));
  page.section(1, "What to write");
  page.block(fmt::format("<p>Edit <code>{}</code>. It already compiles. The declaration:</p>\n{}",
                         html(exercise.shown_source()),
                         code_block(code_of(runner::read_file(exercise.folder / "exercise.h")), names)));
  page.section(1, "How it is checked");
  page.block(fmt::format("{}<p>Each check draws new values. <code>./learn watch {}</code> checks at each save.</p>\n{}",
                         command_html("./learn check " + exercise.number), exercise.number,
                         items_html(book, exercise)));
  page.section(1, "Hints");
  page.block(hints_html(book, exercise));
  add_demonstration(book, exercise, page);
  if (!book.solution(exercise).empty()) {
    page.section(1, "Solution");
    page.block(fmt::format(
        "<div class=\"d2l-warning\"><p>You remember what you solved yourself. Read on when your own version "
        "passes, or when you have used all hints.</p>\n<p>{}</p></div>\n",
        link(solution_page_of(exercise), "Show our solution and its explanation")));
  }
  page.block(steps_html(book, page.id()));
  if (!book.solution(exercise).empty()) {
    // This places the solution in the tree. The reader sees only the link behind the warning.
    page.block("<div hidden>");
    page.line(fmt::format("\\subpage {}", solution_page_of(exercise)));
    page.block("</div>");
  }
  return page;
}

Page solution_page(const Book& book, const runner::Exercise& exercise) {
  Page page(solution_page_of(exercise), "Solution of " + exercise.number);
  const auto source = runner::read_file(book.solution(exercise));
  const auto& names = book.links.names;
  const auto variables = variables_of(source, names);
  page.block(fmt::format("<p>Solution of the exercise {}.</p>\n{}{}", link(page_of(exercise), exercise.title),
                         markdown(opening_comment(source), book.links, variables),
                         code_block(code_of(source), names, variables)));
  return page;
}

}  // namespace d2l::weaver
