// SPDX-License-Identifier: MIT
// The addresses of this machine, by which its processes can reach each other.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>

namespace d2l::launch {

/// An address at which a process of this machine reaches another: 127.0.0.1, else ::1, else that of another interface;
/// nullopt if a connection to none of them succeeds. Each is tried, which takes at most a second for those that do not
/// answer.
std::optional<std::string> usable_address();

/// What is wrong if there is no such address, and what to do.
inline constexpr auto no_usable_address =
    "the processes of this machine cannot reach each other: no address accepts a connection, because the loopback "
    "interface is down; as root: ip link set lo up";

/// The first address of a network interface, of IPv4 if it has one; nullopt if there is none.
std::optional<std::string> address_of_interface(const std::string& name);

/// Whether an address, of IPv4 or IPv6, is reached by its own machine only.
bool is_loopback(const sockaddr* address);

/// Whether an address is one of IPv6 that is valid on one link only (fe80::…).
bool is_link_local(const sockaddr* address);

/// Whether an address is a loopback address, or one of this machine's interfaces.
bool is_local(const sockaddr* address, socklen_t length);

/// A port that no program listens on now, at any address; Problem if there is none.
int free_port();

/// "10.0.0.1", "fd00::1"; an address of IPv4 stays one in the form of IPv6.
std::string numeric_host(const sockaddr* address, socklen_t length);

/// "127.0.0.1:29500", "[::1]:29500".
std::string with_port(const std::string& host, int port);

}  // namespace d2l::launch
