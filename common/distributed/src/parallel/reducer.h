// SPDX-License-Identifier: MIT
// Reducer: adds up gradients over devices and processes, bucket by bucket, while backward() continues.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "autograd/gradient_hooks.h"
#include "d2l/distributed/work.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// The parameters of a module, in buckets of neighbours of one dtype. backward() reaches the last parameters first, so
/// they are in the first bucket. The module may have replicas on several devices, which go backward one after another.
class Reducer : NonCopyable {
 public:
  /// Joins the flat gradients of a bucket, one for each replica.
  using Join = std::function<distributed::Work(const std::vector<Tensor>&)>;
  /// Called when the gradients of all parameters have arrived at all replicas.
  using Complete = std::function<void()>;

  /// A replica on each device. Buckets hold up to `cap` bytes, or one parameter.
  Reducer(std::vector<Tensor> parameters, std::vector<Device> devices, std::int64_t cap, Join join,
          Complete complete = {});

  /// The replica that goes backward next.
  void use(std::size_t replica) { replica_ = replica; }
  /// Whether gradients are joined; if not, they are left alone.
  void enable(bool enabled) { enabled_ = enabled; }
  /// Whether some gradients have arrived, and others not.
  [[nodiscard]] bool is_partial() const { return missing_ > 0 && missing_ < noted_.size(); }
  /// Waits for all buckets; gradients that have not arrived count as 0.
  void wait();
  /// Of each parameter, 1 if its gradient has arrived at a replica, else 0.
  [[nodiscard]] std::vector<std::uint8_t> arrived() const;
  /// Writes the joined gradients of the replica in use, of the parameters whose gradient has arrived somewhere.
  void write(const std::vector<std::uint8_t>& arrived);
  /// Forgets what has arrived.
  void reset();
  /// The bytes of each bucket.
  [[nodiscard]] std::vector<std::int64_t> bucket_sizes() const;

 private:
  struct Bucket {
    std::vector<std::size_t> parameters;
    std::int64_t elements = 0;
    std::vector<Tensor> flat;  ///< of each replica
    std::size_t missing = 0;
    distributed::Work work;
  };
  void note(std::size_t parameter);
  [[nodiscard]] std::size_t place(std::size_t replica, std::size_t parameter) const {
    return replica * parameters_.size() + parameter;
  }
  /// The part of a replica's flat tensor that is a parameter's.
  [[nodiscard]] Tensor part(std::size_t replica, std::size_t parameter) const;
  void begin_complete_buckets();

  std::vector<Tensor> parameters_;
  std::vector<Device> devices_;  ///< of the replicas
  Join join_;
  Complete complete_;
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> bucket_of_;   ///< of each parameter
  std::vector<std::int64_t> offset_of_;  ///< of each parameter, in its bucket
  std::vector<bool> noted_;              ///< of each replica and parameter
  std::size_t missing_ = 0;
  std::size_t begun_ = 0;
  std::size_t replica_ = 0;
  bool enabled_ = true;
  std::vector<std::unique_ptr<GradientHookHandle>> hooks_;
};

}  // namespace d2l::detail
