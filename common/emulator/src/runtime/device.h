// SPDX-License-Identifier: MIT
// Device: a virtual GPU as the CUDA runtime sees it: its streams, its fatal error, its limits.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "backend/virtual_gpu/virtual_gpu.h"
#include "d2l_emulator/launches/attributes.h"
#include "d2l_emulator/runtime_types.h"
#include "order/operation.h"
#include "order/stream_role.h"

namespace d2l::emulator {

class Device;
struct Work;

/// One queue of a device. cudaStream_t points to it, or is one of CUDA's special values.
class Stream {
 public:
  /// `text` names it in reports.
  Stream(Device& device, std::shared_ptr<backend::WorkQueue> queue, unsigned flags, int priority, std::string text,
         bool is_default = false);

  [[nodiscard]] Device& device() const noexcept { return *device_; }
  [[nodiscard]] backend::WorkQueue& queue() const noexcept { return *queue_; }
  [[nodiscard]] const std::shared_ptr<backend::WorkQueue>& shared_queue() const noexcept { return queue_; }
  /// True if it waits for the default stream, and the default stream for it.
  [[nodiscard]] bool blocking() const noexcept { return (flags_ & cudaStreamNonBlocking) == 0; }
  [[nodiscard]] bool is_default() const noexcept { return role_.is_default; }
  [[nodiscard]] unsigned flags() const noexcept { return flags_; }
  [[nodiscard]] int priority() const noexcept { return priority_; }
  [[nodiscard]] std::uint64_t id() const noexcept { return role_.id; }
  [[nodiscard]] const StreamRole& role() const noexcept { return role_; }
  /// The attributes that the program has set; under the device's order().
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>& attributes() noexcept { return attributes_; }

  /// Adds work, after the work that the rules of the default stream put before it. It is dropped if the device is lost.
  /// While the stream captures, the work becomes a node of the graph instead.
  void submit(const Work& work);
  void push(std::function<void()> work, std::shared_ptr<backend::Span> span = nullptr, Operation operation = {});
  /// Adds work, whether or not the stream captures, with this place in the order of operations. The work finds out what
  /// it accesses. It gets its operation, which is returned, too; null if no timeline is kept.
  using OrderedWork = std::function<std::vector<MemoryAccesses>(const std::shared_ptr<Operation>&)>;
  std::shared_ptr<Operation> enqueue(const StreamRole& role, OrderedWork work, std::shared_ptr<backend::Span> span,
                                     Operation operation);
  /// The same for work whose accesses are known.
  std::shared_ptr<Operation> enqueue(const StreamRole& role, std::function<void()> work,
                                     std::shared_ptr<backend::Span> span, Operation operation);
  /// Held while several pieces of work are added that must follow one another.
  std::recursive_mutex& additions() noexcept { return additions_; }
  /// Further work waits for the first `sequence` items of another queue.
  void wait_for(const std::shared_ptr<backend::WorkQueue>& other, std::uint64_t sequence);
  /// True if all work is done.
  [[nodiscard]] bool idle() const;
  /// The host waits for all work; Failure if the device is lost.
  void synchronize();
  /// The same where a program must not rely on the wait: a card need not wait.
  void wait_unnoticed();

 private:
  void add(std::function<void()> work, std::shared_ptr<backend::Span> span);

  Device* device_;
  std::shared_ptr<backend::WorkQueue> queue_;
  unsigned flags_;
  int priority_;
  StreamRole role_;
  std::recursive_mutex additions_;
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes_;
};

class Device {
 public:
  Device(int number, backend::VirtualGpu& gpu);

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] backend::VirtualGpu& gpu() const noexcept { return *gpu_; }
  /// The legacy default stream.
  [[nodiscard]] const std::shared_ptr<Stream>& default_stream() const noexcept { return default_stream_; }
  /// The stream of the tensors' work, which does not wait for the default stream.
  [[nodiscard]] const std::shared_ptr<Stream>& tensor_stream() const noexcept { return tensor_stream_; }
  std::shared_ptr<Stream> make_stream(unsigned flags, int priority, std::string text);
  /// All streams that exist, the default stream first, the tensors' second.
  [[nodiscard]] std::vector<std::shared_ptr<Stream>> streams();
  /// The host waits for all streams; Failure if the device is lost.
  void synchronize();

  /// Work of all streams from now on comes after the tensors' work so far: tensors return their memory at once, while
  /// work on it may be pending.
  void wait_for_tensors();

  /// The error of the device once it is lost, else cudaSuccess.
  [[nodiscard]] cudaError_t fatal_error() const noexcept;
  /// True once a device is lost by fail().
  [[nodiscard]] static bool any_failed() noexcept;
  /// Makes the device lost, prints `text` on standard error, and throws FatalDeviceError.
  [[noreturn]] void fail(cudaError_t error, const std::string& text);

  /// Orders the additions to its queues.
  std::mutex& order() noexcept { return order_; }
  /// Guards the peers. Queues need it, so it is not order(), which a thread may hold while it waits for a queue.
  std::mutex& peers_mutex() noexcept { return peers_mutex_; }
  /// The peers that cudaDeviceEnablePeerAccess() named; under peers_mutex().
  std::set<int>& peers() noexcept { return peers_; }
  /// The peers with memory pools that cudaMemPoolSetAccess() opened for this device; under peers_mutex().
  std::set<int>& pool_peers() noexcept { return pool_peers_; }
  /// This device and all devices whose memory its kernels can use.
  [[nodiscard]] std::vector<int> reachable();
  std::atomic<std::size_t> largest_dynamic_shared{std::size_t{48} * 1024};
  std::atomic<unsigned> schedule_flags{0};
  /// Creates the context of the device if it has none; Failure if another program uses the device.
  void require_context();
  [[nodiscard]] bool has_context() const noexcept { return has_context_; }
  /// The timeline learns whether the host has waited for the device by a function of the tensors.
  void learn_of_waits();

 private:
  int number_;
  backend::VirtualGpu* gpu_;
  std::mutex order_;
  std::mutex peers_mutex_;
  std::shared_ptr<Stream> tensor_stream_;
  std::shared_ptr<Stream> default_stream_;
  std::vector<std::weak_ptr<Stream>> streams_;
  std::set<int> peers_;
  std::set<int> pool_peers_;
  std::uint64_t awaited_tensor_work_ = 0;
  std::atomic<std::uint64_t> known_waits_{0};
  mutable std::atomic<cudaError_t> fatal_{cudaSuccess};
  std::atomic<bool> has_context_{false};
};

[[nodiscard]] int device_count();
/// Failure with cudaErrorInvalidDevice if there is no such device.
Device& device_at(int number);
/// The device of this thread.
Device& current_device();
void set_current_device(int number);

/// The stream of a handle, for the current device where the handle is special; Failure if it is not valid.
std::shared_ptr<Stream> stream_of(cudaStream_t handle);
/// Makes a stream known, and the reverse.
cudaStream_t add_stream(const std::shared_ptr<Stream>& stream);
void remove_stream(cudaStream_t handle);

/// Keeps a stream that was destroyed until its work is done.
void retire(std::shared_ptr<Stream> stream);

}  // namespace d2l::emulator
