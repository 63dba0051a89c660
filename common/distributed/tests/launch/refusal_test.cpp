// SPDX-License-Identifier: MIT
// The sentence for each reason why there are no servers.
#include "launch/refusal.h"

#include <cerrno>

#include "messages.h"

namespace d2l::testing {
namespace {

using launch::Settings;
using launch::Step;
using tests::contains;

std::string why(Step step, int error, const Settings& settings, int servers = 2) {
  return launch::why_refused(step, error, "the step", servers, settings);
}

TEST(Refusal, NamesTheSettingAndItsRemedy) {
  const Settings apparmor{.apparmor_restrict_unprivileged_userns = 1};
  for (const Step step : {Step::user_namespace, Step::user_map, Step::network, Step::link}) {
    for (const int error : {EPERM, EACCES}) {
      EXPECT_TRUE(contains(why(step, error, apparmor), "kernel.apparmor_restrict_unprivileged_userns is 1"));
      EXPECT_TRUE(contains(why(step, error, apparmor), "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"));
    }
  }
  const Settings clone{.unprivileged_userns_clone = 0};
  EXPECT_TRUE(contains(why(Step::user_namespace, EPERM, clone), "kernel.unprivileged_userns_clone is 0"));
  EXPECT_TRUE(contains(why(Step::user_namespace, EPERM, clone), "sysctl -w kernel.unprivileged_userns_clone=1"));
  EXPECT_TRUE(contains(why(Step::user_namespace, ENOSPC, {.max_user_namespaces = 0}),
                       "user.max_user_namespaces is 0 here, and 1 more is needed"));
  EXPECT_TRUE(contains(why(Step::network, ENOSPC, {.max_net_namespaces = 1}),
                       "user.max_net_namespaces is 1 here, and 2 more are needed"));
  EXPECT_TRUE(contains(why(Step::network, ENOSPC, {.max_net_namespaces = 1}, 3), "4 more are needed"));
}

TEST(Refusal, NamesWhatTheKernelOrTheContainerRefuses) {
  EXPECT_TRUE(contains(why(Step::user_namespace, EPERM, {.user_is_mapped = false}), "whose map lacks its own user"));
  EXPECT_TRUE(contains(why(Step::user_namespace, EPERM, {}), "--security-opt seccomp=unconfined"));
  EXPECT_TRUE(contains(why(Step::link, EPERM, {}), "the settings of a network namespace are refused"));
  EXPECT_TRUE(contains(why(Step::user_map, ENOENT, {}), "/proc is not mounted"));
  EXPECT_TRUE(contains(why(Step::user_namespace, EINVAL, {}), "CONFIG_USER_NS"));
  EXPECT_TRUE(contains(why(Step::network, EINVAL, {}), "CONFIG_NET_NS"));
  EXPECT_TRUE(contains(why(Step::cable, EOPNOTSUPP, {}), "modprobe veth"));
  EXPECT_TRUE(contains(why(Step::network_switch, EOPNOTSUPP, {}), "modprobe bridge"));
  EXPECT_TRUE(contains(why(Step::queue, ENOENT, {}), "modprobe sch_tbf"));
  EXPECT_EQ(why(Step::process, EAGAIN, {}), "the step failed: Resource temporarily unavailable");
}

}  // namespace
}  // namespace d2l::testing
