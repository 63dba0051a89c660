// SPDX-License-Identifier: MIT
#include "outputs/captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/files.h"
#include "source/text.h"

namespace d2l::weaver {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::array<std::pair<const char*, const char*>, 4> without_gpu{{{"none", "no GPU"},
                                                                          {"virtual1", "one virtual GPU"},
                                                                          {"virtual2", "two virtual GPUs"},
                                                                          {"virtual4", "four virtual GPUs"}}};

/// The position of a configuration among the tabs.
std::size_t rank(const std::string& configuration) {
  const auto* const found = std::find_if(without_gpu.begin(), without_gpu.end(),
                                         [&](const auto& known) { return configuration == known.first; });
  return static_cast<std::size_t>(found - without_gpu.begin());
}

std::string name_of(const std::string& configuration) {
  const auto at = rank(configuration);
  return at < without_gpu.size() ? without_gpu[at].second : configuration;
}

/// The capture files of a lesson in a folder, sorted; none if there is no such folder.
std::vector<fs::path> files_of(const fs::path& folder, const std::string& section) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& file : fs::directory_iterator(folder, missing)) {
    const auto name = file.path().filename().string();
    if (name.starts_with(section + ".") && name.ends_with(".json")) files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// In the folder 2026-11-22_NVIDIA_H200: "NVIDIA H200" for h200, "NVIDIA H200, 2 slices" for h200_virtual2.
std::string name_on_gpu(const std::string& configuration, const std::string& folder) {
  auto card = replaced(folder.substr(std::min(folder.find('_'), folder.size() - 1) + 1), "_", " ");
  for (const auto& [mark, words] : {std::pair{"_virtual", "{}, {} slices"}, std::pair{"_x", "{}, {} cards"}}) {
    const auto at = configuration.rfind(mark);
    if (at == std::string::npos) continue;
    return fmt::format(fmt::runtime(words), card, configuration.substr(at + std::string(mark).size()));
  }
  return card;
}

Output output_of(const Json& json) {
  const auto kind = json.at("kind").get<std::string>();
  const auto text = json.at("text").get<std::string>();
  if (kind == "text") return {Output::Kind::text, text, ""};
  if (kind == "svg") return {Output::Kind::svg, text, json.at("alternative").get<std::string>()};
  if (kind == "measured") return {Output::Kind::measured, text, json.at("label").get<std::string>()};
  throw std::runtime_error(fmt::format("an output has the kind '{}'; expected text, measured or svg", kind));
}

std::vector<Capture> of_gpus(const fs::path& hardware, const std::string& chapter, const std::string& section,
                             const std::string& fingerprint) {
  std::set<fs::path> folders;
  std::error_code missing;
  for (const auto& measured : fs::directory_iterator(hardware, missing)) folders.insert(measured.path());
  std::map<std::string, Capture> newest;
  for (const auto& folder : folders) {
    for (const auto& file : files_of(folder / "captures" / chapter, section)) {
      auto capture = read_capture(file);
      capture.name = name_on_gpu(capture.configuration, folder.filename().string());
      capture.stale = capture.fingerprint != fingerprint;
      newest[capture.configuration] = capture;
    }
  }
  std::vector<Capture> captures;
  for (const auto& [configuration, capture] : newest) captures.push_back(capture);
  return captures;
}

}  // namespace

Capture read_capture(const fs::path& file) {
  try {
    const auto json = Json::parse(runner::read_file(file));
    const auto& captured = json.at("captured");
    Capture capture;
    capture.configuration = json.at("configuration").get<std::string>();
    capture.name = name_of(capture.configuration);
    capture.devices = json.at("devices").get<std::vector<std::string>>();
    capture.when = captured.at("when").get<std::string>();
    capture.on = captured.at("on").get<std::string>();
    capture.fingerprint = captured.value("cells_sha256", "");
    for (const auto& cell : json.at("cells")) {
      auto& outputs = capture.cells[cell.value("cell", cell.at("line").get<int>())];
      for (const auto& output : cell.at("outputs")) outputs.push_back(output_of(output));
    }
    return capture;
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("cannot read the capture {}: {}", file.string(), error.what()));
  }
}

std::vector<Capture> captures_of(const fs::path& built, const fs::path& hardware, const std::string& chapter,
                                 const std::string& section, const std::string& fingerprint) {
  std::vector<Capture> captures;
  for (const auto& file : files_of(built / chapter, section)) {
    captures.push_back(read_capture(file));
    if (captures.back().fingerprint != fingerprint) {
      throw std::runtime_error(
          fmt::format("{} was captured before the code of {} changed: build the target docs", file.string(), section));
    }
  }
  if (captures.empty())
    throw std::runtime_error(
        fmt::format("found no captures of {} in {}: build the target docs", section, built.string()));
  std::stable_sort(captures.begin(), captures.end(),
                   [](const Capture& a, const Capture& b) { return rank(a.configuration) < rank(b.configuration); });
  const auto measured = of_gpus(hardware, chapter, section, fingerprint);
  captures.insert(captures.end(), measured.begin(), measured.end());
  return captures;
}

}  // namespace d2l::weaver
