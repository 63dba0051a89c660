// SPDX-License-Identifier: MIT
// # A hierarchical all-reduce
//
// Section 4.2 has an all-reduce for two servers with two ranks each, which sends fewer
// bytes between the servers than a ring over all ranks. Write it for any number of
// servers and ranks.
//
// Given: on each rank a tensor of the same shape and dtype, and the number of ranks on
// each server, which is the same for all servers. The ranks of server s are s ·
// ranks_per_server and the following ones. The world size is a multiple of
// ranks_per_server. What must hold:
//
// - Afterwards the tensor has the sum over all ranks, on every rank, in the memory that
//   it had.
// - With s servers and tensors of n bytes, the ranks of one server together send at
//   most 2(s − 1)/s · n bytes to other servers, and a tenth more. (The check asks this
//   of tensors of 1000 bytes or more.)
// - One server, and one rank on each server, work too.
//
// The process group is there already. `distributed::new_group(ranks)` makes a group of
// some ranks; *all* ranks must call it, with the same lists in the same order,
// including those that are not in the list. Where a collective takes a rank, such as
// `dst`, it is the rank within the group. The check runs up to nine ranks as threads,
// with 0 to 68,000 numbers of float32 or float64 in one or two dimensions, and counts
// what goes from server to server.
#pragma once

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// Leaves the sum over all ranks in `data`, on this rank.
void hierarchical_all_reduce(d2l::Tensor& data, int ranks_per_server);
