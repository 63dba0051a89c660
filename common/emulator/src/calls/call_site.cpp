// SPDX-License-Identifier: MIT
#include "calls/call_site.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "calls/unread_errors.h"
#include "checks/library_files.h"
#include "checks/reports.h"
#include "checks/source_lines.h"
#include "d2l_emulator/runtime_api.h"  // CalledFrom
#include "execution/current.h"
#include "execution/run_kernel.h"
#include "hip/program.h"

namespace d2l::emulator {
namespace {

thread_local CallSite current{nullptr, {nullptr, 0}, nullptr};
thread_local CallSite of_work;
thread_local bool result_is_unused = false;

bool is_unknown() { return current.place.file == nullptr && current.address == nullptr; }

}  // namespace

CalledFrom::CalledFrom(Place place) : first_(is_unknown()) {
  if (first_) current.place = place;
}
CalledFrom::CalledFrom(const void* return_address) : first_(is_unknown()) {
  if (first_) current.address = return_address;
}
CalledFrom::~CalledFrom() {
  if (!first_) return;
  current.place = {nullptr, 0};
  current.address = nullptr;
}

void result_unused() noexcept { result_is_unused = true; }

CallSite current_call() {
  CallSite site = current;
  if (site.name == nullptr) site.name = "";
  return site;
}

ApiCall::ApiCall(const void* address, const char* name)
    : first_(current.name == nullptr),
      sets_address_(is_unknown()),
      own_code_(std::exchange(current_state.own_code, true)) {
  if (sets_address_) current.address = address;
  if (!first_) return;
  current.name = name;
  const bool unused = std::exchange(result_is_unused, false);
  if (!in_kernel()) begin_call(current, unused);
}
ApiCall::~ApiCall() {
  if (sets_address_) current.address = nullptr;
  if (first_) current.name = nullptr;
  current_state.own_code = own_code_;
}

WorkOfCall::WorkOfCall(CallSite site) noexcept { of_work = site; }
WorkOfCall::~WorkOfCall() { of_work = {}; }
CallSite call_of_work() noexcept { return of_work; }

std::string CallSite::where() const {
  if (place.file != nullptr) {
    const std::string_view file = place.file;
    const bool of_library = is_file_of_thrust(place.file) || file.find("/d2l_emulator/") != std::string_view::npos;
    return of_library ? "" : place_text(place);
  }
  if (address == nullptr) return "";
  const SourceLine& line = source_line(address);
  return line.line > 0 && !line.of_library ? line.text() : "";
}

std::string CallSite::text() const {
  const std::string at = where();
  return in_names_of_program(at.empty() ? name : fmt::format("{} at {}", name, at));
}

}  // namespace d2l::emulator
