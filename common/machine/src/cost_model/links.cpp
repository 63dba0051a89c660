// SPDX-License-Identifier: MIT
// The links, from published data, and the model of an all-reduce over them.
#include "d2l/links.h"

#include <fmt/format.h>

#include <algorithm>

#include "d2l/error.h"

namespace d2l {

namespace {

// Latencies are not part of these specifications. Within a computer: that of a copy, as in cards.cpp. Between
// computers: estimates for one message from program to program, over TCP by the kernel, and over InfiniBand without it.
constexpr double copy_latency = 6e-6;
constexpr double kernel_latency = 25e-6;
constexpr double infiniband_latency = 2e-6;

constexpr Link ethernet(double gigabits) { return {kernel_latency, gigabits * 1e9 / 8}; }

void check(int devices, std::int64_t bytes, const char* operation) {
  if (devices < 1 || bytes < 0) {
    throw ValueError(
        fmt::format("[{}] asked for {} devices and {} bytes; give at least one device, and 0 bytes or more", operation,
                    devices, bytes));
  }
}

void check(const Link& link, const char* operation) {
  if (!(link.latency >= 0) || !(link.bandwidth > 0)) {
    throw ValueError(fmt::format("[{}] the link has latency {} s and bandwidth {} B/s; give 0 or more, and more than 0",
                                 operation, link.latency, link.bandwidth));
  }
}

double message_seconds(double bytes, const Link& link) { return link.latency + bytes / link.bandwidth; }

int rounds_of_tree(int devices) {
  int rounds = 0;
  for (std::int64_t joined = 1; joined < devices; joined *= 2) ++rounds;
  return rounds;
}

/// In a tree, device d sends once to its parent, and the result to each of its children.
std::int64_t messages_of_tree(int devices, int device) {
  std::int64_t messages = device == 0 ? 0 : 1;
  for (std::int64_t distance = 1; distance < devices; distance *= 2) {
    if (device % (2 * distance) != 0) break;
    if (device + distance < devices) ++messages;
  }
  return messages;
}

/// In a ring, device d sends all parts but part d + 1, then all but part d + 2.
std::int64_t bytes_of_ring(int devices, std::int64_t bytes, int device) {
  const auto part = [&](int i) {
    const std::int64_t place = i % devices;
    return bytes * (place + 1) / devices - bytes * place / devices;
  };
  return 2 * bytes - part(device + 1) - part(device + 2);
}

}  // namespace

const std::vector<NamedLink>& links() {
  static const std::vector<NamedLink> table{
      // 900 GB/s for both directions (NVIDIA H100 and H200 data sheets).
      {"NVLink 4", {copy_latency, 450e9}},
      // 16 and 32 GT/s × 16 lanes × 128/130 / 8 (PCI-SIG, PCI Express 4.0, 2017, and 5.0, 2019).
      {"PCIe 4", {copy_latency, 31.5e9}},
      {"PCIe 5", {copy_latency, 63e9}},
      // IEEE 802.3: the rate of the data, without the frames' headers, which take 2 to 5 percent.
      {"1 Gbit/s Ethernet", ethernet(1)},
      {"10 Gbit/s Ethernet", ethernet(10)},
      {"100 Gbit/s Ethernet", ethernet(100)},
      // 400 Gbit/s on four lanes (InfiniBand Trade Association's roadmap: NDR).
      {"InfiniBand NDR", {infiniband_latency, 50e9}},
  };
  return table;
}

const Link& link_named(std::string_view name) {
  const auto& table = links();
  const auto found = std::find_if(table.begin(), table.end(), [&](const NamedLink& link) { return link.name == name; });
  if (found != table.end()) return found->link;
  std::string names;
  for (const auto& link : table) names += (names.empty() ? "\"" : ", \"") + link.name + "\"";
  throw ValueError(fmt::format("[link_named] there is no link \"{}\". Use one of {}, or fill in a Link", name, names));
}

std::int64_t all_reduce_bytes(AllReduce algorithm, int devices, std::int64_t bytes, int device) {
  check(devices, bytes, "all_reduce_bytes");
  if (device < 0 || device >= devices) {
    throw ValueError(fmt::format("[all_reduce_bytes] there is no device {} of {}; give one from 0", device, devices));
  }
  if (devices == 1) return 0;
  switch (algorithm) {
    case AllReduce::star:
      return device == 0 ? (devices - 1) * bytes : bytes;
    case AllReduce::tree:
      return messages_of_tree(devices, device) * bytes;
    case AllReduce::ring:
      break;
  }
  return bytes_of_ring(devices, bytes, device);
}

double all_reduce_seconds(AllReduce algorithm, int devices, std::int64_t bytes, const Link& link) {
  check(devices, bytes, "all_reduce_seconds");
  check(link, "all_reduce_seconds");
  if (devices == 1) return 0;
  const auto whole = static_cast<double>(bytes);
  switch (algorithm) {
    case AllReduce::star:
      return 2 * (devices - 1) * message_seconds(whole, link);
    case AllReduce::tree:
      return 2 * rounds_of_tree(devices) * message_seconds(whole, link);
    case AllReduce::ring:
      break;
  }
  return 2 * (devices - 1) * message_seconds(whole / devices, link);
}

double hierarchical_seconds(int servers, int devices_each, std::int64_t bytes, const Link& within,
                            const Link& between) {
  check(servers, bytes, "hierarchical_seconds");
  check(devices_each, bytes, "hierarchical_seconds");
  return all_reduce_seconds(AllReduce::star, devices_each, bytes, within) +
         all_reduce_seconds(AllReduce::ring, servers, bytes, between);
}

}  // namespace d2l
