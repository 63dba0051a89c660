// SPDX-License-Identifier: MIT
/// @file
/// Links between GPUs and between computers, and how long an all-reduce takes over them.
///
/// The model is that of Hockney (1994): a message takes the link's latency plus its bytes divided by the bandwidth. A
/// device sends one message and receives one at a time. Combining elements costs nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "d2l/cost_model.h"

namespace d2l {

/// A link with its name.
struct NamedLink {
  std::string name;  ///< the name for link_named()
  Link link;         ///< one direction
};

/// The known links: "NVLink 4", "PCIe 4", "PCIe 5" (16 lanes each), "1 Gbit/s Ethernet", "10 Gbit/s Ethernet",
/// "100 Gbit/s Ethernet", "InfiniBand NDR". common/machine/src/cost_model/links.cpp names the source of each number.
const std::vector<NamedLink>& links();
/// The link with this name; ValueError, with the known names, if there is none.
const Link& link_named(std::string_view name);

/// Algorithms for an all-reduce of n bytes between k devices.
enum class AllReduce : std::int8_t {
  star,  ///< device 0 receives the bytes of all others, one after another, and sends the result to each
  tree,  ///< pairs combine, then pairs of pairs, and so on; the result goes the same way back
  ring   ///< in 2 (k - 1) steps each device sends n / k bytes to the next one
};

/// The bytes that device `device` of `devices` sends, which are as many as it receives in all but a tree; of a ring,
/// `bytes` is divided as evenly as it can be. ValueError for negative numbers and a device that does not exist.
std::int64_t all_reduce_bytes(AllReduce algorithm, int devices, std::int64_t bytes, int device);
/// The modelled seconds of an all-reduce, each device with one such link.
double all_reduce_seconds(AllReduce algorithm, int devices, std::int64_t bytes, const Link& link);
/// The modelled seconds of an all-reduce between servers: a star within each server, then a ring between the servers.
double hierarchical_seconds(int servers, int devices_each, std::int64_t bytes, const Link& within, const Link& between);

}  // namespace d2l
