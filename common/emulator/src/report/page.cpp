// SPDX-License-Identifier: MIT
#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/svg.h"
#include "checks/source_lines.h"
#include "report/sections.h"
#include "report/style.h"

namespace d2l::emulator::report_page {
namespace {

using d2l::detail::svg::escaped;

constexpr std::size_t max_shapes = 32;  // of a kernel

constexpr const char* explanation =
    "<p class=\"pale\">The counts are those that <code>--report</code> prints: they say what a kernel asks for, "
    "not how fast it is. A line that asks for sectors or passes in vain has a colour, and the worst one of a "
    "kernel also a mark. Below a line is one request of a warp: the most expensive one of each array.</p>\n";

}  // namespace

void Page::add(const KernelRun& run, const std::string& file) {
  sums_.add(run);
  files_.try_emplace(file.substr(file.rfind('/') + 1), file);
  add_shape(run);
}

void Page::add_shape(const KernelRun& run) {
  auto kernel = std::ranges::find(kernels_, run.name, &Kernel::name);
  if (kernel == kernels_.end()) kernel = kernels_.insert(kernels_.end(), {run.name, {}, 0});
  auto shape = std::ranges::find_if(
      kernel->shapes, [&](const Shape& known) { return known.run.grid == run.grid && known.run.block == run.block; });
  if (shape == kernel->shapes.end()) {
    if (kernel->shapes.size() == max_shapes) {
      ++kernel->other_launches;
      return;
    }
    shape = kernel->shapes.insert(kernel->shapes.end(), Shape{});
    shape->run.name = run.name;
    shape->run.grid = run.grid;
    shape->run.block = run.block;
  }
  KernelCounts counts = run.counts;
  counts.lines.clear();
  counts.requests.clear();
  detail::add_counts(shape->run.counts, counts);
  ++shape->launches;
}

std::string Page::html(const std::string& program) const {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Kernels of {0}</title>\n"
      "<style>{1}</style></head>\n<body><main><h1>Kernels of {0}</h1>\n{2}",
      escaped(program), style_sheet, explanation);
  text += findings_.html();
  if (kernels_.empty()) text += "<p>The program has launched no kernel.</p>\n";
  if (!kernels_.empty()) text += overview(kernels_);
  const auto path_of = [&](const std::string& file) {
    const std::string path = path_of_source(file);
    const auto launch = files_.find(file);
    return path.empty() && launch != files_.end() ? launch->second : path;
  };
  std::size_t number = 0;
  for (const auto& sum : sums_.sums()) text += kernel_section(++number, sum, findings_, path_of);
  return text + "</main></body></html>\n";
}

}  // namespace d2l::emulator::report_page
