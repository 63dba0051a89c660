// SPDX-License-Identifier: MIT
// TransferGuard: it refuses or logs implicit copies and allows explicit copies, for one thread and one scope.
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ledger/ledger.h"
#include "library.h"
#include "messages.h"

namespace d2l {
namespace {

using tests::contains;

std::string refusal(const std::function<void()>& action) { return tests::message_of<TransferError>(action); }

void read_four_bytes() { detail::check_implicit_copy("item", gpu(0), cpu(), 4); }

using Action = std::pair<const char*, std::function<void(const Tensor&)>>;

std::vector<Action> implicit_reads() {
  return {
      {"item", [](const Tensor& x) { (void)x.item(); }},
      {"item", [](const Tensor& x) { (void)x.item<float>(); }},
      {"repr", [](const Tensor& x) { (void)repr(x); }},
      {"operator<<", [](const Tensor& x) { (void)(std::ostringstream() << x); }},
      {"bool", [](const Tensor& x) { (void)static_cast<bool>(x); }},
      {"is_nonzero", [](const Tensor& x) { (void)x.is_nonzero(); }},
      {"equal", [](const Tensor& x) { (void)x.equal(x.clone()); }},
      {"allclose", [](const Tensor& x) { (void)x.allclose(x.clone()); }},
  };
}

std::vector<Action> explicit_copies() {
  return {
      {"cpu", [](const Tensor& x) { (void)x.cpu(); }},
      {"to", [](const Tensor& x) { (void)x.to(cpu()); }},
      {"to and back", [](const Tensor& x) { (void)x.to(cpu()).to(x.device()); }},
      {"cuda", [](const Tensor& x) { (void)x.cuda(num_gpus() - 1); }},
      {"copy_to", [](const Tensor& x) { (void)x.copy_to(cpu()); }},
      {"copy_", [](const Tensor& x) { empty({1}).copy_(x); }},
      {"copy_ from the host", [](const Tensor& x) { empty_like(x).copy_(ones({1})); }},
      {"to_vector", [](const Tensor& x) { (void)x.to_vector<float>(); }},
      {"computing", [](const Tensor& x) { (void)(x + x * 2).sum(); }},
  };
}

TEST(Guard, RefusesWithTheCopyAndTheFixInItsMessage) {
  const TransferGuard guard(TransferGuard::disallow);
  EXPECT_EQ(
      refusal(read_four_bytes),
      "[item] refused: an implicit copy of 4 bytes from cuda:0 to cpu, and a TransferGuard disallows implicit copies "
      "here. Copy on purpose with .cpu() or .to_vector(), or read the value outside the guard's scope.");
  EXPECT_TRUE(contains(refusal([] { detail::check_implicit_copy("item", gpu(0), cpu(), 1); }), "copy of 1 byte from"));
  EXPECT_EQ(refusal([] { detail::check_implicit_copy("item", cpu(), cpu(), 4); }), "") << "both are the host";
}

TEST(Guard, AllowsByDefault) { EXPECT_EQ(refusal(read_four_bytes), ""); }

TEST(Guard, InnerScopesOverrideOuterScopes) {
  const TransferGuard outer(TransferGuard::disallow);
  {
    const TransferGuard inner(TransferGuard::allow);
    EXPECT_EQ(refusal(read_four_bytes), "");
    {
      const TransferGuard innermost(TransferGuard::disallow);
      EXPECT_NE(refusal(read_four_bytes), "");
    }
    EXPECT_EQ(refusal(read_four_bytes), "");
  }
  EXPECT_NE(refusal(read_four_bytes), "");
}

TEST(Guard, AppliesToItsOwnThreadOnly) {
  const TransferGuard guard(TransferGuard::disallow);
  std::string elsewhere = "not run";
  std::thread([&] { elsewhere = refusal(read_four_bytes); }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_NE(refusal(read_four_bytes), "");
}

TEST(Guard, LogsOneLineEach) {
  const TransferGuard guard(TransferGuard::log);
  ::testing::internal::CaptureStderr();
  read_four_bytes();
  read_four_bytes();
  const std::string line = "[item] made an implicit copy of 4 bytes from cuda:0 to cpu\n";
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), line + line);
}

TEST(Guard, RefusesEveryImplicitReadOnEachGpuBeforeTheCopy) {
  for (const auto device : gpus(num_gpus())) {
    const auto x = ones({1}, device);
    for (const auto& [name, read] : implicit_reads()) {
      SCOPED_TRACE(device.str() + " " + name);
      const TransferLedger ledger;
      const TransferGuard guard(TransferGuard::disallow);
      EXPECT_TRUE(contains(refusal([&, &action = read] { action(x); }), "refused: an implicit copy of"));
      EXPECT_EQ(ledger.copies(), 0);
    }
    EXPECT_EQ(x.item<float>(), 1) << "the tensor still works";
  }
}

TEST(Guard, AllowsExplicitCopiesOnEachGpu) {
  for (const auto device : gpus(num_gpus())) {
    const auto x = ones({1}, device);
    for (const auto& [name, copy] : explicit_copies()) {
      SCOPED_TRACE(device.str() + " " + name);
      const TransferGuard guard(TransferGuard::disallow);
      EXPECT_EQ(refusal([&, &action = copy] { action(x); }), "");
    }
  }
}

TEST(Guard, AllowsReadsOfCpuTensors) {
  const auto x = ones({1});
  const TransferGuard guard(TransferGuard::disallow);
  for (const auto& [name, read] : implicit_reads()) {
    SCOPED_TRACE(name);
    EXPECT_EQ(refusal([&, &action = read] { action(x); }), "");
  }
}

}  // namespace
}  // namespace d2l
