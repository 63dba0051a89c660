// SPDX-License-Identifier: MIT
#include "distributed/store/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/message.h"
#include "launch/addresses.h"
#include "launch/launchers.h"

namespace d2l::distributed::detail {

namespace {

using d2l::detail::fail;
using launch::Launcher;
using launch::variable;

std::optional<int> number(const char* name) {
  const auto text = variable(name);
  if (!text) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) {
    fail<ConfigurationError>("init_process_group", fmt::format("{} is \"{}\"", name, *text), {},
                             "set it to a whole number, as a launcher does");
  }
  return value;
}

const Launcher& launcher_of(const Asked& asked) {
  const Launcher* const found = launch::launcher_of_process();
  return (asked.rank && asked.world_size) || found == nullptr ? launch::torchrun : *found;
}

/// The tasks on each node of Slurm's "2(x3)" or "4"; nullopt for other forms, whose nodes differ.
std::optional<int> uniform_tasks(const std::string& text) {
  int each = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, each);
  if (error != std::errc() || each < 1) return std::nullopt;
  const std::string rest(end, last);
  if (rest.empty() || (rest.starts_with("(x") && rest.find(',') == std::string::npos)) return each;
  return std::nullopt;
}

int local_size(const Launcher& launcher, int world_size) {
  if (&launcher == &launch::slurm) {
    for (const char* const name : {"SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"}) {
      if (const auto tasks = variable(name)) return uniform_tasks(*tasks).value_or(1);
    }
    return world_size;
  }
  return number(launcher.local_world_size).value_or(world_size);
}

void check(const RankEnvironment& environment) {
  if (environment.world_size < 1 || environment.world_size > 1024) {
    fail<ConfigurationError>("init_process_group", fmt::format("the world size is {}", environment.world_size), {},
                             "give 1 to 1024 processes");
  }
  if (environment.rank < 0 || environment.rank >= environment.world_size) {
    fail<ConfigurationError>("init_process_group", fmt::format("the rank is {}", environment.rank),
                             fmt::format("(the world size is {})", environment.world_size),
                             "give each process another rank, from 0 to the world size less 1");
  }
  if (environment.local_world_size < 1 || environment.local_rank < 0 ||
      environment.local_rank >= environment.local_world_size) {
    fail<ConfigurationError>("init_process_group", fmt::format("the local rank is {}", environment.local_rank),
                             fmt::format("(of {} processes on this machine)", environment.local_world_size),
                             "set LOCAL_RANK and LOCAL_WORLD_SIZE, or neither");
  }
  if (environment.master_port < 1 || environment.master_port > 65535) {
    fail<ConfigurationError>("init_process_group", fmt::format("MASTER_PORT is {}", environment.master_port), {},
                             "give a port from 1 to 65535, for example 29500");
  }
}

std::string master_of(const Asked& asked, const Launcher& launcher, const RankEnvironment& environment) {
  if (asked.master_addr) return *asked.master_addr;
  if (const auto address = variable("MASTER_ADDR")) return *address;
  if (&launcher == &launch::slurm) {
    for (const char* const name : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"}) {
      if (const auto list = variable(name)) return first_host(*list);
    }
  }
  if (environment.local_world_size != environment.world_size) {
    fail<ConfigurationError>(
        "init_process_group", "MASTER_ADDR is not set",
        fmt::format("({} of {} processes are on this machine)", environment.local_world_size, environment.world_size),
        "set it to the name or address of the machine of rank 0");
  }
  if (environment.world_size == 1) return environment.master_addr;
  const auto address = launch::usable_address();
  if (!address) fail<ConfigurationError>("init_process_group", launch::no_usable_address);
  return *address;
}

}  // namespace

std::string first_host(const std::string& node_list) {
  const auto bracket = node_list.find('[');
  const auto comma = node_list.find(',');
  if (bracket == std::string::npos || comma < bracket) return node_list.substr(0, comma);
  const auto end = node_list.find_first_of("-,]", bracket);
  return node_list.substr(0, bracket) + node_list.substr(bracket + 1, end - bracket - 1);
}

RankEnvironment find_rank_environment(const Asked& asked) {
  const Launcher& launcher = launcher_of(asked);
  const auto rank = asked.rank ? asked.rank : number(launcher.rank);
  const auto world_size = asked.world_size ? asked.world_size : number(launcher.world_size);
  if (rank.has_value() != world_size.has_value()) {
    fail<ConfigurationError>(
        "init_process_group",
        rank ? "the rank is given, the world size is not" : "the world size is given, the rank is not", {},
        "set both RANK and WORLD_SIZE, or neither");
  }
  RankEnvironment environment;
  if (rank) {
    environment.rank = *rank;
    environment.world_size = *world_size;
    environment.local_world_size = local_size(launcher, environment.world_size);
    environment.local_rank =
        number(launcher.local_rank).value_or(environment.rank % std::max(environment.local_world_size, 1));
  }
  environment.master_port = asked.master_port ? *asked.master_port : number("MASTER_PORT").value_or(29500);
  check(environment);
  environment.master_addr = master_of(asked, launcher, environment);
  return environment;
}

}  // namespace d2l::distributed::detail
