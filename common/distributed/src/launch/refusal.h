// SPDX-License-Identifier: MIT
// Why the system refuses servers, and what to do about it.
#pragma once

#include <string>
#include <vector>

namespace d2l::launch {

/// The steps to servers.
enum class Step : unsigned char {
  process,         ///< a process and a connection to it
  user_namespace,  ///< a user namespace
  user_map,        ///< its map of users
  network,         ///< a network namespace
  link,            ///< devices and addresses in it
  cable,           ///< a pair of network devices
  network_switch,  ///< a bridge
  queue            ///< a token bucket
};

/// The settings of the system that can refuse a step; -1 for one that this kernel does not have.
struct Settings {
  long apparmor_restrict_unprivileged_userns = -1;
  long unprivileged_userns_clone = -1;
  long max_user_namespaces = -1;
  long max_net_namespaces = -1;
  bool user_is_mapped = true;  ///< the user namespace of this process knows its user
};

/// Those of now. Limits are those of the user namespace of the process that reads them.
Settings read_settings();

/// A sentence, without a full stop: what is refused to `servers` servers, by which setting, and what to do.
std::string why_refused(Step step, int error, const std::string& attempted, int servers, const Settings& settings);

}  // namespace d2l::launch
