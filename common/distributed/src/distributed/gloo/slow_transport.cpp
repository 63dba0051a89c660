// SPDX-License-Identifier: MIT
#include "distributed/gloo/slow_transport.h"

#include <cstdint>
#include <utility>

namespace d2l::distributed::detail {

namespace {

class SlowBuffer : public WrappedBuffer {
 public:
  SlowBuffer(std::unique_ptr<UnboundBuffer> buffer, const std::vector<int>& global_ranks, int own, launch::Board& board)
      : WrappedBuffer(std::move(buffer)), global_ranks_(global_ranks), own_(own), board_(board) {}

  void send(int to, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    board_.carry(global(own_), global(to), length_of(offset, bytes));
    WrappedBuffer::send(to, slot, offset, bytes);
  }

 private:
  [[nodiscard]] int global(int rank) const { return global_ranks_[static_cast<std::size_t>(rank)]; }

  const std::vector<int>& global_ranks_;
  int own_;
  launch::Board& board_;
};

}  // namespace

SlowTransport::SlowTransport(std::shared_ptr<gloo::transport::Context> transport, std::vector<int> global_ranks,
                             std::shared_ptr<launch::Board> board)
    : WrappedTransport(std::move(transport)), global_ranks_(std::move(global_ranks)), board_(std::move(board)) {}

std::unique_ptr<gloo::transport::UnboundBuffer> SlowTransport::createUnboundBuffer(void* memory, std::size_t bytes) {
  return std::make_unique<SlowBuffer>(WrappedTransport::createUnboundBuffer(memory, bytes), global_ranks_, rank,
                                      *board_);
}

}  // namespace d2l::distributed::detail
