// SPDX-License-Identifier: MIT
#include "pages/notebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "output/lesson_source.h"
#include "pages/preamble.h"
#include "source/text.h"

namespace d2l::weaver {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// The lines of a text as a notebook stores them: each but the last with its newline.
OrderedJson source_of(const std::string& text) {
  auto lines = lines_of(text);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) lines[i] += '\n';
  return lines;
}

OrderedJson prose_cell(const std::string& id, const std::string& text) {
  return {{"cell_type", "markdown"}, {"id", id}, {"metadata", OrderedJson::object()}, {"source", source_of(text)}};
}

OrderedJson code_cell(const std::string& id, const std::string& text, OrderedJson outputs = OrderedJson::array()) {
  return {{"cell_type", "code"},
          {"id", id},
          {"metadata", OrderedJson::object()},
          {"execution_count", nullptr},
          {"source", source_of(text)},
          {"outputs", std::move(outputs)}};
}

OrderedJson output_json(const Output& output) {
  OrderedJson data;
  OrderedJson metadata = OrderedJson::object();
  if (output.kind == Output::Kind::svg) {
    data["image/svg+xml"] = output.text;
    data["text/plain"] = output.label;
  } else if (output.kind == Output::Kind::measured) {
    data["text/plain"] = output.text + " (measured)";
    metadata["measured"] = true;
  } else {
    data["text/plain"] = output.text;
  }
  return {{"output_type", "display_data"}, {"data", data}, {"metadata", metadata}};
}

std::string introduction(const runner::Lesson& lesson, const Capture& capture) {
  return fmt::format(
      "Section {} of *GPU computing for deep learning in C++*. The cells below are C++. Each runs as a program of all "
      "cells so far, and the values that it passes to `show()` appear below it. Change a cell and run it again.\n\n"
      "The outputs were captured with {} on {}. The first cell fetches and builds the course, on Linux or Colab. This "
      "takes some minutes, once. Without `D2L_VIRTUAL_GPUS` the cells see two virtual GPUs in host memory.",
      lesson.number, capture.name, capture.when);
}

std::string fetching(const runner::Lesson& lesson, const std::string& address) {
  return fmt::format(R"(import pathlib, subprocess, sys

address = "{}"  # what git clone takes
course = pathlib.Path("d2l-gpus")
if not course.exists():
    if not address:
        raise SystemExit("Set the address of the published course: address = \"https://…\"")
    subprocess.run(["git", "clone", "--depth", "1", address, str(course)], check=True)
sys.path.insert(0, str(course / "docs" / "notebook"))
from d2l_notebook import open_lesson

open_lesson("{}/{}", course))",
                     address, lesson.chapter, lesson.name);
}

}  // namespace

std::string notebook(const runner::Lesson& lesson, const std::string& source, const Capture& capture,
                     const std::string& address) {
  const auto cells = detail::cells_of(source);
  OrderedJson list = OrderedJson::array();
  list.push_back(prose_cell("about", introduction(lesson, capture)));
  list.push_back(code_cell("fetch", fetching(lesson, address)));
  list.push_back(code_cell("cell-0", "%%d2l 0\n" + beginning_of(source, cells)));
  int number = 0;
  for (const auto& cell : cells) {
    ++number;
    auto prose = joined(cell.prose);
    if (number == 1) prose = replaced(prose, "# " + lesson.title, fmt::format("# {} {}", lesson.number, lesson.title));
    if (!prose.empty()) list.push_back(prose_cell(fmt::format("prose-{}", number), prose));
    const auto code = joined(cell.code);
    if (only_closes(code)) continue;
    OrderedJson outputs = OrderedJson::array();
    const auto shown = capture.cells.find(number);
    if (shown != capture.cells.end()) {
      std::transform(shown->second.begin(), shown->second.end(), std::back_inserter(outputs), output_json);
    }
    list.push_back(
        code_cell(fmt::format("cell-{}", number), fmt::format("%%d2l {}\n{}", number, code), std::move(outputs)));
  }
  const OrderedJson document{
      {"nbformat", 4},
      {"nbformat_minor", 5},
      {"metadata",
       {{"kernelspec", {{"display_name", "Python 3"}, {"language", "python"}, {"name", "python3"}}},
        {"language_info", {{"name", "python"}}}}},
      {"cells", list}};
  return document.dump(1) + "\n";
}

}  // namespace d2l::weaver
