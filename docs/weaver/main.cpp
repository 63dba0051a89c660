// SPDX-License-Identifier: MIT
// d2l_weaver: writes the pages of the book from the course and the captured outputs of its programs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/files.h"
#include "capture/provenance.h"
#include "outputs/captures.h"
#include "pages/book.h"
#include "pages/exercise_page.h"
#include "pages/lesson_page.h"
#include "pages/map_pages.h"
#include "pages/notebook.h"

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

/// Notebooks show the outputs of two virtual GPUs.
constexpr const char* notebook_configuration = "virtual2";

void write_page(const Page& page, const fs::path& output) {
  write_file(output / "pages" / "course" / (page.id() + ".md"), page.text());
}

void weave_lessons(const Book& book, const Places& places) {
  const auto files = places.output / "files";
  for (const auto& lesson : book.lessons) {
    const auto source = read_file(lesson.source);
    const auto captures = captures_of(book.captures, book.root / "docs" / "hardware", lesson.chapter, lesson.name,
                                      runner::code_fingerprint(source));
    write_page(lesson_page(book, lesson, source, captures), places.output);
    write_file(files / "sources" / lesson.chapter / lesson.source.filename(), source);
    const auto capture = std::find_if(captures.begin(), captures.end(),
                                      [](const Capture& one) { return one.configuration == notebook_configuration; });
    if (capture == captures.end()) continue;
    write_file(files / "notebooks" / lesson.chapter / (lesson.name + ".ipynb"),
               notebook(lesson, source, *capture, places.address));
  }
}

void weave_exercises(const Book& book, const fs::path& output) {
  for (const auto& exercise : book.exercises) {
    write_page(exercise_page(book, exercise), output);
    // The stub, not what may have been edited.
    const auto folder = output / "files" / "sources" / "exercises" / exercise.chapter / exercise.name;
    write_file(folder / exercise.source().filename(), read_file(exercise.stub()));
    write_file(folder / "exercise.h", read_file(exercise.folder / "exercise.h"));
    if (!book.solution(exercise).empty()) write_page(solution_page(book, exercise), output);
  }
}

void weave(const Places& places) {
  auto book = read_book(places.root, read_file(places.tags));
  book.captures = places.captures;
  book.items = places.items;
  fs::remove_all(places.output / "pages");
  fs::remove_all(places.output / "files");
  weave_lessons(book, places);
  weave_exercises(book, places.output);
  for (const auto& chapter : book.chapters) write_page(chapter_page(book, chapter), places.output);
  for (const auto& page : places.pages) {
    write_file(places.output / "pages" / "guides" / page.filename(), hand_written(book, page));
  }
}

}  // namespace

int main(int count, char** words) {
  CLI::App app("Writes the pages of the book, as Markdown for Doxygen, and the files that they offer.", "d2l_weaver");
  Places places;
  app.add_option("--root", places.root, "The checkout")->required();
  app.add_option("--captures", places.captures, "Folder of the captures of the build")->required();
  app.add_option("--items", places.items, "Folder of the items of the checks")->required();
  app.add_option("--tags", places.tags, "Doxygen's tag file of the public headers")->required();
  app.add_option("--output", places.output, "Folder to write pages/ and files/ into")->required();
  app.add_option("--address", places.address, "Address from which notebooks clone the course");
  app.add_option("pages", places.pages, "Handwritten pages");

  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    weave(places);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "d2l_weaver: {}\n", error.what());
    return 2;
  }
}
