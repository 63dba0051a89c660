// SPDX-License-Identifier: MIT
// The group of all processes over TCP.
#include <fmt/format.h>
#include <gloo/common/error.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "base/message.h"
#include "base/no_pipe_signals.h"
#include "distributed/gloo/gloo_engine.h"
#include "distributed/gloo/slow_transport.h"
#include "distributed/gloo/waits.h"
#include "distributed/store/store_client.h"
#include "distributed/store/store_server.h"
#include "launch/addresses.h"
#include "launch/board.h"
#include "launch/launchers.h"

namespace d2l::distributed::detail {

namespace {

class StoreLiveness : public Liveness {
 public:
  explicit StoreLiveness(std::shared_ptr<StoreClient> client) : client_(std::move(client)) {}
  std::optional<std::string> first_cause(std::chrono::milliseconds patience) override {
    return client_->first_cause(patience);
  }
  std::set<int> left() override { return client_->left(); }
  std::optional<std::string> call_roll(const Stuck& stuck) override { return client_->call_roll(stuck); }
  void report(const std::string& cause) noexcept override { client_->report(cause); }
  void leave() noexcept override { client_->leave(); }

 private:
  std::shared_ptr<StoreClient> client_;
};

/// Gloo's store, on ours. Its keys are the ranks of the group, which give their addresses; they have the group's key as
/// a prefix.
class GlooStore : public gloo::rendezvous::Store {
 public:
  GlooStore(StoreClient& client, std::string prefix, std::chrono::milliseconds timeout)
      : client_(client), prefix_(std::move(prefix)), timeout_(timeout) {}
  void set(const std::string& key, const std::vector<char>& data) override {
    client_.set(prefix_ + "/" + key, std::string(data.begin(), data.end()));
  }
  std::vector<char> get(const std::string& key) override {
    const auto missing = fmt::format("rank {} of the group did not give its address", key);
    const auto value = client_.get(prefix_ + "/" + key, missing, timeout_);
    return {value.begin(), value.end()};
  }
  void wait(const std::vector<std::string>& keys) override {
    for (const auto& key : keys) static_cast<void>(get(key));
  }
  /// Gloo's timeout is the fifth part of the group's, which is for connections.
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& /*timeout*/) override { wait(keys); }

 private:
  StoreClient& client_;
  std::string prefix_;
  std::chrono::milliseconds timeout_;
};

class MeshContext : public gloo::rendezvous::Context {
 public:
  using gloo::rendezvous::Context::Context;
  [[nodiscard]] const std::shared_ptr<gloo::transport::Context>& transport() const { return transportContext_; }
};

/// The store of rank 0 lives as long as its engines.
struct Rendezvous {
  std::unique_ptr<StoreServer> server;
  std::shared_ptr<StoreClient> client;
  std::unique_ptr<WaitWatch> watch;
};

/// Gloo's threads end the process if they find no descriptor for a connection, so it is counted before. A connection
/// needs two for a moment.
void check_descriptors(int size) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  std::error_code error;
  const auto open = std::distance(std::filesystem::directory_iterator("/proc/self/fd", error), {});
  const auto needed = static_cast<std::uint64_t>(open) + 2 * static_cast<std::uint64_t>(size) + 4;
  if (error || needed <= limit.rlim_cur) return;
  d2l::detail::fail<ConfigurationError>(
      "init_process_group", "the limit of open files is too low for a group of so many ranks",
      fmt::format("({} ranks need {}, {} are allowed)", size, needed, limit.rlim_cur),
      fmt::format("allow more (ulimit -n {}) or start fewer ranks", std::max<std::uint64_t>(needed, 1024)));
}

/// Of the ranks of a group, as slow between servers as a launcher wants it.
std::shared_ptr<gloo::transport::Context> slowed(std::shared_ptr<gloo::transport::Context> transport,
                                                 const std::vector<int>& ranks,
                                                 const std::shared_ptr<launch::Board>& board) {
  if (board == nullptr || !board->has_slow_link()) return transport;
  return std::make_shared<SlowTransport>(std::move(transport), ranks, board);
}

/// The address at which this rank waits for the connections of the others.
std::string own_address(StoreClient& client) {
  const auto names = launch::variable("GLOO_SOCKET_IFNAME");
  if (!names) return client.local_address();
  const auto name = names->substr(0, names->find(','));
  const auto address = launch::address_of_interface(name);
  if (!address) {
    d2l::detail::fail<ConfigurationError>(
        "init_process_group", fmt::format("GLOO_SOCKET_IFNAME names \"{}\", which has no address", name), {},
        "name a network interface of this machine (ip address lists them), or unset it");
  }
  return *address;
}

}  // namespace

bool has_gloo() { return true; }

std::unique_ptr<Engine> make_gloo_engine(const EngineOptions& options) {
  const d2l::detail::NoPipeSignals
      no_signals;  // not in Gloo's threads either: it writes to connections that have ended
  check_descriptors(options.size);
  launch::Meeting meeting(options.rank, options.size, options.master_port);
  auto found = std::make_shared<Rendezvous>();
  if (options.rank == 0) found->server = std::make_unique<StoreServer>(options.master_port, options.size);
  found->client =
      std::make_shared<StoreClient>(StoreAddress{options.master_addr, options.master_port, meeting.board() != nullptr},
                                    options.rank, options.size, options.timeout);
  found->client->wait_for_all(options.timeout);
  found->watch = std::make_unique<WaitWatch>(
      [client = found->client] { return client->first_cause(std::chrono::milliseconds(0)).has_value(); });
  gloo::transport::tcp::attr attributes(own_address(*found->client).c_str());
  std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(attributes);
  const auto timeout = options.timeout;
  const Connect connect = [found, device, timeout, board = meeting.board()](const std::vector<int>& ranks, int rank,
                                                                            const std::string& key) {
    const auto mesh = std::make_shared<MeshContext>(rank, static_cast<int>(ranks.size()));
    mesh->setTimeout(
        std::max(timeout / 5, std::chrono::milliseconds(1)));  // Gloo waits five times as long for a connection
    GlooStore store(*found->client, key, timeout);
    auto own = device;
    try {
      mesh->connectFullMesh(store, own);
    } catch (const gloo::Exception& error) {
      const auto cause = found->client->first_cause(std::chrono::milliseconds(1000));
      d2l::detail::fail<DistributedError>("init_process_group",
                                          cause.value_or(fmt::format("the ranks cannot connect ({})", error.what())),
                                          {}, "end all ranks and start them again");
    }
    mesh->setTimeout(timeout);
    mesh->transport()->setTimeout(timeout);
    const auto waits = found->watch->of_group();
    // Gloo's close discards what was sent and is on its way; its destructor does not.
    const auto close = [mesh, waits] {
      waits->end();
      mesh->closeConnections();
    };
    return Connections{slowed(with_waits(mesh->transport(), waits), ranks, board), close, [waits] { waits->end(); }};
  };
  std::vector<int> all;
  for (int rank = 0; rank < options.size; ++rank) all.push_back(rank);
  auto engine = std::make_unique<GlooEngine>(std::move(all), options.rank, "all", timeout, connect,
                                             std::make_shared<StoreLiveness>(found->client), true);
  engine->wait_for_all();
  found->client->end_notice();
  meeting.set_joined();
  return engine;
}

}  // namespace d2l::distributed::detail
