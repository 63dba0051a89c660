// SPDX-License-Identifier: MIT
// d2l::check_kernels().
#include "runtime/kernel_checks.h"

#include <utility>

#include "d2l/kernel_checks.h"
#include "runtime/device.h"

namespace d2l {
namespace emulator {
namespace {

thread_local std::shared_ptr<FoundReports> reports;

/// Collects the reports of this thread's launches while it is in scope.
class Collecting {
 public:
  Collecting() : before_(std::exchange(reports, std::make_shared<FoundReports>())) {}
  ~Collecting() { reports = before_; }
  Collecting(const Collecting&) = delete;
  Collecting& operator=(const Collecting&) = delete;

 private:
  std::shared_ptr<FoundReports> before_;
};

}  // namespace

const std::shared_ptr<FoundReports>& reports_of_this_thread() noexcept { return reports; }

}  // namespace emulator

std::string check_kernels(const std::function<void()>& work) {
  const emulator::Collecting collecting;
  work();
  for (int i = 0; i < emulator::device_count(); ++i) emulator::device_at(i).synchronize();
  return emulator::reports_of_this_thread()->text();
}

}  // namespace d2l
