// SPDX-License-Identifier: MIT
#include "launch/network.h"

#include <fcntl.h>
#include <linux/if_addr.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>
#include <netlink/route/qdisc.h>
#include <netlink/route/qdisc/tbf.h>
#include <netlink/route/tc.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>
#include <utility>

namespace d2l::launch {

namespace {

constexpr int bucket_bytes = 128 * 1024;
constexpr int queue_microseconds = 20'000;
constexpr auto device = "d2l0";

using LinkPointer = std::unique_ptr<rtnl_link, decltype(&rtnl_link_put)>;
using QueuePointer = std::unique_ptr<rtnl_qdisc, decltype(&rtnl_qdisc_put)>;
using AddressPointer = std::unique_ptr<rtnl_addr, decltype(&rtnl_addr_put)>;
using RawAddressPointer = std::unique_ptr<nl_addr, decltype(&nl_addr_put)>;

/// The error of errno.h that is nearest to libnl's.
int errno_of(int result) {
  switch (-result) {
    case NLE_PERM:
    case NLE_NOACCESS:
      return EPERM;
    case NLE_OPNOTSUPP:
      return EOPNOTSUPP;
    case NLE_OBJ_NOTFOUND:
      return ENOENT;
    case NLE_NODEV:
      return ENODEV;
    case NLE_NOMEM:
      return ENOMEM;
    case NLE_EXIST:
      return EEXIST;
    default:
      return EINVAL;
  }
}

}  // namespace

Network::Network() {
  if (::unshare(CLONE_NEWNET) != 0) {
    failure_ = Failure{Step::network, errno, "a network namespace"};
    return;
  }
  space_ = d2l::detail::Descriptor(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  if (space_.get() < 0) {
    failure_ = Failure{Step::network, errno, "opening /proc/thread-self/ns/net"};
    return;
  }
  socket_ = nl_socket_alloc();
  if (socket_ == nullptr || nl_connect(socket_, NETLINK_ROUTE) < 0) {
    failure_ = Failure{Step::link, errno, "a netlink socket"};
  }
}

Network::Network(Network&& other) noexcept
    : space_(std::move(other.space_)),
      socket_(std::exchange(other.socket_, nullptr)),
      failure_(std::move(other.failure_)) {}

Network::~Network() {
  if (socket_ != nullptr) nl_socket_free(socket_);
}

bool Network::noted(int result, Step step, const std::string& attempted) {
  if (result >= 0) return true;
  if (!failure_) failure_ = Failure{step, errno_of(result), attempted + " (" + nl_geterror(result) + ")"};
  return false;
}

bool Network::add_cable(const std::string& here, Network& other, const std::string& there) {
  const LinkPointer link(rtnl_link_veth_alloc(), rtnl_link_put);
  rtnl_link_set_name(link.get(), here.c_str());
  rtnl_link* const peer = rtnl_link_veth_get_peer(link.get());
  rtnl_link_set_name(peer, there.c_str());
  rtnl_link_set_ns_fd(peer, other.space_.get());
  const int result = rtnl_link_add(socket_, link.get(), NLM_F_CREATE | NLM_F_EXCL);
  rtnl_link_put(peer);
  return noted(result, Step::cable, "a pair of network devices");
}

bool Network::add_switch(const std::string& name) {
  const LinkPointer link(rtnl_link_alloc(), rtnl_link_put);
  rtnl_link_set_type(link.get(), "bridge");
  rtnl_link_set_name(link.get(), name.c_str());
  return noted(rtnl_link_add(socket_, link.get(), NLM_F_CREATE | NLM_F_EXCL), Step::network_switch, "a bridge") &&
         set_up(name);
}

int Network::index_of(const std::string& name) {
  rtnl_link* found = nullptr;
  if (!noted(rtnl_link_get_kernel(socket_, 0, name.c_str(), &found), Step::link, "finding " + name)) return 0;
  const int index = rtnl_link_get_ifindex(found);
  rtnl_link_put(found);
  return index;
}

bool Network::set_up(const std::string& name, const std::string& controller) {
  const LinkPointer link(rtnl_link_alloc(), rtnl_link_put);
  const LinkPointer change(rtnl_link_alloc(), rtnl_link_put);
  const int index = index_of(name);
  if (index == 0) return false;
  rtnl_link_set_ifindex(link.get(), index);
  rtnl_link_set_flags(change.get(), IFF_UP);
  if (!controller.empty()) {
    const int of_controller = index_of(controller);
    if (of_controller == 0) return false;
    rtnl_link_set_master(change.get(), of_controller);
  }
  return noted(rtnl_link_change(socket_, link.get(), change.get(), 0), Step::link, "setting " + name + " up");
}

bool Network::add_address(const std::string& name, const std::string& address) {
  nl_addr* parsed = nullptr;
  if (!noted(nl_addr_parse(address.c_str(), AF_UNSPEC, &parsed), Step::link, "the address " + address)) return false;
  const RawAddressPointer raw(parsed, nl_addr_put);
  const AddressPointer added(rtnl_addr_alloc(), rtnl_addr_put);
  const int index = index_of(name);
  if (index == 0) return false;
  rtnl_addr_set_ifindex(added.get(), index);
  // An address of IPv6 can be used at once: no other machine of these networks has it, so none is asked.
  rtnl_addr_set_flags(added.get(), IFA_F_NODAD);
  return noted(rtnl_addr_set_local(added.get(), raw.get()), Step::link, "the address " + address) &&
         noted(rtnl_addr_add(socket_, added.get(), 0), Step::link, "the address " + address + " of " + name);
}

bool Network::limit(const std::string& name, double bytes_per_second) {
  const QueuePointer queue(rtnl_qdisc_alloc(), rtnl_qdisc_put);
  const int index = index_of(name);
  if (index == 0) return false;
  auto* const traffic = reinterpret_cast<rtnl_tc*>(queue.get());
  rtnl_tc_set_ifindex(traffic, index);
  rtnl_tc_set_parent(traffic, TC_H_ROOT);
  const auto attempted = "a token bucket of " + name;
  if (!noted(rtnl_tc_set_kind(traffic, "tbf"), Step::queue, attempted)) return false;
  // libnl counts in int; a link of 17 Gbit/s and more is faster than the memory of namespaces anyway.
  const auto rate = static_cast<int>(std::min(bytes_per_second, static_cast<double>(std::numeric_limits<int>::max())));
  rtnl_qdisc_tbf_set_rate(queue.get(), rate, bucket_bytes, 0);
  return noted(rtnl_qdisc_tbf_set_limit_by_latency(queue.get(), queue_microseconds), Step::queue, attempted) &&
         noted(rtnl_qdisc_add(socket_, queue.get(), NLM_F_CREATE), Step::queue, attempted);
}

std::optional<Failure> join_servers(int count, double bytes_per_second, std::vector<Network>& made) {
  const bool has_switch = count > 2;
  const int spaces = has_switch ? count + 1 : count;
  made.reserve(static_cast<std::size_t>(spaces));
  for (int i = 0; i < spaces; ++i) {
    if (const auto& failure = made.emplace_back().failure()) return failure;
  }
  Network& last = made.back();
  if (has_switch) last.add_switch("d2lbr");
  for (int i = 0; i + 1 < spaces && !last.failure(); ++i) {
    const auto port = has_switch ? "d2lv" + std::to_string(i) : std::string(device);
    if (last.add_cable(port, made[static_cast<std::size_t>(i)], device) && has_switch) last.set_up(port, "d2lbr");
  }
  if (last.failure()) return last.failure();
  for (int i = 0; i < count; ++i) {
    Network& server = made[static_cast<std::size_t>(i)];
    if (!server.add_address(device, "10.77.0." + std::to_string(i + 1) + "/24") || !server.set_up(device) ||
        !server.set_up("lo") || (bytes_per_second > 0 && !server.limit(device, bytes_per_second))) {
      return server.failure();
    }
  }
  return std::nullopt;
}

}  // namespace d2l::launch
