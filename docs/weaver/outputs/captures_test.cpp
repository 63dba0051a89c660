// SPDX-License-Identifier: MIT
#include "outputs/captures.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/files.h"
#include "outputs/outputs.h"

namespace d2l::weaver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json file_of_cells(const std::string& configuration, const std::string& text, const std::string& fingerprint) {
  return {{"section", "1.2.2"},
          {"configuration", configuration},
          {"devices", {"a GPU"}},
          {"cells", {{{"line", 12}, {"cell", 3}, {"outputs", {{{"kind", "text"}, {"text", text}}}}}}},
          {"captured", {{"when", "2026-11-22"}, {"on", "Linux"}, {"cells_sha256", fingerprint}}}};
}

class Captures : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("d2l_weaver_test_" + std::to_string(::getpid()));
    for (const std::string configuration : {"virtual4", "virtual2", "none"}) built(configuration, "x", "now");
    on_gpu("2026-11-01_NVIDIA_H200", "h200", "old", "then");
    on_gpu("2026-11-02_NVIDIA_H200", "h200", "y", "then");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void built(const std::string& configuration, const std::string& text, const std::string& fingerprint) {
    runner::write_file(folder_ / "built" / "1_gpus" / ("2_2_copying." + configuration + ".json"),
                       file_of_cells(configuration, text, fingerprint).dump());
  }
  void on_gpu(const std::string& name, const std::string& configuration, const std::string& text,
              const std::string& fingerprint) {
    runner::write_file(folder_ / "hardware" / name / "captures" / "1_gpus" / ("2_2_copying." + configuration + ".json"),
                       file_of_cells(configuration, text, fingerprint).dump());
  }
  std::vector<Capture> all() const {
    return captures_of(folder_ / "built", folder_ / "hardware", "1_gpus", "2_2_copying", "now");
  }

  fs::path folder_;
};

TEST_F(Captures, AreSortedByTab) {
  std::string names;
  for (const auto& capture : all()) names += capture.name + "; ";
  EXPECT_EQ(names, "no GPU; two virtual GPUs; four virtual GPUs; NVIDIA H200; ");
}

TEST_F(Captures, OfAGpuAreOutOfDateAfterTheProgramChanged) {
  EXPECT_TRUE(all().back().stale);
  EXPECT_FALSE(all().front().stale);
  EXPECT_EQ(all().back().cells.at(3).front().text, "y") << "the newest";
  EXPECT_NE(outputs_of_cell(all(), 3, "cell3").find("<p class=\"d2l-stale\">"), std::string::npos);
  EXPECT_NE(provenance_html(all()).find("Out of date"), std::string::npos);

  on_gpu("2026-11-03_NVIDIA_H200", "h200", "y", "now");
  EXPECT_FALSE(all().back().stale);
  EXPECT_EQ(outputs_of_cell(all(), 3, "cell3").find("d2l-stale"), std::string::npos);
  EXPECT_EQ(provenance_html(all()).find("Out of date"), std::string::npos);
}

TEST_F(Captures, OfTheBuildMustMatchTheProgram) {
  built("virtual2", "x", "then");
  EXPECT_THROW(all(), std::runtime_error);
}

TEST_F(Captures, MustBeWellFormed) {
  const auto file = folder_ / "built" / "1_gpus" / "2_2_copying.none.json";
  for (const std::string strange : {"", "[]", R"({"cells": []})"}) {
    runner::write_file(file, strange);
    EXPECT_THROW(read_capture(file), std::runtime_error) << strange;
  }
  auto unknown_origin = file_of_cells("none", "x", "now");
  unknown_origin.erase("captured");
  auto unknown_kind = file_of_cells("none", "x", "now");
  unknown_kind["cells"][0]["outputs"][0]["kind"] = "smell";
  for (const auto& strange : {unknown_origin, unknown_kind}) {
    runner::write_file(file, strange.dump());
    EXPECT_THROW(read_capture(file), std::runtime_error) << strange;
  }
  EXPECT_THROW(captures_of(folder_ / "nowhere", folder_, "1_gpus", "2_2_copying", "now"), std::runtime_error);
}

}  // namespace
}  // namespace d2l::weaver
