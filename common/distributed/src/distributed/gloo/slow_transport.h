// SPDX-License-Identifier: MIT
// SlowTransport: a transport of Gloo that is as slow between two servers as the link that a launcher models.
#pragma once

#include <memory>
#include <vector>

#include "distributed/gloo/wrapped_transport.h"
#include "launch/board.h"

namespace d2l::distributed::detail {

/// Sends a message when the cables of the servers of both ranks have carried it, and not before: the sender waits as
/// long. Its ranks are `global_ranks` of the group of all processes.
class SlowTransport : public WrappedTransport {
 public:
  SlowTransport(std::shared_ptr<gloo::transport::Context> transport, std::vector<int> global_ranks,
                std::shared_ptr<launch::Board> board);
  std::unique_ptr<gloo::transport::UnboundBuffer> createUnboundBuffer(void* memory, std::size_t bytes) override;

 private:
  std::vector<int> global_ranks_;
  std::shared_ptr<launch::Board> board_;
};

}  // namespace d2l::distributed::detail
