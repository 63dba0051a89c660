// SPDX-License-Identifier: MIT
#include "launch/placement.h"

#include <memory>

#include "launch/problem.h"
#include "launch/rate.h"
#include "launch/servers.h"

namespace d2l::launch {

std::function<void(int)> place(Options& options, const std::string& rate) {
  if (options.servers == 1) return nullptr;
  const double speed = bytes_per_second(rate).value_or(0);
  try {
    const auto servers = std::make_shared<Servers>(options.servers, speed);
    options.separate = true;
    options.master_addr = Servers::master_addr();
    options.master_port = 29500;  // nothing else runs there
    return [servers](int server) { servers->enter(server); };
  } catch (const Problem& problem) {
    options.bytes_per_second = speed;
    options.instead = "one server, " +
                      (speed > 0 ? "with a limit of " + rate + " in place of the link"
                                 : std::string("with the variables of several")) +
                      ", because " + problem.what();
    return nullptr;
  }
}

}  // namespace d2l::launch
