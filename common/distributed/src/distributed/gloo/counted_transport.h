// SPDX-License-Identifier: MIT
// CountedTransport: a transport of Gloo whose messages are recorded in the ledgers.
#pragma once

#include <memory>
#include <vector>

#include "distributed/gloo/wrapped_transport.h"

namespace d2l::distributed::detail {

/// The name under which the messages of this thread are recorded, in a scope.
class CollectiveName {
 public:
  explicit CollectiveName(const char* name);
  ~CollectiveName();
  CollectiveName(const CollectiveName&) = delete;
  CollectiveName& operator=(const CollectiveName&) = delete;
};

/// Passes everything on to `transport`, whose ranks are `global_ranks` of the group of all processes.
class CountedTransport : public WrappedTransport {
 public:
  CountedTransport(std::shared_ptr<gloo::transport::Context> transport, std::vector<int> global_ranks);
  std::unique_ptr<gloo::transport::UnboundBuffer> createUnboundBuffer(void* memory, std::size_t bytes) override;

 private:
  std::vector<int> global_ranks_;
};

}  // namespace d2l::distributed::detail
