// SPDX-License-Identifier: MIT
/// @file
/// Process groups: the processes that compute together, their ranks, and how they find each other.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "d2l/device.h"

/// Computation by several GPUs and several processes, with the names and meanings of PyTorch's torch.distributed.
namespace d2l::distributed {

namespace detail {
class GroupState;
}

/// How init_process_group() finds the other processes. What is not set is read from the environment: RANK, WORLD_SIZE,
/// LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or the variables of Open MPI's or Slurm's launcher.
/// Without any of them, the process is alone: rank 0 of 1.
struct InitOptions {
  std::optional<int> rank = std::nullopt;        ///< the number of this process, from 0
  std::optional<int> world_size = std::nullopt;  ///< the number of processes
  std::optional<std::string> master_addr =
      std::nullopt;  ///< the host of rank 0, a name or an address; 127.0.0.1 if all is on one machine
  std::optional<int> master_port = std::nullopt;  ///< a free port there; 29500 unless set
  /// How long a collective may wait for a rank, and how long the ranks may take to find each other.
  std::chrono::milliseconds timeout = std::chrono::minutes(5);
  std::vector<Device> devices = {};  ///< the GPUs that this process drives; those of local_devices() if empty
};

/// A group of processes. A value that is not set means the group of all processes.
class ProcessGroup {
 public:
  /// The group of all processes.
  ProcessGroup() = default;
  /// For the sources of the library.
  explicit ProcessGroup(std::shared_ptr<detail::GroupState> state) noexcept : state_(std::move(state)) {}
  /// For the sources of the library; null for the group of all processes.
  [[nodiscard]] const std::shared_ptr<detail::GroupState>& state() const noexcept { return state_; }

 private:
  std::shared_ptr<detail::GroupState> state_;
};

/// Joins the group of all processes; returns when all have joined. Backends: "local" (the GPUs of one process), "gloo"
/// (processes, through host memory) and "nccl" (the cards of all processes; messages and tensors on the CPU go as with
/// gloo). If none is named, nccl is chosen for several cards where NCCL is installed, else gloo for several processes
/// and local for one, and rank 0 says so in a line on standard error. Where nccl is named and cannot be used, a
/// line says why, and what is used instead. ConfigurationError for an unknown backend, for gloo in a build without it,
/// for variables that are missing or malformed, another world size than rank 0's, and a port in use; DistributedError
/// if the other ranks do not join within the timeout; ValueError if the process has a group already; DeviceError for a
/// device that is not a GPU of this machine.
void init_process_group(const std::string& backend = "", const InitOptions& options = {});
/// Leaves all groups; the process may join again. It does nothing if there is no group. It does not wait for other
/// ranks.
void destroy_process_group();
/// Whether this process has joined a group.
[[nodiscard]] bool is_initialized();
/// The backend of a group: "local", "gloo" or "nccl".
[[nodiscard]] std::string get_backend(const ProcessGroup& group = {});
/// The rank of this process in a group, from 0; -1 if it is not a member. ValueError if no group was joined, as of all
/// functions below.
[[nodiscard]] int get_rank(const ProcessGroup& group = {});
/// The number of processes of a group; -1 if this process is not a member.
[[nodiscard]] int get_world_size(const ProcessGroup& group = {});
/// The rank in the group of all processes of a rank of `group`; ValueError if the group has no such rank.
[[nodiscard]] int get_global_rank(const ProcessGroup& group, int group_rank);
/// The number of this process on its machine, from 0.
[[nodiscard]] int get_local_rank();
/// The GPUs that this process drives: InitOptions::devices; else, if its machine runs several processes that see the
/// same physical cards, its share of them, as many for each; else all GPUs. Empty without GPUs.
[[nodiscard]] const std::vector<Device>& local_devices();
/// Makes a group of some ranks, in this order. All processes must call it, with the same ranks; one that is not among
/// them gets a group of which it is not a member, and whose collectives are a ValueError. ValueError for a rank that
/// does not exist or is there twice, DistributedError if the processes give different ranks.
[[nodiscard]] ProcessGroup new_group(const std::vector<int>& ranks);

}  // namespace d2l::distributed
