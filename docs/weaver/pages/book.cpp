// SPDX-License-Identifier: MIT
#include "pages/book.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "source/text.h"

namespace d2l::weaver {

namespace {

namespace fs = std::filesystem;

struct Stop {
  std::string page;
  std::string title;
};

std::vector<Stop> way_through(const Book& book) {
  std::vector<Stop> stops;
  for (const auto& lesson : book.lessons) stops.push_back({page_of(lesson), lesson.number + " " + lesson.title});
  for (const auto& exercise : book.exercises) {
    stops.push_back({page_of(exercise), fmt::format("Exercise {}: {}", exercise.number, exercise.title)});
  }
  return stops;
}

}  // namespace

fs::path Book::solution(const runner::Exercise& exercise) const {
  const auto file = root / "solutions" / exercise.chapter / (exercise.name + exercise.extension());
  return fs::exists(file) ? file : fs::path();
}

Book read_book(const fs::path& root, const std::string& tags) {
  Book book;
  book.root = root;
  book.chapters = runner::read_course(root);
  book.links.names = Names(tags);
  for (const auto& chapter : book.chapters) {
    std::ranges::copy_if(chapter.sections, std::back_inserter(book.lessons),
                         [](const auto& section) { return !section.name.empty() && !section.draft; });
    std::ranges::copy_if(chapter.exercises, std::back_inserter(book.exercises),
                         [](const auto& exercise) { return !exercise.draft; });
  }
  std::erase_if(book.chapters, [&](const auto& chapter) {
    return std::ranges::none_of(book.lessons, [&](const auto& lesson) { return lesson.chapter == chapter.folder; });
  });
  for (const auto& lesson : book.lessons) book.links.sections[lesson.number] = page_of(lesson) + ".html";
  for (const auto& exercise : book.exercises) book.links.exercises[exercise.number] = page_of(exercise) + ".html";
  return book;
}

std::string page_of(const runner::Chapter& chapter) { return "chapter_" + chapter.folder; }
std::string title_of(const runner::Chapter& chapter) { return chapter.number + " " + chapter.title; }
std::string page_of(const runner::Lesson& lesson) { return lesson.target(); }
std::string page_of(const runner::Exercise& exercise) { return exercise.target(); }
std::string solution_page_of(const runner::Exercise& exercise) { return exercise.solution_target(); }

std::string link(const std::string& page, const std::string& words) {
  return fmt::format("<a href=\"{}.html\">{}</a>", page, html(words));
}

std::string steps_html(const Book& book, const std::string& page) {
  const auto stops = way_through(book);
  const auto here = std::find_if(stops.begin(), stops.end(), [&](const Stop& stop) { return stop.page == page; });
  if (here == stops.end()) return "";
  std::string out = "<nav class=\"d2l-steps\" aria-label=\"Sections\">";
  const auto step = [&](const char* rel, const Stop& stop) {
    out += fmt::format("<a rel=\"{}\" href=\"{}.html\">{}</a>", rel, stop.page, html(stop.title));
  };
  if (here != stops.begin()) step("prev", *(here - 1));
  if (here + 1 != stops.end()) step("next", *(here + 1));
  return out + "</nav>\n";
}

std::string command_html(const std::string& command) {
  return fmt::format("<div class=\"d2l-run\"><code>{}</code></div>\n", html(command));
}

std::string table_html(const std::string& name, const std::vector<std::string>& heads,
                       const std::vector<std::vector<std::string>>& rows) {
  std::string out = fmt::format("<div><table class=\"{}\"><thead><tr>", name);
  for (const auto& head : heads) out += fmt::format("<th>{}</th>", html(head));
  out += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    out += "<tr>";
    for (const auto& cell : row) out += fmt::format("<td>{}</td>", cell);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string downloads_html(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string out = "<ul class=\"d2l-downloads\">";
  for (const auto& [name, address] : files) {
    out += fmt::format("<li><a href=\"{}\" download=\"{}\">{}</a></li>", html(address), html(name), html(name));
  }
  return out + "</ul>\n";
}

}  // namespace d2l::weaver
