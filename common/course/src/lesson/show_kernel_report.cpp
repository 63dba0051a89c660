// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <vector>

#include "base/message.h"
#include "d2l/error.h"
#include "d2l/show.h"

namespace d2l {

void show_kernel_report(const std::vector<WarpRequest>& requests, const std::string& array, detail::Caller caller) {
  if (requests.empty()) {
    detail::show_text("Without counts there is no picture of a request. To get it: D2L_VIRTUAL_GPUS=1@host", caller);
    return;
  }
  const WarpRequest* found = nullptr;
  std::set<std::string> names;
  for (const WarpRequest& request : requests) {
    names.insert(request.array);
    if (!array.empty() && request.array != array) continue;
    const bool later = found == nullptr || request.line >= found->line;
    if (found == nullptr || request.cost > found->cost || (request.cost == found->cost && later)) found = &request;
  }
  if (found == nullptr) {
    detail::fail<ValueError>("show_kernel_report", fmt::format("no request is of {}", array),
                             fmt::format("(there are requests of {})", fmt::join(names, ", ")),
                             "give the name of a parameter or a variable of the kernel");
  }
  show_svg(request_svg(*found), request_description(*found), caller);
}

}  // namespace d2l
