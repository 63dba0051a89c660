// SPDX-License-Identifier: MIT
// StoreServer: the key-value store through which ranks find each other, and which knows the ranks that have died. Rank
// 0 runs it.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "distributed/store/wire.h"

namespace d2l::distributed::detail {

class StoreServer : d2l::detail::NonCopyable {
 public:
  /// Listens on a port of all interfaces, 0 for any free one. ConfigurationError if it is in use.
  StoreServer(int port, int world_size);
  /// Says goodbye to all clients.
  ~StoreServer();
  [[nodiscard]] int port() const { return port_; }

 private:
  struct Client {
    Socket socket;
    FrameReader reader;
    int rank = -1;  ///< until its hello
  };
  void run();
  void accept_client();
  /// Tells a client, and all others, that this process has no descriptor for it.
  void refuse_client();
  /// False if the client is to be forgotten.
  bool serve(Client& client);
  bool answer(Client& client, const Frame& frame);
  bool greet(Client& client, const std::string& bytes);
  /// A client whose connection has ended without a goodbye has died.
  void forget(const Client& client, bool died);
  void tell_all(FrameKind kind, const std::string& text);
  [[nodiscard]] std::string absent() const;
  /// The address by which other machines reach the one of a client; empty if all clients are on this machine.
  [[nodiscard]] std::string address_of(const Client& client) const;

  int world_size_;
  int port_ = 0;
  Socket listener_;
  Socket spare_;  ///< a descriptor for a client that is refused
  Socket wake_;   ///< the end that the thread reads
  Socket wake_sender_;
  std::list<Client> clients_;
  std::set<int> joined_;
  std::set<int> left_;  ///< on purpose
  RollCall roll_call_;
  std::string refused_;  ///< why a rank was refused before all had joined
  std::atomic<bool> has_refused_{false};
  std::map<std::string, std::string> values_;
  std::thread thread_;
};

}  // namespace d2l::distributed::detail
