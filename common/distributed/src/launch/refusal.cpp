// SPDX-License-Identifier: MIT
#include "launch/refusal.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace d2l::launch {

namespace {

long number_in(const std::string& file) {
  std::ifstream in(file);
  long number = -1;
  in >> number;
  return in ? number : -1;
}

/// Whether /proc/self/uid_map has a line that covers the user.
bool is_mapped(long user) {
  std::ifstream in("/proc/self/uid_map");
  if (!in) return true;  // not known
  for (long first = 0, outside = 0, count = 0; in >> first >> outside >> count;) {
    if (user >= first && user - first < count) return true;
  }
  return false;
}

std::string setting(const std::string& name, long value) { return name + " is " + std::to_string(value); }

std::string as_root(const std::string& assignment) { return "; as root: sysctl -w " + assignment; }

/// A limit that is reached.
std::string of_limit(const std::string& kind, const std::string& name, long value, const std::string& needed) {
  return kind + " are used up: " + setting(name, value) + " here, and " + needed + as_root(name + "=1000");
}

std::string of_permission(Step step, const Settings& settings) {
  if (settings.apparmor_restrict_unprivileged_userns == 1) {
    return "an ordinary user may not set up a user namespace: " +
           setting("kernel.apparmor_restrict_unprivileged_userns", 1) +
           as_root("kernel.apparmor_restrict_unprivileged_userns=0");
  }
  if (settings.unprivileged_userns_clone == 0) {
    return "an ordinary user may not make a user namespace: " + setting("kernel.unprivileged_userns_clone", 0) +
           as_root("kernel.unprivileged_userns_clone=1");
  }
  if (!settings.user_is_mapped) {
    return "this process runs in a user namespace whose map lacks its own user; start it outside, or give that "
           "namespace a map (unshare --map-current-user)";
  }
  const std::string what = step == Step::user_namespace ? "user namespaces are"
                           : step == Step::user_map     ? "the map of a user namespace is"
                           : step == Step::network      ? "network namespaces are"
                                                        : "the settings of a network namespace are";
  return what +
         " refused by a container, a chroot or a security module; start a container with --cap-add SYS_ADMIN --cap-add "
         "NET_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined";
}

std::string of_kernel(const std::string& what, const std::string& module) {
  return "this kernel has no " + what + "; as root: modprobe " + module;
}

}  // namespace

Settings read_settings() {
  return {.apparmor_restrict_unprivileged_userns = number_in("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
          .unprivileged_userns_clone = number_in("/proc/sys/kernel/unprivileged_userns_clone"),
          .max_user_namespaces = number_in("/proc/sys/user/max_user_namespaces"),
          .max_net_namespaces = number_in("/proc/sys/user/max_net_namespaces"),
          .user_is_mapped = is_mapped(static_cast<long>(::geteuid()))};
}

std::string why_refused(Step step, int error, const std::string& attempted, int servers, const Settings& settings) {
  const bool is_limit = error == ENOSPC || error == EUSERS;
  if (step == Step::user_namespace && is_limit) {
    return of_limit("user namespaces", "user.max_user_namespaces", settings.max_user_namespaces, "1 more is needed");
  }
  if (step == Step::network && is_limit) {
    const int needed = servers > 2 ? servers + 1 : servers;
    return of_limit("network namespaces", "user.max_net_namespaces", settings.max_net_namespaces,
                    std::to_string(needed) + " more are needed");
  }
  if (step != Step::process && (error == EPERM || error == EACCES)) return of_permission(step, settings);
  if (step == Step::user_namespace && (error == EINVAL || error == ENOSYS)) {
    return "this kernel has no user namespaces (CONFIG_USER_NS)";
  }
  if (step == Step::user_map && error == ENOENT)
    return "/proc is not mounted, so users cannot be mapped into a user namespace; as root: mount -t proc proc /proc";
  if (step == Step::network && (error == EINVAL || error == ENOSYS)) {
    return "this kernel has no network namespaces (CONFIG_NET_NS)";
  }
  const bool is_unknown = error == EOPNOTSUPP || error == ENOENT || error == ENODEV;
  if (step == Step::cable && is_unknown) return of_kernel("pairs of network devices", "veth");
  if (step == Step::network_switch && is_unknown) return of_kernel("network switch", "bridge");
  if (step == Step::queue && is_unknown) return of_kernel("token-bucket queue", "sch_tbf");
  return attempted + " failed: " + std::strerror(error);
}

}  // namespace d2l::launch
