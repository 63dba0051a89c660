// SPDX-License-Identifier: MIT
#include "d2l/warp_request.h"

#include <fmt/format.h>

#include <atomic>

#include "ledger/request_parts.h"

namespace d2l {
namespace {

using detail::quotient;

std::atomic<int>& kept_scopes() {
  static std::atomic<int> scopes{0};
  return scopes;
}

}  // namespace

namespace detail {

KeptRequests::KeptRequests() { ++kept_scopes(); }
KeptRequests::~KeptRequests() { --kept_scopes(); }
bool KeptRequests::wanted() noexcept { return kept_scopes().load() > 0; }

}  // namespace detail

std::string element_of(const WarpRequest& request, unsigned lane) {
  const std::int64_t offset = request.offsets.at(lane);
  auto size = static_cast<std::int64_t>(request.element != 0 ? request.element : request.bytes);
  std::string inner;  // the indices after the first
  for (std::size_t i = request.lengths.size(); i-- > 0;) {
    const auto length = static_cast<std::int64_t>(request.lengths.at(i));
    if (length == 0) continue;
    inner = fmt::format("[{}]", quotient(offset, size) - quotient(offset, size * length) * length) + inner;
    size *= length;
  }
  const std::int64_t index = quotient(offset, size);
  if (request.array.find(' ') != std::string::npos) return fmt::format("element {} of {}", index, request.array);
  return fmt::format("{}[{}]{}", request.array, index, inner);
}

}  // namespace d2l
