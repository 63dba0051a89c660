// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/svg.h"
#include "report/sections.h"

namespace d2l::emulator::report_page {
namespace {

using d2l::detail::svg::escaped;

std::string size_of(const std::array<unsigned, 3>& size) {
  return fmt::format("({}, {}, {})", size[0], size[1], size[2]);
}

std::string row(const std::string& kernel, const Shape& shape) {
  const KernelCounts& counts = shape.run.counts;
  const Occupancy resident = residency(shape.run);
  const double lanes =
      counts.steps == 0 ? 0 : static_cast<double>(counts.lane_steps) / static_cast<double>(counts.steps);
  return fmt::format(
      "<tr><td class=\"text\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1f}</td>"
      "<td>{} of {}</td><td>{}, {} of 64 warps</td></tr>\n",
      kernel, size_of(shape.run.grid), size_of(shape.run.block), shape.launches, counts.threads, counts.barriers,
      counts.steps, lanes, counts.divergent_warps, counts.warps, resident.blocks, resident.warps);
}

}  // namespace

std::string overview(const std::vector<Kernel>& kernels) {
  std::string text =
      "<section id=\"launches\"><h2>Launches</h2>\n<div class=\"scroll\" tabindex=\"0\"><table "
      "class=\"launches\"><thead>"
      "<tr><th class=\"text\" scope=\"col\">kernel</th><th scope=\"col\">grid</th><th scope=\"col\">block</th>"
      "<th scope=\"col\">launches</th><th scope=\"col\">threads</th><th scope=\"col\">barriers</th>"
      "<th scope=\"col\">steps</th><th scope=\"col\">lanes in each</th><th scope=\"col\">warps that diverge</th>"
      "<th scope=\"col\">blocks at once</th></tr></thead>\n<tbody>\n";
  std::size_t number = 0;
  for (const Kernel& kernel : kernels) {
    const std::string link = fmt::format("<a href=\"#kernel-{}\">{}</a>", ++number, escaped(kernel.name));
    for (const Shape& shape : kernel.shapes) text += row(link, shape);
    if (kernel.other_launches != 0) {
      text += fmt::format(
          "<tr><td class=\"text\">{}</td><td colspan=\"2\">other sizes</td><td>{}</td>"
          "<td colspan=\"6\"></td></tr>\n",
          link, kernel.other_launches);
    }
  }
  return text + "</tbody></table></div></section>\n";
}

}  // namespace d2l::emulator::report_page
