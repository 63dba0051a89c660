// SPDX-License-Identifier: MIT
#include "launch/addresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "base/descriptor.h"
#include "launch/problem.h"

namespace d2l::launch {

namespace {

using d2l::detail::Descriptor;

constexpr int patience_ms = 200;

/// An address of IPv4 or IPv6, without a port.
struct Address {
  sockaddr_storage bytes{};
  socklen_t length = 0;

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
  [[nodiscard]] sockaddr* get() { return reinterpret_cast<sockaddr*>(&bytes); }
};

Address loopback_of(int family) {
  Address address;
  address.bytes.ss_family = static_cast<sa_family_t>(family);
  if (family == AF_INET) {
    reinterpret_cast<sockaddr_in&>(address.bytes).sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.length = sizeof(sockaddr_in);
  } else {
    reinterpret_cast<sockaddr_in6&>(address.bytes).sin6_addr = in6addr_loopback;
    address.length = sizeof(sockaddr_in6);
  }
  return address;
}

/// Whether a socket of this process can connect to another at this address.
bool answers(Address address) {
  const int family = address.get()->sa_family;
  const Descriptor listener(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (listener.get() < 0 || ::bind(listener.get(), address.get(), address.length) != 0) return false;
  if (::listen(listener.get(), 1) != 0 || ::getsockname(listener.get(), address.get(), &address.length) != 0) {
    return false;
  }
  const Descriptor client(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (client.get() < 0) return false;
  if (::connect(client.get(), address.get(), address.length) == 0) return true;
  if (errno != EINPROGRESS) return false;
  pollfd entry{client.get(), POLLOUT, 0};
  int error = 0;
  socklen_t length = sizeof error;
  return ::poll(&entry, 1, patience_ms) > 0 && ::getsockopt(client.get(), SOL_SOCKET, SO_ERROR, &error, &length) == 0 &&
         error == 0;
}

/// The addresses of an interface; without a name, of all that are up and no loopback. Those of IPv4 come first. An
/// address that is valid on one link only is left out, because it needs the name of the link.
std::vector<Address> of_interfaces(const std::string& name = {}) {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, ::freeifaddrs);
  std::vector<Address> found;
  for (const int family : {AF_INET, AF_INET6}) {
    for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
      if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != family) continue;
      const bool fits = name.empty() ? (entry->ifa_flags & (IFF_UP | IFF_LOOPBACK)) == IFF_UP : name == entry->ifa_name;
      if (!fits) continue;
      Address address;
      address.length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
      std::memcpy(&address.bytes, entry->ifa_addr, address.length);
      if (is_link_local(address.get())) continue;
      found.push_back(address);
      if (found.size() == 4) return found;
    }
  }
  return found;
}

std::string text_of(const Address& address) { return numeric_host(address.get(), address.length); }

}  // namespace

std::string numeric_host(const sockaddr* address, socklen_t length) {
  std::array<char, NI_MAXHOST> text{};
  if (::getnameinfo(address, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0) return {};
  const std::string found = text.data();
  const std::string mapped = "::ffff:";
  return found.starts_with(mapped) && found.find('.') != std::string::npos ? found.substr(mapped.size()) : found;
}

std::optional<std::string> address_of_interface(const std::string& name) {
  const auto found = of_interfaces(name);
  if (found.empty()) return std::nullopt;
  return text_of(found.front());
}

bool is_loopback(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24U == IN_LOOPBACKNET;
  }
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

bool is_link_local(const sockaddr* address) {
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

std::optional<std::string> usable_address() {
  for (const int family : {AF_INET, AF_INET6}) {
    const Address address = loopback_of(family);
    if (answers(address)) return text_of(address);
  }
  for (const Address& address : of_interfaces()) {
    if (answers(address)) return text_of(address);
  }
  return std::nullopt;
}

bool is_local(const sockaddr* address, socklen_t length) {
  if (is_loopback(address)) return true;
  Address copy;
  if (length > sizeof copy.bytes) return false;
  std::memcpy(&copy.bytes, address, length);
  copy.length = length;
  if (address->sa_family == AF_INET) reinterpret_cast<sockaddr_in&>(copy.bytes).sin_port = 0;
  if (address->sa_family == AF_INET6) reinterpret_cast<sockaddr_in6&>(copy.bytes).sin6_port = 0;
  const Descriptor probe(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return probe.get() >= 0 && ::bind(probe.get(), copy.get(), copy.length) == 0;
}

int free_port() {
  for (const int family : {AF_INET6, AF_INET}) {
    Address address;
    address.bytes.ss_family = static_cast<sa_family_t>(family);
    address.length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    const Descriptor probe(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (probe.get() < 0 || ::bind(probe.get(), address.get(), address.length) != 0) continue;
    if (::getsockname(probe.get(), address.get(), &address.length) != 0) continue;
    return ntohs(family == AF_INET ? reinterpret_cast<sockaddr_in&>(address.bytes).sin_port
                                   : reinterpret_cast<sockaddr_in6&>(address.bytes).sin6_port);
  }
  throw Problem(std::string("no port can be found for the ranks: ") + std::strerror(errno));
}

std::string with_port(const std::string& host, int port) {
  const bool is_version_6 = host.find(':') != std::string::npos;
  return (is_version_6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace d2l::launch
