// SPDX-License-Identifier: MIT
// CardGroup by NCCL. Collectives run in a stream of their own beside the queue of each card, and events order the two.
// The communicators do not block: a call that waits for other processes returns, and is asked again until the timeout.
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>
#include <utility>

#include "backend/card_collectives.h"
#include "backend/cuda/cuda_devices.h"
#include "backend/cuda/nccl/nccl_library.h"
#include "base/message.h"
#include "base/non_copyable.h"

namespace d2l::backend {

namespace cuda {

namespace {

using distributed::ReduceOp;
using Device = std::shared_ptr<CudaDevice>;

constexpr std::array names{"all_reduce", "broadcast", "reduce", "all_gather", "reduce_scatter"};

[[noreturn]] void fail(const char* operation, const std::string& what) {
  detail::fail<DistributedError>(operation, "NCCL: " + what, {}, "end all ranks and start them again");
}

void require_success(ncclResult_t result, const char* operation) {
  if (result != ncclSuccess && result != ncclInProgress) fail(operation, nccl().error_text(result));
}

ncclDataType_t nccl_type(ScalarType dtype) {
  switch (dtype) {
    case kInt:
      return ncclInt32;
    case kLong:
      return ncclInt64;
    case kHalf:
      return ncclFloat16;
    case kBFloat16:
      return ncclBfloat16;
    case kFloat:
      return ncclFloat32;
    case kDouble:
      return ncclFloat64;
    case kBool:
    case kByte:
      break;
  }
  return ncclUint8;
}

/// Of bool, SUM is "or" and PRODUCT is "and".
ncclRedOp_t nccl_op(ReduceOp op, ScalarType dtype) {
  const bool is_bool = dtype == kBool;
  switch (op) {
    case ReduceOp::AVG:
      return ncclAvg;
    case ReduceOp::PRODUCT:
      return is_bool ? ncclMin : ncclProd;
    case ReduceOp::MIN:
      return ncclMin;
    case ReduceOp::MAX:
      return ncclMax;
    case ReduceOp::SUM:
      break;
  }
  return is_bool ? ncclMax : ncclSum;
}

/// A card's part of a group.
struct Member {
  Device device;
  ncclComm_t communicator = nullptr;
  cudaStream_t stream = nullptr;
};

class NcclGroup;

class NcclWork final : public CardWork, detail::NonCopyable {
 public:
  NcclWork(std::shared_ptr<NcclGroup> group, CardCollective collective);
  void issue() override;
  void make_queues_wait() override;
  [[nodiscard]] bool done() const override;

 private:
  struct Order {
    EventPool::Event ready;  ///< in the queue of the card: its tensor is there
    std::shared_ptr<Gate> is_recorded;
    EventPool::Event done;  ///< in the stream of the group
  };
  const std::shared_ptr<NcclGroup> group_;
  const CardCollective collective_;
  std::vector<Order> orders_;
};

class NcclGroup final : public CardGroup, public std::enable_shared_from_this<NcclGroup>, detail::NonCopyable {
 public:
  NcclGroup(const CardGroupId& id, std::vector<Device> devices, int first, int count, std::chrono::milliseconds timeout)
      : timeout_(timeout) {
    ncclUniqueId unique{};
    static_assert(sizeof unique.internal == sizeof id);
    std::memcpy(unique.internal, id.data(), id.size());
    for (Device& device : devices) members_.push_back({std::move(device), nullptr, nullptr});
    try {
      for (Member& member : members_) {
        const CudaDevice::Use use(*member.device, "init_process_group");
        D2L_CUDA_CHECK(cudaStreamCreateWithFlags(&member.stream, cudaStreamNonBlocking));
      }
      in_one_group("init_process_group", [&](std::size_t i) {
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0;
        return nccl().comm_init(&members_[i].communicator, count, unique, first + static_cast<int>(i), &config);
      });
    } catch (...) {
      close();
      throw;
    }
  }
  ~NcclGroup() override {
    try {
      if (!is_aborted_) {
        for (const Member& member : members_)
          require_success(nccl().comm_finalize(member.communicator), "destroy_process_group");
        settle("destroy_process_group");
        for (Member& member : members_) nccl().comm_destroy(std::exchange(member.communicator, nullptr));
      }
    } catch (const std::exception&) {  // NCCL or another process has failed: abort() is all that is left
    }
    close();
  }

  [[nodiscard]] std::shared_ptr<CardWork> prepare(CardCollective collective) override {
    require(names[static_cast<std::size_t>(collective.kind)]);
    return std::make_shared<NcclWork>(shared_from_this(), std::move(collective));
  }
  void abort() noexcept override {
    if (is_aborted_.exchange(true)) return;
    for (Member& member : members_) {
      if (member.communicator != nullptr) nccl().comm_abort(std::exchange(member.communicator, nullptr));
    }
  }

  void require(const char* operation) const {
    if (is_aborted_) fail(operation, "the group was aborted after an error");
  }
  /// Calls `call` for all cards of this process as one step of NCCL, and waits until it has begun on all.
  template <class Call>
  void in_one_group(const char* operation, const Call& call) {
    require(operation);
    require_success(nccl().group_start(), operation);
    ncclResult_t result = ncclSuccess;
    try {
      for (std::size_t i = 0; i < members_.size() && (result == ncclSuccess || result == ncclInProgress); ++i) {
        const CudaDevice::Use use(*members_[i].device, operation);
        result = call(i);
      }
    } catch (const std::exception&) {  // a card is lost
      nccl().group_end();
      abort();
      throw;
    }
    const ncclResult_t ended = nccl().group_end();
    require_success(result, operation);
    require_success(ended, operation);
    settle(operation);
  }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

 private:
  /// Waits until no call is under way. After the timeout, it aborts the group.
  void settle(const char* operation) {
    const auto deadline = std::chrono::steady_clock::now() + timeout_;
    for (const Member& member : members_) {
      ncclResult_t state = ncclInProgress;
      while (true) {
        require(operation);
        require_success(nccl().comm_error(member.communicator, &state), operation);
        if (state != ncclInProgress) break;
        if (std::chrono::steady_clock::now() > deadline) {
          abort();
          fail(operation,
               fmt::format("another card did not take part within {} s", static_cast<double>(timeout_.count()) / 1000));
        }
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
      if (state != ncclSuccess) {
        abort();
        fail(operation, nccl().error_text(state));
      }
    }
  }
  void close() noexcept {
    abort();
    for (const Member& member : members_) {
      if (member.stream != nullptr) ignore(cudaStreamDestroy(member.stream));
    }
  }

  const std::chrono::milliseconds timeout_;
  std::vector<Member> members_;
  std::atomic<bool> is_aborted_{false};
};

NcclWork::NcclWork(std::shared_ptr<NcclGroup> group, CardCollective collective)
    : group_(std::move(group)), collective_(std::move(collective)) {
  for (const Member& member : group_->members()) {
    CudaDevice& gpu = *member.device;
    const CudaDevice::Use use(gpu, names[static_cast<std::size_t>(collective_.kind)]);
    Order order{gpu.take_event(), std::make_shared<Gate>(), gpu.take_event()};
    gpu.queue().issue([ready = order.ready,
                       device = member.device] { D2L_CUDA_CHECK(cudaEventRecord(ready.get(), device->stream())); },
                      order.is_recorded);
    orders_.push_back(std::move(order));
  }
}

void NcclWork::issue() {
  const char* const operation = names[static_cast<std::size_t>(collective_.kind)];
  const auto& members = group_->members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    orders_[i].is_recorded->wait();
    const CudaDevice::Use use(*members[i].device, operation);
    D2L_CUDA_CHECK(cudaStreamWaitEvent(members[i].stream, orders_[i].ready.get(), 0));
  }
  const ncclDataType_t type = nccl_type(collective_.dtype);
  const ncclRedOp_t op = nccl_op(collective_.op, collective_.dtype);
  group_->in_one_group(operation, [&](std::size_t i) {
    const auto& [in, out] = collective_.buffers[i];
    const std::size_t count = collective_.count;
    const ncclComm_t communicator = members[i].communicator;
    const cudaStream_t stream = members[i].stream;
    switch (collective_.kind) {
      case CardCollective::Kind::broadcast:
        return nccl().broadcast(in, out, count, type, collective_.root, communicator, stream);
      case CardCollective::Kind::reduce:
        return nccl().reduce(in, out, count, type, op, collective_.root, communicator, stream);
      case CardCollective::Kind::all_gather:
        return nccl().all_gather(in, out, count, type, communicator, stream);
      case CardCollective::Kind::reduce_scatter:
        return nccl().reduce_scatter(in, out, count, type, op, communicator, stream);
      case CardCollective::Kind::all_reduce:
        break;
    }
    return nccl().all_reduce(in, out, count, type, op, communicator, stream);
  });
  for (std::size_t i = 0; i < members.size(); ++i) {
    const CudaDevice::Use use(*members[i].device, operation);
    D2L_CUDA_CHECK(cudaEventRecord(orders_[i].done.get(), members[i].stream));
  }
}

void NcclWork::make_queues_wait() {
  const auto& members = group_->members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    CudaDevice& gpu = *members[i].device;
    const CudaDevice::Use use(gpu, names[static_cast<std::size_t>(collective_.kind)]);
    gpu.queue().issue([done = orders_[i].done, device = members[i].device] {
      D2L_CUDA_CHECK(cudaStreamWaitEvent(device->stream(), done.get(), 0));
    });
  }
}

bool NcclWork::done() const {
  for (const Order& order : orders_) {
    if (cudaEventQuery(order.done.get()) == cudaErrorNotReady) {
      forget_last_error();
      return false;
    }
  }
  return true;
}

}  // namespace

}  // namespace cuda

bool has_card_collectives() noexcept { return true; }

std::string card_collectives_obstacle(int processes) {
  if (cuda_backend().device_count() == 0) return "no NVIDIA card was found";
#ifdef D2L_EMULATED
  if (processes > 1) return "emulated cards belong to one process";
#endif
  static_cast<void>(processes);
  return cuda::nccl().obstacle;
}

bool prefers_card_collectives() noexcept {
#ifdef D2L_EMULATED
  return false;
#else
  return true;
#endif
}

CardGroupId make_card_group_id() {
  ncclUniqueId unique{};
  cuda::require_success(cuda::nccl().get_unique_id(&unique), "init_process_group");
  CardGroupId id{};
  std::memcpy(id.data(), unique.internal, id.size());
  return id;
}

std::shared_ptr<CardGroup> join_card_group(Backend& backend, const CardGroupId& id, const std::vector<int>& devices,
                                           int first, int count, std::chrono::milliseconds timeout) {
  const auto* const cards = dynamic_cast<cuda::CudaDevices*>(&backend);
  if (cards == nullptr) cuda::fail("init_process_group", "the GPUs are not cards");
  std::vector<cuda::Device> own;
  for (const int device : devices) own.push_back(cards->at(device));
  return std::make_shared<cuda::NcclGroup>(id, std::move(own), first, count, timeout);
}

}  // namespace d2l::backend
