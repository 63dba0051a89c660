// SPDX-License-Identifier: MIT
// d2l_weaver: makes the pages of the site from the course and what its programs showed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/files.h"
#include "book.h"
#include "capture/provenance.h"
#include "captures.h"
#include "exercise_page.h"
#include "lesson_page.h"
#include "map_pages.h"
#include "notebook.h"
#include "shown_outputs.h"

namespace {

namespace fs = std::filesystem;
using namespace d2l::weaver;
namespace runner = d2l::runner;
using d2l::runner::read_file;
using d2l::runner::write_file;

struct Places {
  fs::path root;
  fs::path captures;
  fs::path items;
  fs::path tags;
  fs::path output;
  std::string address;
  std::vector<fs::path> pages;
};

/// What notebooks show: two virtual GPUs.
constexpr const char* notebook_configuration = "virtual2";

void keep(const Page& page, const fs::path& output) {
  write_file(output / "pages" / "course" / (page.id() + ".md"), page.text());
}

void keep_notebook(const runner::Lesson& lesson, const std::string& source, const std::vector<Capture>& captures,
                   const std::string& address, const fs::path& output) {
  const auto capture = std::find_if(captures.begin(), captures.end(),
                                    [](const Capture& one) { return one.configuration == notebook_configuration; });
  if (capture == captures.end()) return;
  write_file(output / "files" / "notebooks" / lesson.chapter / (lesson.name + ".ipynb"),
             notebook(lesson, source, *capture, address));
}

void weave_lessons(const Book& book, const std::string& address, const fs::path& output) {
  for (const auto& lesson : book.lessons) {
    const auto source = read_file(lesson.source);
    const auto captures = captures_of(book.captures, book.root / "docs" / "hardware", lesson.chapter, lesson.name,
                                      d2l::runner::code_fingerprint(source));
    keep(lesson_page(book, lesson, source, captures), output);
    write_file(output / "files" / "sources" / lesson.chapter / (lesson.name + ".cpp"), source);
    keep_notebook(lesson, source, captures, address, output);
  }
}

void weave_exercises(const Book& book, const fs::path& output) {
  for (const auto& exercise : book.exercises) {
    keep(exercise_page(book, exercise), output);
    // What a student begins with, whatever stands in exercise.cpp now.
    const auto folder = output / "files" / "sources" / "exercises" / exercise.chapter / exercise.name;
    write_file(folder / "exercise.cpp", read_file(exercise.folder / "stub.cpp"));
    write_file(folder / "exercise.h", read_file(exercise.folder / "exercise.h"));
    if (!book.solution(exercise).empty()) keep(solution_page(book, exercise), output);
  }
}

void weave(const Places& places) {
  auto book = read_book(places.root, read_file(places.tags));
  book.captures = places.captures;
  book.items = places.items;
  fs::remove_all(places.output / "pages");
  fs::remove_all(places.output / "files");
  weave_lessons(book, places.address, places.output);
  weave_exercises(book, places.output);
  for (const auto& chapter : book.chapters) keep(chapter_page(book, chapter), places.output);
  for (const auto& page : places.pages) {
    write_file(places.output / "pages" / "guides" / page.filename(), hand_written(book, page));
  }
}

}  // namespace

int main(int count, char** words) {
  CLI::App app("Makes the pages of the site from the course and what its programs showed.", "d2l_weaver");
  app.require_subcommand(1);
  Places places;
  auto* const weave_command =
      app.add_subcommand("weave", "Write the pages, as Doxygen's Markdown, and what they offer");
  weave_command->add_option("--root", places.root, "The checkout")->required();
  weave_command->add_option("--captures", places.captures, "Folder of what the build captured")->required();
  weave_command->add_option("--items", places.items, "Folder of what the checks look at")->required();
  weave_command->add_option("--tags", places.tags, "Doxygen's tag file of the public headers")->required();
  weave_command->add_option("--output", places.output, "Folder to write pages/ and files/ into")->required();
  weave_command->add_option("--address", places.address, "Where notebooks fetch the course from");
  weave_command->add_option("pages", places.pages, "Pages written by hand");

  fs::path site;
  auto* const compare_command = app.add_subcommand("compare", "Compare the outputs on the site with the references");
  compare_command->add_option("--root", places.root, "The checkout")->required();
  compare_command->add_option("--site", site, "Folder of the site's pages")->required();
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (compare_command->parsed()) return compare_site(places.root, site);
    weave(places);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "d2l_weaver: {}\n", error.what());
    return 2;
  }
}
