// SPDX-License-Identifier: MIT
/// @file
/// Collectives: operations in which all ranks of a group take part.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "d2l/distributed/process_group.h"
#include "d2l/distributed/reduce_op.h"
#include "d2l/distributed/work.h"
#include "d2l/tensor.h"

namespace d2l::distributed {

// All ranks of the group must call the same collective, in the same order, with tensors of the same number of elements
// and the same dtype; else each rank gets a DistributedError that names the difference. Results are written into the
// tensors, which may be views, and may be on a GPU: then they are staged through pinned host memory, or go from card to
// card with nccl, if each process drives one card. After an error, the elements of a tensor on the CPU, or on a card
// with nccl, are unspecified; other tensors on GPUs are unchanged. Ranks are those of the group. ValueError for a rank
// that does not exist and for a tensor that requires gradients outside NoGradGuard; TypeError for an operation that the
// dtype does not have. Until Work::wait() has returned, the tensors must not be used.

///@{
/// Each element becomes the sum, or another reduction, of the ranks' elements.
Work all_reduce(const Tensor& tensor, ReduceOp op = ReduceOp::SUM, const ProcessGroup& group = {});
/// Copies the elements of rank `src` to all ranks.
Work broadcast(const Tensor& tensor, int src, const ProcessGroup& group = {});
/// As all_reduce(), on rank `dst` alone; the tensors of the other ranks do not change.
Work reduce(const Tensor& tensor, int dst, ReduceOp op = ReduceOp::SUM, const ProcessGroup& group = {});
/// Copies each rank's `input` to all ranks: outputs[r] is that of rank r.
Work all_gather(const std::vector<Tensor>& outputs, const Tensor& input, const ProcessGroup& group = {});
/// Reduces the ranks' inputs[r], and rank r gets the result in `output`.
Work reduce_scatter(const Tensor& output, const std::vector<Tensor>& inputs, ReduceOp op = ReduceOp::SUM,
                    const ProcessGroup& group = {});
/// As all_gather() into the parts of one contiguous tensor, one for each rank, in order; ShapeError unless it has as
/// many elements as the inputs of all ranks together, ValueError unless it is contiguous.
Work all_gather_into_tensor(const Tensor& output, const Tensor& input, const ProcessGroup& group = {});
/// As reduce_scatter() of the parts of one contiguous tensor, one for each rank, in order; errors as above.
Work reduce_scatter_tensor(const Tensor& output, const Tensor& input, ReduceOp op = ReduceOp::SUM,
                           const ProcessGroup& group = {});
/// Copies inputs[r] of rank `src` to `output` of rank r; other ranks give no inputs.
Work scatter(const Tensor& output, const std::vector<Tensor>& inputs, int src, const ProcessGroup& group = {});
/// Copies each rank's `input` to outputs[r] of rank `dst`; other ranks give no outputs.
Work gather(const std::vector<Tensor>& outputs, const Tensor& input, int dst, const ProcessGroup& group = {});
/// Sends inputs[r] to rank r, and writes what rank r sends to outputs[r]. The parts may have different sizes;
/// DistributedError on all ranks, or with one process ShapeError, if a part does not fit its output; ValueError for
/// another number of tensors, TypeError for several dtypes. Tensors on cards are staged with nccl, too.
Work all_to_all(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs, const ProcessGroup& group = {});
/// As all_to_all() of parts of contiguous tensors, split along the first dimension: into equal parts, else into parts
/// of so many rows. ShapeError if the parts do not add up to the tensor; ValueError unless it is contiguous, and for
/// another number of parts than ranks.
Work all_to_all_single(const Tensor& output, const Tensor& input,
                       const std::vector<std::int64_t>& output_split_sizes = {},
                       const std::vector<std::int64_t>& input_split_sizes = {}, const ProcessGroup& group = {});
/// Sends a tensor to one rank, which calls recv(). Messages to one rank with one tag arrive in the order in which they
/// were sent; others do not wait for each other.
Work send(const Tensor& tensor, int dst, int tag = 0, const ProcessGroup& group = {});
/// Receives the tensor, of the same number of elements and dtype, that rank `src` sends with this tag, or that any rank
/// sends with it if there is no `src`: Work::source_rank() says which. If several receives match a
/// message, the one that was called first gets it.
Work recv(const Tensor& tensor, std::optional<int> src = std::nullopt, int tag = 0, const ProcessGroup& group = {});
/// send(), by the name of PyTorch's call that returns a Work.
Work isend(const Tensor& tensor, int dst, int tag = 0, const ProcessGroup& group = {});
/// recv(), by the name of PyTorch's call that returns a Work.
Work irecv(const Tensor& tensor, std::optional<int> src = std::nullopt, int tag = 0, const ProcessGroup& group = {});
/// Returns from wait() when all ranks have called it.
Work barrier(const ProcessGroup& group = {});
///@}

/// A message of batch_isend_irecv(): `P2POp(isend, tensor, peer)` or `P2POp(irecv, tensor, peer)`.
struct P2POp {
  using Send = Work (*)(const Tensor&, int, int, const ProcessGroup&);                    ///< the type of isend()
  using Receive = Work (*)(const Tensor&, std::optional<int>, int, const ProcessGroup&);  ///< the type of irecv()
  ///@{
  /// A message to, or from, a rank of the group; ValueError for another function than isend() and irecv().
  P2POp(Send op, Tensor tensor, int peer, ProcessGroup group = {}, int tag = 0);
  P2POp(Receive op, Tensor tensor, int peer, ProcessGroup group = {}, int tag = 0);
  ///@}
  std::variant<Send, Receive> op;  ///< isend or irecv
  Tensor tensor;                   ///< what is sent, or written
  int peer;                        ///< the other rank
  ProcessGroup group;              ///< the group of both
  int tag;                         ///< of the message
};
/// Begins all messages, so that their order does not matter, and returns the Work of each. ValueError, before one is
/// begun, for an empty list, messages of several groups, and as isend() and irecv().
std::vector<Work> batch_isend_irecv(const std::vector<P2POp>& p2p_op_list);

// The same for processes that drive several GPUs, with one tensor on each device. Within a process, the tensors are
// reduced by peer copies; between processes, the tensor of the first device represents the process. With local there is
// one process, and the host waits for nothing. With nccl, a list with a tensor on each device of local_devices(), in
// order, goes from card to card. ValueError unless the devices differ.

///@{
/// Each element becomes the reduction over all devices of all processes.
Work all_reduce(const std::vector<Tensor>& tensors, ReduceOp op = ReduceOp::SUM, const ProcessGroup& group = {});
/// Copies the elements of tensors[src_device] of rank `src` to all devices of all processes.
Work broadcast(const std::vector<Tensor>& tensors, int src = 0, int src_device = 0, const ProcessGroup& group = {});
/// As all_reduce(), for tensors[dst_device] of rank `dst` alone.
Work reduce(const std::vector<Tensor>& tensors, int dst = 0, int dst_device = 0, ReduceOp op = ReduceOp::SUM,
            const ProcessGroup& group = {});
/// outputs[i][j] on device i becomes inputs[j], where j counts the devices of all processes, rank by rank.
Work all_gather(const std::vector<std::vector<Tensor>>& outputs, const std::vector<Tensor>& inputs,
                const ProcessGroup& group = {});
/// Reduces inputs[i][j] over all devices i; the device j of all processes, rank by rank, gets the result in its output.
Work reduce_scatter(const std::vector<Tensor>& outputs, const std::vector<std::vector<Tensor>>& inputs,
                    ReduceOp op = ReduceOp::SUM, const ProcessGroup& group = {});
/// As all_gather() into the parts of one contiguous tensor on each device.
Work all_gather_into_tensor(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                            const ProcessGroup& group = {});
/// As reduce_scatter() of the parts of one contiguous tensor on each device.
Work reduce_scatter_tensor(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                           ReduceOp op = ReduceOp::SUM, const ProcessGroup& group = {});
/// outputs[i][j] on device i becomes what device j has for it in its inputs. Between processes, all parts have one
/// number of elements.
Work all_to_all(const std::vector<std::vector<Tensor>>& outputs, const std::vector<std::vector<Tensor>>& inputs,
                const ProcessGroup& group = {});
///@}

}  // namespace d2l::distributed
