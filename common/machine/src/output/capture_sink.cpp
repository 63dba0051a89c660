// SPDX-License-Identifier: MIT
// The capture of a program: its outputs as JSON, grouped by cell.
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/atomic_file.h"
#include "base/message.h"
#include "output/lesson_source.h"
#include "output/output_sink.h"
#include "runtime/configuration.h"

namespace d2l::detail {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* operation = "D2L_CELLS";

Json json_of(const Output& output) {
  static constexpr std::array kinds{"text", "measured", "svg"};
  Json json;
  json["kind"] = kinds.at(static_cast<std::size_t>(output.kind));
  if (output.kind == Output::Kind::measured) json["label"] = output.label;
  if (output.kind == Output::Kind::svg) json["alternative"] = output.label;
  json["text"] = output.text;
  if (output.measurement) {
    json["value"] = output.measurement->value;
    json["unit"] = output.measurement->unit;
    json["low"] = output.measurement->low;
    json["high"] = output.measurement->high;
  }
  return json;
}

class CaptureSink : public OutputSink {
 public:
  explicit CaptureSink(const std::string& path) : path_(path) {
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    in_place_ = exists(status) && !is_regular_file(status) && !is_directory(status);
    if (!in_place_) AtomicFile(operation, path);  // throws if the file cannot be written
  }

  void put(const Output& output, Caller caller) override {
    if (file_.empty()) begin(caller.file);
    outputs_[cell_line(caller)].push_back(json_of(output));
  }

  void reach(Caller /*caller*/) override {}

  void finish() override {
    if (file_.empty()) {
      fail<ConfigurationError>(operation, "cannot write \"" + path_ + "\": the program showed nothing", {},
                               "call show() in the program");
    }
    Json document;
    document["section"] = section_of(file_);
    document["configuration"] = configuration_;
    document["devices"] = devices_;
    document["cells"] = Json::array();
    for (const auto& [line, outputs] : outputs_) {
      document["cells"].push_back({{"line", line}, {"title", titles_[line]}, {"outputs", outputs}});
    }
    const auto text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (in_place_) {
      std::ofstream(path_) << text;
    } else {
      write_file(operation, path_, text);
    }
  }

 private:
  void begin(const std::string& file) {
    file_ = file;
    configuration_ = configuration_name();
    devices_ = gpu_names();
    if (auto cells = read_cells(file)) cells_ = *std::move(cells);
    for (const auto& cell : cells_) titles_[cell.line] = cell.title;
  }

  // The cell of a call. A call from another file adds to the last cell; a program without cells is one cell.
  int cell_line(Caller caller) {
    if (cells_.empty()) return 1;
    if (caller.file == file_) {
      last_line_ = caller.line;
      for (const auto& cell : cells_) {
        if (cell.line < caller.line && caller.line <= cell.last_line) last_line_ = cell.line;
      }
    }
    return last_line_;
  }

  std::string path_;
  bool in_place_ = false;  // it is a pipe or a device, which a rename cannot replace
  std::string file_;
  std::string configuration_;
  std::vector<std::string> devices_;
  std::vector<LessonCell> cells_;
  std::map<int, std::string> titles_;
  std::map<int, std::vector<Json>> outputs_;
  int last_line_ = 0;
};

}  // namespace

std::unique_ptr<OutputSink> make_capture_sink(const std::string& path) { return std::make_unique<CaptureSink>(path); }

}  // namespace d2l::detail
