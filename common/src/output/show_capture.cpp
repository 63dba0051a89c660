// SPDX-License-Identifier: MIT
// With D2L_CELLS=file.json: what was shown, by cells, whole or not at all.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "d2l/error.h"
#include "output/lesson_source.h"
#include "output/shown.h"
#include "runtime/configuration.h"

namespace d2l::detail {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw ConfigurationError("[D2L_CELLS] cannot write the cells to '" + path + "': " + why +
                           "; name a file in a folder that exists and that you may write to");
}

void write_all(const std::string& path, int flags, const std::string& text, const std::string& named) {
  const int file = ::open(path.c_str(), flags, 0644);
  if (file < 0) refuse(named, std::strerror(errno));
  std::size_t done = 0;
  while (done < text.size()) {
    const auto count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int reason = errno;
      ::close(file);
      refuse(named, std::strerror(reason));
    }
    done += static_cast<std::size_t>(count);
  }
  if (::close(file) != 0) refuse(named, std::strerror(errno));
}

Json json_of(const Output& output) {
  Json json;
  switch (output.kind) {
    case Output::Kind::text:
      json["kind"] = "text";
      break;
    case Output::Kind::measured:
      json["kind"] = "measured";
      json["label"] = output.label;
      break;
    case Output::Kind::svg:
      json["kind"] = "svg";
      json["alternative"] = output.label;
      break;
  }
  json["text"] = output.text;
  if (output.measurement) {
    json["value"] = output.measurement->value;
    json["unit"] = output.measurement->unit;
    json["low"] = output.measurement->low;
    json["high"] = output.measurement->high;
  }
  return json;
}

class CaptureStage : public Stage {
 public:
  explicit CaptureStage(const std::string& path)
      : path_(path), temporary_(path + ".part" + std::to_string(::getpid())) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) refuse(path, "it is a folder");
    in_place_ = std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
    if (in_place_) return;
    write_all(temporary_, O_CREAT | O_TRUNC | O_WRONLY, "", path);
    ::unlink(temporary_.c_str());
  }

  void put(const Output& output, Caller caller) override {
    if (file_.empty()) begin(caller.file);
    outputs_[cell_line(caller)].push_back(json_of(output));
  }

  void reach(Caller /*caller*/) override {}

  void finish() override {
    if (file_.empty()) refuse(path_, "the program showed nothing");
    Json document;
    document["section"] = section_of(file_);
    document["configuration"] = configuration_;
    document["devices"] = devices_;
    document["cells"] = Json::array();
    for (const auto& [line, outputs] : outputs_) {
      document["cells"].push_back({{"line", line}, {"title", titles_[line]}, {"outputs", outputs}});
    }
    const auto text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (in_place_) return write_all(path_, O_WRONLY, text, path_);
    try {
      write_all(temporary_, O_CREAT | O_TRUNC | O_WRONLY, text, path_);
      if (::rename(temporary_.c_str(), path_.c_str()) != 0) refuse(path_, std::strerror(errno));
    } catch (...) {
      ::unlink(temporary_.c_str());
      throw;
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

  // The cell that a call stands in; a call from another file adds to the cell that came last. A program without cells
  // is one, from its first line on.
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
  std::string temporary_;
  bool in_place_ = false;  // a pipe or a device: there is nothing to rename
  std::string file_;
  std::string configuration_;
  std::vector<std::string> devices_;
  std::vector<LessonCell> cells_;
  std::map<int, std::string> titles_;
  std::map<int, std::vector<Json>> outputs_;
  int last_line_ = 0;
};

}  // namespace

std::unique_ptr<Stage> make_capture_stage(const std::string& path) { return std::make_unique<CaptureStage>(path); }

}  // namespace d2l::detail
