// SPDX-License-Identifier: MIT
#include "pages/lesson_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "output/lesson_source.h"
#include "outputs/outputs.h"
#include "pages/preamble.h"
#include "source/highlight.h"
#include "source/text.h"

namespace d2l::weaver {

namespace {

using detail::LessonCell;

std::string place_in_book(const runner::Lesson& lesson) {
  const std::string numbers = runner::book_numbers(lesson, " or ");
  if (numbers.empty()) return "";
  if (!lesson.part_of.empty()) return fmt::format("In the book: a part of {}. ", numbers.substr(numbers.find(' ') + 1));
  return fmt::format("In the book, by its edition: {}. ", numbers);
}

bool asks_to_predict(const LessonCell& cell) {
  return std::any_of(cell.prose.begin(), cell.prose.end(),
                     [](const std::string& line) { return line.find("**Predict first.**") != std::string::npos; });
}

std::string files_html(const runner::Lesson& lesson) {
  const auto file = lesson.source.filename().string();
  std::vector<std::pair<std::string, std::string>> files{{file, fmt::format("sources/{}/{}", lesson.chapter, file)}};
  files.emplace_back(lesson.name + ".ipynb", fmt::format("notebooks/{}/{}.ipynb", lesson.chapter, lesson.name));
  return downloads_html(files);
}

void add_exercises(const Book& book, const runner::Lesson& lesson, Page& page) {
  std::string list;
  for (const auto& exercise : book.exercises) {
    if (exercise.chapter == lesson.chapter && exercise.number == lesson.number) {
      list += fmt::format("<li>{}</li>\n", link(page_of(exercise), exercise.title));
    }
  }
  if (list.empty()) return;
  page.section(1, "Exercise");
  page.block(fmt::format("<ul>\n{}</ul>\n", list));
}

}  // namespace

Page lesson_page(const Book& book, const runner::Lesson& lesson, const std::string& source,
                 const std::vector<Capture>& captures) {
  const auto cells = detail::cells_of(source);
  if (cells.empty()) throw std::runtime_error(fmt::format("{} has no cells (// %%)", lesson.source.string()));
  const auto& names = book.links.names;
  const auto variables = variables_of(source, names);

  Page page(page_of(lesson), lesson.number + " " + lesson.title);
  page.block(fmt::format("<p class=\"d2l-place\">{}Run it:</p>\n", html(place_in_book(lesson))) +
             command_html("./learn run " + lesson.number) + files_html(lesson));
  int number = 0;
  for (const auto& cell : cells) {
    ++number;
    for (const auto& passage : passages_of(cell.prose)) {
      if (passage.level > 1) page.section(passage.level - 1, passage.heading);
      page.block(markdown(passage.text, book.links, variables));
    }
    std::string below;
    if (number == 1) {
      below +=
          fmt::format("<details class=\"d2l-preamble\"><summary>The beginning of the file</summary>\n{}</details>\n",
                      code_block(beginning_of(source, cells), names, variables));
    }
    const auto code = joined(cell.code);
    if (!only_closes(code)) below += code_block(code, names, variables);
    const auto outputs = outputs_of_cell(captures, number, fmt::format("cell{}", number));
    if (asks_to_predict(cell) && !outputs.empty()) {
      below +=
          fmt::format("<details class=\"d2l-answer\"><summary>What does it print?</summary>\n{}</details>\n", outputs);
    } else {
      below += outputs;
    }
    page.block(below);
  }
  add_exercises(book, lesson, page);
  page.section(1, "Where these outputs come from");
  page.block(
      "<p>Each output was captured from this program. The book cannot be built while the program prints something "
      "else. "
      "Values marked as measured differ from run to run.</p>\n" +
      provenance_html(captures) + steps_html(book, page.id()));
  return page;
}

}  // namespace d2l::weaver
