// SPDX-License-Identifier: MIT
#include "captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/files.h"
#include "text.h"

namespace d2l::weaver {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::array<std::pair<const char*, const char*>, 4> without_card{{{"none", "no GPU"},
                                                                           {"virtual1", "one virtual GPU"},
                                                                           {"virtual2", "two virtual GPUs"},
                                                                           {"virtual4", "four virtual GPUs"}}};

std::string name_of(const std::string& configuration) {
  for (const auto& [known, name] : without_card) {
    if (configuration == known) return name;
  }
  return configuration;
}

/// The place of a configuration among the tabs.
std::size_t rank(const Capture& capture) {
  const auto* const found = std::find_if(without_card.begin(), without_card.end(),
                                         [&](const auto& known) { return capture.configuration == known.first; });
  return static_cast<std::size_t>(found - without_card.begin());
}

/// "NVIDIA H200" for h200, "NVIDIA H200, 2 slices" for h200_virtual2, of the folder 2026-11-22_NVIDIA_H200.
std::string name_on_card(const std::string& configuration, const std::string& folder) {
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
  throw std::runtime_error(fmt::format("an output of kind '{}'; text, measured and svg are known", kind));
}

std::vector<Capture> of_cards(const fs::path& hardware, const std::string& chapter, const std::string& section,
                              const std::string& fingerprint) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& measured : fs::directory_iterator(hardware, none)) {
    for (const auto& file : fs::directory_iterator(measured.path() / "captures" / chapter, none)) {
      const auto name = file.path().filename().string();
      if (name.starts_with(section + ".") && name.ends_with(".json")) files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::map<std::string, Capture> newest;
  for (const auto& file : files) {
    auto capture = read_capture(file);
    const auto folder = file.parent_path().parent_path().parent_path().filename().string();
    capture.name = name_on_card(capture.configuration, folder);
    capture.stale = capture.fingerprint != fingerprint;
    newest[capture.configuration] = capture;
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
    throw std::runtime_error(fmt::format("{} is no capture: {}", file.string(), error.what()));
  }
}

std::vector<Capture> captures_of(const fs::path& built, const fs::path& hardware, const std::string& chapter,
                                 const std::string& section, const std::string& fingerprint) {
  std::vector<Capture> captures;
  std::error_code none;
  for (const auto& file : fs::directory_iterator(built / chapter, none)) {
    const auto name = file.path().filename().string();
    if (!name.starts_with(section + ".") || !name.ends_with(".json")) continue;
    captures.push_back(read_capture(file.path()));
    if (captures.back().fingerprint != fingerprint) {
      throw std::runtime_error(fmt::format("{} was captured from another program than {} is now: build the target docs",
                                           file.path().string(), section));
    }
  }
  if (captures.empty()) throw std::runtime_error(fmt::format("{} has no captures in {}", section, built.string()));
  std::sort(captures.begin(), captures.end(), [](const Capture& a, const Capture& b) {
    return std::make_pair(rank(a), a.configuration) < std::make_pair(rank(b), b.configuration);
  });
  for (const auto& capture : of_cards(hardware, chapter, section, fingerprint)) captures.push_back(capture);
  return captures;
}

}  // namespace d2l::weaver
