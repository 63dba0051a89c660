// SPDX-License-Identifier: MIT
// WrappedTransport and WrappedBuffer: a transport of Gloo that passes everything on to another one.
#pragma once

#include <gloo/transport/context.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace d2l::distributed::detail {

class WrappedBuffer : public gloo::transport::UnboundBuffer {
 public:
  explicit WrappedBuffer(std::unique_ptr<UnboundBuffer> buffer)
      : UnboundBuffer(buffer->ptr, buffer->size), buffer_(std::move(buffer)) {}

  bool waitRecv(int* rank, std::chrono::milliseconds timeout) override { return buffer_->waitRecv(rank, timeout); }
  bool waitSend(int* rank, std::chrono::milliseconds timeout) override { return buffer_->waitSend(rank, timeout); }
  void abortWaitRecv() override { buffer_->abortWaitRecv(); }
  void abortWaitSend() override { buffer_->abortWaitSend(); }
  void send(int to, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    buffer_->send(to, slot, offset, bytes);
  }
  void recv(int from, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    buffer_->recv(from, slot, offset, bytes);
  }
  void recv(std::vector<int> from, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    buffer_->recv(std::move(from), slot, offset, bytes);
  }

 protected:
  /// The bytes of a message that is `bytes` long, or as long as the buffer from `offset` on.
  [[nodiscard]] std::size_t length_of(std::size_t offset, std::size_t bytes) const {
    return bytes == kUnspecifiedByteCount ? size - offset : bytes;
  }

 private:
  std::unique_ptr<UnboundBuffer> buffer_;
};

class WrappedTransport : public gloo::transport::Context {
 public:
  explicit WrappedTransport(std::shared_ptr<gloo::transport::Context> transport)
      : Context(transport->rank, transport->size), transport_(std::move(transport)) {
    setTimeout(transport_->getTimeout());
  }
  std::unique_ptr<gloo::transport::Pair>& createPair(int other) override { return transport_->createPair(other); }
  std::unique_ptr<gloo::transport::Pair>& getPair(int other) override { return transport_->getPair(other); }
  std::unique_ptr<gloo::transport::UnboundBuffer> createUnboundBuffer(void* memory, std::size_t bytes) override {
    return transport_->createUnboundBuffer(memory, bytes);
  }

 private:
  std::shared_ptr<gloo::transport::Context> transport_;
};

}  // namespace d2l::distributed::detail
