// SPDX-License-Identifier: MIT
#include "pages/page.h"

#include <fmt/format.h>

#include "source/text.h"

namespace d2l::weaver {

Page::Page(std::string id, const std::string& title) : id_(std::move(id)), title_(title) {}

void Page::section(int level, const std::string& title) {
  const std::string base = id_ + "_" + runner::slug(title);
  std::string anchor = base;
  for (int number = 2; !anchors_.insert(anchor).second; ++number) anchor = fmt::format("{}_{}", base, number);
  body_ += fmt::format("{} {} {{#{}}}\n\n", std::string(static_cast<std::size_t>(level) + 1, '#'),
                       plain_for_doxygen(title), anchor);
}

void Page::block(std::string_view html) {
  if (html.empty()) return;
  body_ += fmt::format("\\htmlonly[block]\n{}{}\\endhtmlonly\n\n", shielded(html), html.ends_with('\n') ? "" : "\n");
}

void Page::line(std::string_view text) { body_ += fmt::format("{}\n\n", text); }

std::string Page::text() const {
  return fmt::format("# {} {{#{}}}\n\n{}{}", plain_for_doxygen(title_), id_, anchors_.empty() ? "" : "[TOC]\n\n",
                     body_);
}

}  // namespace d2l::weaver
