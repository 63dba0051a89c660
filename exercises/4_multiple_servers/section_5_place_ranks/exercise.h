// SPDX-License-Identifier: MIT
// # Place ranks
//
// The same program starts under three launchers, on servers with one card, with eight,
// or with none. Each rank must find out which GPUs of its server are its own.
//
// `local_rank_of` reads the number of a rank on its server from its environment
// variables. What must hold:
//
// - torchrun sets LOCAL_RANK, Open MPI OMPI_COMM_WORLD_LOCAL_RANK, and Slurm
//   SLURM_LOCALID. If several are set, the first in this list is used: a program that
//   torchrun starts within Slurm has both.
// - Without any of them, the result is 0: the program runs alone.
// - If the value is not a whole number from 0 on, or does not fit into an `int`, the
//   function throws a d2l::ValueError whose message contains the name of the variable.
//
// `gpus_of` says which of the `gpus` GPUs of a server belong to a local rank, of
// `ranks` on this server. What must hold:
//
// - With at least as many GPUs as ranks, each GPU belongs to exactly one rank, the GPUs
//   of a rank are neighbours, in order, and the numbers of GPUs of two ranks differ by
//   at most one.
// - With fewer GPUs than ranks, each rank has one GPU, and the numbers of ranks on two
//   GPUs differ by at most one.
// - Without GPUs, a rank has none.
//
// The check uses all numbers of ranks and GPUs up to nine, and a few larger ones, up
// to 300.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "d2l/error.h"

/// The number of this rank on its server, from the variables of its environment.
int local_rank_of(const std::map<std::string, std::string>& environment);
/// The numbers of the GPUs of a local rank.
std::vector<int> gpus_of(int local_rank, int ranks, int gpus);
