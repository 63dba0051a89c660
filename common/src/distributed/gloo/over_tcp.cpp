// SPDX-License-Identifier: MIT
// The group of all processes over TCP.
#include <fmt/format.h>
#include <gloo/common/error.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <memory>

#include "base/message.h"
#include "base/no_pipe_signals.h"
#include "distributed/gloo/gloo_engine.h"
#include "distributed/store/store_client.h"
#include "distributed/store/store_server.h"

namespace d2l::distributed::detail {

namespace {

class StoreLiveness : public Liveness {
 public:
  explicit StoreLiveness(std::shared_ptr<StoreClient> client) : client_(std::move(client)) {}
  std::optional<std::string> first_cause(std::chrono::milliseconds patience) override {
    return client_->first_cause(patience);
  }
  void report(const std::string& cause) noexcept override { client_->report(cause); }
  void leave() noexcept override { client_->leave(); }

 private:
  std::shared_ptr<StoreClient> client_;
};

/// Gloo's store, on ours; its keys have the group's as a prefix.
class GlooStore : public gloo::rendezvous::Store {
 public:
  GlooStore(StoreClient& client, std::string prefix, std::chrono::milliseconds timeout)
      : client_(client), prefix_(std::move(prefix)), timeout_(timeout) {}
  void set(const std::string& key, const std::vector<char>& data) override {
    client_.set(prefix_ + "/" + key, std::string(data.begin(), data.end()));
  }
  std::vector<char> get(const std::string& key) override {
    const auto value = client_.get(prefix_ + "/" + key, timeout_);
    return {value.begin(), value.end()};
  }
  void wait(const std::vector<std::string>& keys) override { wait(keys, timeout_); }
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override {
    for (const auto& key : keys) static_cast<void>(client_.get(prefix_ + "/" + key, timeout));
  }

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
struct Meeting {
  std::unique_ptr<StoreServer> server;
  std::shared_ptr<StoreClient> client;
};

}  // namespace

bool has_gloo() { return true; }

std::unique_ptr<Engine> make_gloo_engine(const EngineOptions& options) {
  const d2l::detail::NoPipeSignals
      no_signals;  // not in Gloo's threads either: it writes to connections that have ended
  auto meeting = std::make_shared<Meeting>();
  if (options.rank == 0) meeting->server = std::make_unique<StoreServer>(options.master_port, options.size);
  meeting->client = std::make_shared<StoreClient>(options.master_addr, options.master_port, options.rank, options.size,
                                                  options.timeout);
  meeting->client->wait_for_all(options.timeout);
  gloo::transport::tcp::attr attributes(meeting->client->local_address().c_str());
  std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(attributes);
  const auto timeout = options.timeout;
  const Connect connect = [meeting, device, timeout](const std::vector<int>& ranks, int rank, const std::string& key) {
    const auto mesh = std::make_shared<MeshContext>(rank, static_cast<int>(ranks.size()));
    mesh->setTimeout(
        std::max(timeout / 5, std::chrono::milliseconds(1)));  // Gloo waits five times as long for a connection
    GlooStore store(*meeting->client, key, timeout);
    auto own = device;
    try {
      mesh->connectFullMesh(store, own);
    } catch (const gloo::Exception& error) {
      const auto cause = meeting->client->first_cause(std::chrono::milliseconds(1000));
      d2l::detail::fail<DistributedError>("init_process_group",
                                          cause.value_or(fmt::format("the ranks cannot connect ({})", error.what())),
                                          {}, "end all ranks and start them again");
    }
    mesh->setTimeout(timeout);
    mesh->transport()->setTimeout(timeout);
    return Connections{mesh->transport(), [mesh] { mesh->closeConnections(); }};
  };
  std::vector<int> all;
  for (int rank = 0; rank < options.size; ++rank) all.push_back(rank);
  auto engine = std::make_unique<GlooEngine>(std::move(all), options.rank, "all", timeout, connect,
                                             std::make_shared<StoreLiveness>(meeting->client), true);
  engine->wait_for_all();
  return engine;
}

}  // namespace d2l::distributed::detail
