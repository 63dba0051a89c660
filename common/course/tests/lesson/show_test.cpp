// SPDX-License-Identifier: MIT
// show(): the cells of a source, the names of configurations, and the check of the device of a shown tensor.
#include "d2l/show.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "d2l/factories.h"
#include "d2l/figures.h"
#include "d2l/testing.h"
#include "gtest/gtest.h"
#include "lesson/figures.h"
#include "messages.h"
#include "output/lesson_source.h"
#include "runtime/configuration.h"
#include "temporary_folder.h"

namespace d2l {
namespace {

const char* const source =
    "// SPDX-License-Identifier: MIT\n"
    "// %%\n"
    "// # A title\n"
    "//\n"
    "// Prose.\n"
    "\n"
    "int main() {\n"
    "  show(1);  // no prose\n"
    "\n"
    "  // %%\n"
    "  // More prose.\n"
    "  if (true) {\n"
    "    show(2);\n"
    "  }\n"
    "}\n";

TEST(Cells, AreProseThenCode) {
  const auto cells = detail::cells_of(source);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].line, 2);
  EXPECT_EQ(cells[0].last_line, 9);
  EXPECT_EQ(cells[0].title, "A title");
  EXPECT_EQ(cells[0].prose, (std::vector<std::string>{"# A title", "", "Prose."}));
  EXPECT_EQ(cells[0].code, (std::vector<std::string>{"int main() {", "  show(1);  // no prose"}));
  EXPECT_EQ(cells[1].line, 10);
  EXPECT_EQ(cells[1].last_line, 15);
  EXPECT_EQ(cells[1].title, "");
  EXPECT_EQ(cells[1].code.front(), "  if (true) {");
  EXPECT_EQ(cells[1].code.back(), "}");
}

TEST(Cells, NeedTheirMark) {
  EXPECT_TRUE(detail::cells_of("").empty());
  EXPECT_TRUE(detail::cells_of("// %\n//%%\n// %%%\nint x;  // %%\n").empty());
  const auto documented = detail::cells_of("// %%\n// Prose.\n/// Of the code.\nint x;\n").front();
  EXPECT_EQ(documented.prose, std::vector<std::string>{"Prose."});
  EXPECT_EQ(documented.code, (std::vector<std::string>{"/// Of the code.", "int x;"}));
  EXPECT_EQ(detail::cells_of("// %%\r\n// Windows\r\nint x;\r\n").front().prose.front(), "Windows");
  EXPECT_FALSE(detail::read_cells("/nonexistent/lesson.cpp").has_value());
}

TEST(Section, HasTheNumberInTheDescriptionBesideIt) {
  const tests::TemporaryFolder folder;
  EXPECT_EQ(detail::section_of(folder / "x.cu"), "x");
  folder.write("chapter.json", R"({"sections": [{"number": "2.0"}, {"file": "x.cu", "number": "2.1"}]})");
  EXPECT_EQ(detail::section_of(folder / "x.cu"), "2.1");
  EXPECT_EQ(detail::section_of(folder / "program.cpp"), "program");
}

TEST(Configuration, IsNamedAfterItsGpus) {
  EXPECT_EQ(detail::slug_of_card("NVIDIA H200"), "h200");
  EXPECT_EQ(detail::slug_of_card("Tesla V100-SXM2-16GB"), "tesla_v100_sxm2_16gb");
  EXPECT_EQ(detail::slug_of_card("NVIDIA GeForce RTX 2080 Ti"), "geforce_rtx_2080_ti");
  EXPECT_EQ(detail::gpu_names().size(), static_cast<std::size_t>(num_gpus()));
  if (num_gpus() == 4 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host) {
    EXPECT_EQ(detail::configuration_name(), "virtual4");
  }
}

TEST(Show, RefusesATensorThatIsNotWhereItSays) {
  if (num_gpus() == 0) GTEST_SKIP() << "a wrong label needs a GPU to name";
  const Tensor honest = ones({2, 3});
  EXPECT_NO_THROW(detail::check_place(honest));
  EXPECT_THROW(detail::check_place(testing::relabel(honest, gpu(0))), DeviceError);
  EXPECT_NO_THROW(detail::check_place(ones({2, 3}, gpu(0))));
  EXPECT_THROW(show(1, testing::relabel(honest, gpu(0))), DeviceError);
}

TEST(Show, TakesAParameterThatIsNowhereYet) {
  EXPECT_NO_THROW(detail::check_place(nn::UninitializedParameter(try_gpu())));
}

TEST(Figures, OfTheChaptersDescribeThemselves) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(D2L_ROOT "/chapters"))) {
    if (entry.path().extension() != ".svg") continue;
    const detail::Figure figure = detail::figure_named(entry.path().stem().string());
    EXPECT_GT(figure.description.size(), 20U) << entry.path();
    EXPECT_TRUE(figure.svg.starts_with("<svg ") && !tests::contains(figure.svg, "<desc>")) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 5);
  const auto message = tests::message_of<ValueError>([] { show_figure("tree"); });
  EXPECT_TRUE(tests::contains(message, "[show_figure] there is no figure tree")) << message;
  EXPECT_TRUE(tests::contains(message, "copy_then_add")) << message;
}

TEST(Show, DrawsTheRequestOfAnArray) {
  WarpRequest request;
  request.array = "tile";
  EXPECT_NO_THROW(show_kernel_report(std::vector<WarpRequest>{}));
  const auto message = tests::message_of<ValueError>([&] { show_kernel_report(std::vector{request}, "tiel"); });
  EXPECT_TRUE(tests::contains(message, "no request is of tiel")) << message;
  EXPECT_TRUE(tests::contains(message, "there are requests of tile")) << message;
}

TEST(Figures, DrawASchedule) {
  const std::string svg = schedule_svg({"copy", "compute"}, {{0, 0, 1, "a", true}, {1, 1, 3, "b"}});
  EXPECT_TRUE(tests::contains(svg, "viewBox='0 0 240 70'")) << svg;
  EXPECT_TRUE(tests::contains(svg, "<rect x='80' y='5' width='38' height='24' fill-opacity='0.3'/>")) << svg;
  EXPECT_TRUE(tests::contains(svg, "<rect x='120' y='35' width='78' height='24' fill-opacity='0'/>")) << svg;
  EXPECT_THROW(static_cast<void>(schedule_svg({"copy"}, {{1, 0, 1, "a"}})), IndexError);
}

TEST(Figures, DrawMemory) {
  const std::vector<MemoryPoint> points{
      {0, 0, "begin", 0}, {1, 4'000'000, "matmul<>", 1}, {2, 1'000'000, "release", 2}};
  const std::string svg = memory_svg(points, {{0, "forward"}, {2, "backward"}});
  EXPECT_TRUE(tests::contains(svg, "<path d='M80.0 240.0V240.0H266.7V40.0H453.3V190.0H640.0V240.0Z'")) << svg;
  EXPECT_TRUE(tests::contains(svg, ">peak: matmul&lt;></text>")) << svg;
  EXPECT_TRUE(tests::contains(svg, ">4.0 MB</text>")) << svg;
  EXPECT_TRUE(tests::contains(svg, ">forward</text><path d='M453.3 40.0V240.0'")) << svg;
  EXPECT_THROW(static_cast<void>(memory_svg({})), ValueError);
  EXPECT_THROW(static_cast<void>(memory_svg(points, {{3, "step"}})), IndexError);
}

TEST(Show, HeatmapsAreAGridOfCells) {
  const auto device = num_gpus() > 0 ? gpu(0) : cpu();
  const Tensor weights = tensor({{{{0.0, 0.5}, {1.0, 0.25}}}}).to(device);
  const std::string svg = heatmaps_svg(weights, "keys", "queries <1>", {"head"});
  EXPECT_NE(svg.find("<rect x='54' y='26' width='14' height='14' fill-opacity='0.500'/>"), std::string::npos) << svg;
  EXPECT_NE(svg.find("<rect x='40' y='40' width='14' height='14' fill-opacity='1.000'/>"), std::string::npos);
  EXPECT_NE(svg.find(">queries &lt;1></text>"), std::string::npos);
  EXPECT_NE(svg.find(">head</text>"), std::string::npos);
  EXPECT_THROW(static_cast<void>(heatmaps_svg(weights[0], "", "")), ShapeError);
  EXPECT_THROW(static_cast<void>(heatmaps_svg(weights, "", "", {"a", "b"})), ShapeError);
}

// A process has one sink, so each test shows its outputs in a new process, which finds the file's name in the
// environment.
class Capture : public ::testing::Test {
 protected:
  tests::FileOfDeathTest file{"D2L_CELLS"};
};

TEST_F(Capture, WritesWhatWasShown) {
  EXPECT_EXIT(
      {
        show(cpu(), 3);
        show_measured(0.25, "seconds", 0, 10, "a wait");
        show_svg("<svg/>", "nothing");
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
  const auto document = nlohmann::json::parse(file.read());
  EXPECT_EQ(document.at("section"), "show_test");
  EXPECT_EQ(document.at("devices").size(), static_cast<std::size_t>(num_gpus()));
  const auto& outputs = document.at("cells").at(0).at("outputs");
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0], (nlohmann::json{{"kind", "text"}, {"text", "(device(type='cpu'), 3)"}}));
  const nlohmann::json measured{{"kind", "measured"}, {"value", 0.25}, {"low", 0}, {"high", 10}, {"unit", "seconds"}};
  for (const auto& [key, value] : measured.items()) EXPECT_EQ(outputs[1].at(key), value);
  EXPECT_EQ(outputs[2].at("kind"), "svg");
  EXPECT_EQ(outputs[2].at("alternative"), "nothing");
}

TEST_F(Capture, HoldsWhatATrainerHasToSay) {
  EXPECT_EXIT(
      {
        show("begun");
        LinearRegression model(0.1);
        Trainer trainer({.max_epochs = 2, .num_gpus = num_gpus() + 1});
        trainer.fit(model, SyntheticRegressionData({.num_train = 64, .num_val = 0}));
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
  const auto document = nlohmann::json::parse(file.read());
  const auto& outputs = document.at("cells").at(0).at("outputs");
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_TRUE(outputs[1].at("text").get<std::string>().starts_with("asked for ")) << outputs[1];
  EXPECT_TRUE(outputs[2].at("text").get<std::string>().starts_with("epoch 1/2  train_loss ")) << outputs[2];
  EXPECT_TRUE(outputs[3].at("text").get<std::string>().starts_with("epoch 2/2  train_loss ")) << outputs[3];
}

TEST_F(Capture, SaysWhenItCannotWrite) {
  ::setenv("D2L_CELLS", "/nonexistent/folder/cells.json", 1);
  EXPECT_EXIT(
      {
        try {
          show(1);
        } catch (const ConfigurationError& error) {
          std::fprintf(stderr, "%s", error.what());
          std::_Exit(2);
        }
      },
      ::testing::ExitedWithCode(2), "cannot write \"/nonexistent/folder/cells.json\"");
}

}  // namespace
}  // namespace d2l
