// SPDX-License-Identifier: MIT
// The arguments of kernels: plain data that can wait in a queue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "d2l/dtype.h"
#include "d2l/shape.h"
#include "kernels/operations.h"

namespace d2l::backend {

/// A number of an operation's own dtype: `real` for floating-point kernels, `integer` for the others.
struct Immediate {
  double real = 0;
  std::int64_t integer = 0;
};

/// One array that a kernel reads or writes; a number when `data` is null.
struct Operand {
  void* data = nullptr;
  std::int64_t extent = 0;  ///< bytes from data to the end of the last element that is used
  ScalarType dtype = kFloat;
  Immediate immediate;
  std::array<std::int64_t, max_dimensions>
      strides;  ///< in elements, along `sizes`; 0 where it is broadcast. Only kernels of strided arrays read them
};

/// The operands that a kernel has at most.
inline constexpr std::size_t max_operands = 7;

/// The public operation that an index belongs to. `index` counts negative indices from the end.
enum class IndexUse : std::int8_t { index_select, gather, index, one_hot };

/// How a window moves over an image (height, width), of a convolution or of pooling.
struct Window {
  std::array<std::int64_t, 2> size;      ///< of the window
  std::array<std::int64_t, 2> stride;    ///< from one window to the next
  std::array<std::int64_t, 2> padding;   ///< added on each side
  std::array<std::int64_t, 2> dilation;  ///< from one element of the window to the next
};

/// The arguments of any kernel. operands[0] is the output.
///
/// copy, unary, binary, comparison, choice, fill: out[i] = f(a[i], b[i], …) over the shape sizes[0..rank), with
///   dimensions merged; fill's `a` is a number. The inputs have one dtype; out has it too, or bool for a comparison.
///   The last input of `where` is bool. copy converts between any two dtypes.
/// reduction: sizes = {outer, reduced, inner}; `a` and out (outer, inner) are contiguous. max and min over a dimension
///   write the int64 index of the first extreme element to operand 2. The output of argmax and argmin is that index.
///   var and std divide by the count minus parameters[0].real.
/// random: out contiguous, sizes = {n}; parameters[0].integer the seed, parameters[1].integer the offset.
/// range: out contiguous, sizes = {n}. arange: out[i] = parameters[0] + i × parameters[1]. linspace: n numbers at equal
///   distances, from parameters[0].real to parameters[1].real.
/// product: sizes = {batch, n, k, m}; out (batch, n, m) contiguous; a (batch, n, k) and b (batch, k, m) by
///   strides[0..3). For floating-point numbers out = a × b + beta × out, with beta = parameters[0].real; if beta is 0,
///   out is not read. If parameters[1].integer is not 0, a card may round float32 inputs to TF32.
/// scaled: out[i] = a[i] + parameters[0] × b[i], all contiguous, sizes = {n}; out may be a.
/// softmax: out and inputs contiguous, sizes = {outer, n, inner}, along n. log_softmax(a) and
///   log_softmax_backward(grad, result) = grad - exp(result) × sum(grad); softmax(a) and softmax_backward(grad, result)
///   = result × (grad - sum(grad × result)); out may be an input.
/// indexed: sizes = {outer, n, inner}; operand 2 is an int64 index (outer, inner) of classes; parameters[0].integer is
///   the ignored index. gather: out (outer, inner) = a[o, index, i], or 0 where the index is ignored. Any other index
///   outside [0, n) is an IndexError on the host, before anything is written; on a GPU it is a device-side assertion,
///   which makes the device unusable. scatter: out (outer, n, inner) = a[o, i] at the index, else 0; an index that is
///   ignored or outside writes nothing.
///   take and index_add have sizes = {outer, n, inner, m}. Operand 2 is an int64 index: (m) if parameters[0].integer is
///   not 0, else (outer, m, inner). take: out (outer, m, inner) = a (outer, n, inner) at [o, index, i]. index_add: out
///   (outer, n, inner) is the sum of the elements of a (outer, m, inner) with that index, in their order, or 0. An
///   index outside [0, n) is an error as for gather; parameters[1] = {dimension, IndexUse} are for its message.
/// scan: out and a contiguous, sizes = {outer, n, inner}; along n, each element of out is the sum of a's elements up to
///   it.
/// sort: out (outer, k, inner) and a (outer, n, inner) contiguous, sizes = {outer, n, inner, k}; along n, out has the
///   first k of a's elements in ascending order, or in descending order if parameters[0].integer is not 0, and operand
///   2 their int64 indices. NaN is larger than any number. Equal elements keep their order.
/// band: out and a contiguous, sizes = {outer, n, m}; out is a where column − row is at most (tril) or at least (triu)
///   parameters[0].integer, else 0.
/// pooling: sizes = {planes, height, width, rows, columns}: images (planes, height, width) and windows (planes, rows,
///   columns), all contiguous; `window`, of size 0 if the windows divide the image as evenly as they can. max_pool2d:
///   out is the largest element of each window of the images a, and operand 2 its int64 place in its plane; NaN is the
///   largest. avg_pool2d and adaptive_avg_pool2d: the sum of each window, divided by parameters[1].integer, or, if that
///   is 0, by the count of its elements, with those in the padding if parameters[0].integer is not 0. The gradients
///   read the gradient of the windows, a (and operand 2), and write that of the images, out.
/// optimiser: sizes = {n}, all contiguous: the parameter, its gradient, and the state, which the kernel changes with
/// the
///   parameter. kernels/coefficients.h lists the coefficients.
///   adam_step: the averages of the gradient and of its square, and the largest of the latter if there is an operand 4.
///   rmsprop_step: the average of the square, the average of the gradient if parameters[0].integer is not 0, and the
///   momentum if parameters[1].integer is not 0. adagrad_step: the sum of the squares.
/// normalisation: all contiguous. Statistics are doubles (2, count): the mean, and the factor 1 / √(variance + eps);
///   eps is parameters[0].real. parameters[0].integer has a flag (kernels/normalisation_flags.h) for each optional
///   operand; one that is missing has no place. x̂ = (input − mean) × factor.
///   layer_norm: sizes = {rows, n}. out = x̂ × weight + bias; operands: out, input, statistics of the rows, which it
///   writes, weight (n) and bias (n), both optional. layer_norm_backward: the gradient of input; operands: out, grad,
///   input, statistics, optional weight. layer_norm_parameters: the gradients of weight and of bias; operands: that of
///   weight (n), grad, input, statistics, that of bias (n). layer_norm_gradients: all three; operands: that of input,
///   grad, input, statistics, those of weight and of bias, optional weight.
///   batch_norm…: sizes = {outer, channels, inner}. batch_norm_statistics: operands: the statistics of the channels,
///   input, running mean and running variance (channels), both optional, which move towards those of the input by the
///   share parameters[1].real; the variance is divided by the count less 1. batch_norm_running: sizes = {channels};
///   operands: the statistics that the running mean and variance give. batch_norm: out = x̂ × weight + bias; operands:
///   out, input, statistics, weight (channels) and bias (channels), both optional. batch_norm_sums: operands: doubles
///   (5, channels), grad, input, statistics, optional weight; the rows are Σ grad × x̂, Σ grad, mean, factor and
///   factor × weight. batch_norm_backward: the gradient of input; operands: out, grad, input, these sums;
///   parameters[0].integer is not 0 if the statistics are those of the input.
/// convolution: by `window`; sizes = {images, channels, height, width, outputs, rows, columns}, where outputs are the
///   channels of the result and rows × columns its positions; parameters[0].integer groups. All contiguous, but for the
///   columns of im2col and col2im. Elements of the window outside the image are 0. The input is (images, channels,
///   height, width), the weight (outputs, channels / groups, window), the result (images, outputs, rows, columns).
///   conv2d(input, weight, bias): operand 3 may be missing. conv2d_backward_input(gradient of the result, weight) and
///   conv2d_backward_weight(gradient of the result, input) give the gradients of the input and of the weight.
///   im2col(input): the columns (images, channels × window, rows × columns), the elements that each position
///   multiplies; the operand's strides[0..2) are from one image, and from one row, to the next. col2im(columns): for
///   each element of the input, the sum of its elements in the columns, in their order.
struct KernelArguments {
  int rank = 0;
  int operand_count = 0;
  std::array<std::int64_t, max_dimensions> sizes;
  std::array<Operand, max_operands> operands;
  std::array<Immediate, 2> parameters;
  std::array<double, 7> coefficients;  ///< only kernels of optimisers read them
  Window window;                       ///< only kernels of windows read it
};

/// Where a kernel runs: the CUDA stream, and functions for memory that lasts until the kernel ends.
struct KernelContext {
  void* stream = nullptr;   ///< a cudaStream_t; null on the host
  void* library = nullptr;  ///< a cublasHandle_t; null on the host
  int threads = 1;          ///< how many threads a kernel on the host may use
  void* (*scratch)(const KernelContext&, std::size_t bytes) = nullptr;
  void (*release_scratch)(const KernelContext&, void*) = nullptr;
};

using Kernel = void (*)(const KernelContext&, const KernelArguments&);

/// The kernels of one kind of device: by operation and dtype of the input; null where PyTorch has none.
struct KernelTable {
  std::array<std::array<Kernel, scalar_type_count>, operation_count> kernels{};
  /// copy: from dtype, to dtype.
  std::array<std::array<Kernel, scalar_type_count>, scalar_type_count> copies{};

  [[nodiscard]] Kernel find(Operation operation, const KernelArguments& arguments) const {
    const auto& out = arguments.operands[0];
    if (operation == Operation::copy) {
      return copies[static_cast<std::size_t>(arguments.operands[1].dtype)][static_cast<std::size_t>(out.dtype)];
    }
    const bool by_input = arguments.operand_count > 1;
    return kernels[static_cast<std::size_t>(operation)]
                  [static_cast<std::size_t>(by_input ? arguments.operands[1].dtype : out.dtype)];
  }
};

}  // namespace d2l::backend
