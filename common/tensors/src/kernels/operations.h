// SPDX-License-Identifier: MIT
// The table of operations: one line each, and the only place that lists them. docs/pages/add_an_operation.md explains
// it.
//
// The table generates the enum Operation, the registration of kernels, the rules of dtypes, the records for gradients,
// the members of Tensor, and the lists of the tests.
#pragma once

#include <cmath>
#include <cstdint>

#include "d2l/dtype.h"

namespace d2l::backend {

/// How an operation's arguments, KernelArguments, are laid out. A kernel costs the bytes of every element that it reads
/// or writes, each element once.
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
///   = result × (grad - sum(grad × result)); safe_softmax(a) is softmax, but 0 where all of a line is −∞; out may be an
///   input.
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
enum class OperationKind : std::int8_t {
  unary,
  binary,
  comparison,
  choice,
  copy,
  fill,
  reduction,
  random,
  range,
  product,
  scaled,
  softmax,
  indexed,
  optimiser,
  scan,
  sort,
  band,
  pooling,
  normalisation,
  convolution
};

/// The dtypes that an operation has kernels for, on every device. Those of float16 and bfloat16 are those of float32,
/// with conversions before and after: see kernels/widened.
enum class Types : std::int8_t {
  real,       ///< floating point; a public elementwise operation converts other dtypes to float32 first
  fractions,  ///< these; a public elementwise operation copies integers, and refuses bool with a TypeError
  numbers,    ///< floating point and the integers; a public elementwise operation refuses bool with a TypeError
  all,        ///< these and bool
  truths      ///< bool; a public elementwise operation converts other dtypes first: true is "not zero"
};
constexpr bool contains(Types types, ScalarType type) {
  if (types == Types::truths) return type == kBool;
  return types == Types::all || isFloatingType(type) || (types == Types::numbers && type != kBool);
}

/// What an elementwise operation keeps for its derivative: flags. Its inputs are a and b.
namespace keep {
enum Keep : std::uint8_t {
  nothing = 0,
  a = 1,
  b = 2,
  result = 4,
  a_if_b = 8,   ///< a, if b wants a gradient
  b_if_a = 16,  ///< b, if a wants a gradient
  b_if_b = 32   ///< b, if b wants a gradient
};
}  // namespace keep

// The flops are floating-point operations per element of the result. The reference is what the tests compare kernels
// with: an expression of the inputs x and y (and z and w), which have the type R: 128-bit numbers in place of integers
// and bools.

// Public operations of one tensor: name, dtypes, flops, derivative as PyTorch prints it, what it keeps, reference.
#define D2L_UNARY_OPERATIONS(X)                                               \
  X(neg, numbers, 1, NegBackward0, keep::nothing, -x)                         \
  X(abs, numbers, 1, AbsBackward0, keep::a, x < 0 ? -x : x)                   \
  X(sqrt, real, 1, SqrtBackward0, keep::result, std::sqrt(x))                 \
  X(exp, real, 1, ExpBackward0, keep::result, std::exp(x))                    \
  X(log, real, 1, LogBackward0, keep::a, std::log(x))                         \
  X(relu, numbers, 1, ReluBackward0, keep::result, x > 0 ? x : 0)             \
  X(sigmoid, real, 3, SigmoidBackward0, keep::result, 1 / (1 + std::exp(-x))) \
  X(tanh, real, 1, TanhBackward0, keep::result, std::tanh(x))                 \
  X(sin, real, 1, SinBackward0, keep::a, std::sin(x))                         \
  X(cos, real, 1, CosBackward0, keep::a, std::cos(x))                         \
  X(floor, fractions, 1, FloorBackward0, keep::nothing, std::floor(x))        \
  X(ceil, fractions, 1, CeilBackward0, keep::nothing, std::ceil(x))           \
  X(round, fractions, 1, RoundBackward0, keep::nothing, std::nearbyint(x))    \
  X(sign, all, 1, SignBackward0, keep::nothing, (x > 0) - (x < 0))            \
  X(reciprocal, real, 1, ReciprocalBackward0, keep::result, 1 / x)            \
  X(rsqrt, real, 2, RsqrtBackward0, keep::result, 1 / std::sqrt(x))           \
  X(erf, real, 1, ErfBackward0, keep::a, std::erf(x))                         \
  X(log1p, real, 1, Log1PBackward0, keep::a, std::log1p(x))                   \
  X(expm1, real, 1, Expm1Backward0, keep::result, std::expm1(x))

// Public operations of two tensors, or of a tensor and a number: the same columns.
#define D2L_BINARY_OPERATIONS(X)                                                           \
  X(add, all, 1, AddBackward0, keep::nothing, x + y)                                       \
  X(sub, numbers, 1, SubBackward0, keep::nothing, x - y)                                   \
  X(mul, all, 1, MulBackward0, keep::a_if_b | keep::b_if_a, x * y)                         \
  X(div, real, 1, DivBackward0, keep::a_if_b | keep::b, x / y)                             \
  X(pow, numbers, 1, PowBackward1, keep::a | keep::b | keep::result, power(x, y))          \
  X(remainder, numbers, 2, RemainderBackward1, keep::a_if_b | keep::b_if_b, modulus(x, y)) \
  X(floor_divide, numbers, 2, NotImplemented, keep::nothing, floored_quotient(x, y))

// Public operations of two tensors that take no number and have no form in place: the same columns.
#define D2L_PAIR_OPERATIONS(X)                                           \
  X(maximum, all, 1, MaximumBackward0, keep::a | keep::b, x > y ? x : y) \
  X(minimum, all, 1, MinimumBackward0, keep::a | keep::b, y < x ? y : x)

// Public comparisons, of all dtypes, with a bool result and without a derivative: name, reference.
#define D2L_COMPARISONS(X) \
  X(eq, x == y)            \
  X(ne, x != y)            \
  X(lt, x < y)             \
  X(le, x <= y)            \
  X(gt, x > y)             \
  X(ge, x >= y)

// Public operations of two tensors as truth values, with a bool result and without a derivative: name, reference.
#define D2L_LOGICAL_OPERATIONS(X)  \
  X(logical_and, x != 0 && y != 0) \
  X(logical_or, x != 0 || y != 0)  \
  X(logical_xor, (x != 0) != (y != 0))

// Elementwise operations on real numbers that other functions use: the activations, derivatives and losses. Name, kind,
// flops, reference.
#define D2L_INTERNAL_OPERATIONS(X)                                                                            \
  X(squared_difference, binary, 2, (x - y) * (x - y))                                                         \
  X(div_or_zero, binary, 1, y == 0 ? 0 : x / y)                                                               \
  X(power_log, binary, 2, y == 0 ? 0 : x * std::log(y))                                                       \
  X(relu_backward, binary, 1, y > 0 ? x : 0)                                                                  \
  X(sigmoid_backward, binary, 3, x*(1 - y) * y)                                                               \
  X(tanh_backward, binary, 3, x*(1 - y * y))                                                                  \
  X(round_decimals, binary, 3, rounded(x, y)) /* y: the power of ten, negative for digits before the point */ \
  X(gelu, unary, 5, gaussian_unit(x))                                                                         \
  X(gelu_backward, binary, 10, gaussian_slope(y) * x)                                                         \
  X(gelu_tanh, unary, 9, tanh_unit(x))                                                                        \
  X(gelu_tanh_backward, binary, 17, tanh_slope(y) * x)                                                        \
  X(silu, unary, 4, x / (1 + std::exp(-x)))                                                                   \
  X(silu_backward, binary, 8, sigmoid_slope(y) * x)                                                           \
  X(leaky_relu, binary, 1, x > 0 ? x : x * y)      /* y: the slope */                                         \
  X(elu, binary, 2, x < 0 ? std::expm1(x) * y : x) /* y: alpha */

// Elementwise operations of more inputs, each an array or a number: name, dtypes, inputs, flops, reference. The last
// input of where is bool.
#define D2L_CHOICE_OPERATIONS(X)                                                                                   \
  X(where, all, 3, 1, z != 0 ? x : y)                                                                              \
  X(clamp, numbers, 3, 2, clamped(x, y, z))                       /* y, z: the bounds */                           \
  X(extreme_backward, real, 3, 2, y > z ? x : y == z ? x / 2 : 0) /* the gradient of the larger of y and z by y */ \
  X(leaky_relu_backward, real, 3, 1, y > 0 ? x : x * z)           /* z: the slope */                               \
  X(elu_backward, real, 3, 3, y <= 0 ? x * z * std::exp(y) : x)   /* z: alpha */                                   \
  X(softplus, real, 3, 4, (x * y) > z ? x : std::log1p(std::exp(x * y)) / y) /* y: beta, z: the threshold */       \
  X(softplus_backward, real, 4, 5, softplus_slope(x, y, z, w))               /* z: beta, w: the threshold */       \
  X(huber, real, 4, 5, huber_of(x, y, z, w))                                 /* z: delta, w: a divisor */          \
  X(logits_cross_entropy, real, 3, 10, logits_cross_entropy_of(x, y, z))     /* z: the weight of positive targets */

// Operations on whole arrays: name, kind, dtypes, flops (of a product: per multiply-add), the test with the reference.
// Their derivatives depend on their arguments; see autograd/derivatives.h.
#define D2L_ARRAY_OPERATIONS(X)                                                             \
  X(copy, copy, all, 0, "Kernels.CopiesConvertBetweenAllDtypes")                            \
  X(fill, fill, all, 0, "Kernels.ANumberStandsOnEitherSide")                                \
  X(sum, reduction, all, 1, "KernelReductions.SumMeanAndNormAreAccurate")                   \
  X(mean, reduction, real, 1, "KernelReductions.SumMeanAndNormAreAccurate")                 \
  X(norm, reduction, real, 2, "KernelReductions.SumMeanAndNormAreAccurate")                 \
  X(max, reduction, all, 1, "KernelReductions.ExtremesAndTheirFirstIndices")                \
  X(min, reduction, all, 1, "KernelReductions.ExtremesAndTheirFirstIndices")                \
  X(argmax, reduction, numbers, 1, "KernelReductions.ExtremesAndTheirFirstIndices")         \
  X(argmin, reduction, numbers, 1, "KernelReductions.ExtremesAndTheirFirstIndices")         \
  X(prod, reduction, all, 1, "StatisticsKernels.ProductsAndVariances")                      \
  X(var, reduction, real, 5, "StatisticsKernels.ProductsAndVariances")                      \
  X(std, reduction, real, 5, "StatisticsKernels.ProductsAndVariances")                      \
  X(logsumexp, reduction, real, 3, "StatisticsKernels.LogarithmsOfSums")                    \
  X(rand, random, real, 1, "Random.UniformFloatsAreTheUpperBitsOfThatVector")               \
  X(randn, random, real, 10, "Random.Moments")                                              \
  X(arange, range, numbers, 2, "Ranges.AreComputedFromTheStart")                            \
  X(linspace, range, numbers, 2, "Sequences.Linspace")                                      \
  X(matmul, product, numbers, 2, "KernelProducts.EveryDtypeAndLayout")                      \
  X(add_scaled, scaled, numbers, 2, "TrainingKernels.AScaledSumIsRoundedOnce")              \
  X(log_softmax, softmax, real, 4, "TrainingKernels.LogSoftmaxAndItsGradient")              \
  X(log_softmax_backward, softmax, real, 4, "TrainingKernels.LogSoftmaxAndItsGradient")     \
  X(softmax, softmax, real, 4, "SoftmaxKernels.SoftmaxAndItsGradient")                      \
  X(safe_softmax, softmax, real, 4, "SoftmaxKernels.TheSafeOneIs0InLinesOfMinusInfinity")   \
  X(softmax_backward, softmax, real, 4, "SoftmaxKernels.SoftmaxAndItsGradient")             \
  X(gather, indexed, real, 0, "TrainingKernels.ClassesAreGatheredAndScattered")             \
  X(scatter, indexed, real, 0, "TrainingKernels.ClassesAreGatheredAndScattered")            \
  X(take, indexed, all, 0, "PlaceKernels.TakeAndAdd")                                       \
  X(index_add, indexed, numbers, 1, "PlaceKernels.TakeAndAdd")                              \
  X(cumsum, scan, all, 1, "PlaceKernels.SumsUpToEachElement")                               \
  X(sort, sort, all, 0, "PlaceKernels.SortsAreStable")                                      \
  X(tril, band, all, 0, "PlaceKernels.Triangles")                                           \
  X(triu, band, all, 0, "PlaceKernels.Triangles")                                           \
  X(adam_step, optimiser, real, 14, "OptimiserKernels.AdamFollowsItsFormula")               \
  X(rmsprop_step, optimiser, real, 9, "OptimiserKernels.RMSpropFollowsItsFormula")          \
  X(adagrad_step, optimiser, real, 7, "OptimiserKernels.AdagradFollowsItsFormula")          \
  /* Poolings: the flops are per element of a window. */                                    \
  X(max_pool2d, pooling, numbers, 1, "PoolingKernels.FollowTheirDefinition")                \
  X(max_pool2d_backward, pooling, real, 1, "PoolingKernels.FollowTheirDefinition")          \
  X(avg_pool2d, pooling, numbers, 1, "PoolingKernels.FollowTheirDefinition")                \
  X(avg_pool2d_backward, pooling, real, 1, "PoolingKernels.FollowTheirDefinition")          \
  X(adaptive_avg_pool2d, pooling, real, 1, "PoolingKernels.FollowTheirDefinition")          \
  X(adaptive_avg_pool2d_backward, pooling, real, 1, "PoolingKernels.FollowTheirDefinition") \
  X(layer_norm, normalisation, real, 8, "NormalisationKernels.LayerNorm")                   \
  X(layer_norm_backward, normalisation, real, 11, "NormalisationKernels.LayerNorm")         \
  X(layer_norm_parameters, normalisation, real, 5, "NormalisationKernels.LayerNorm")        \
  X(layer_norm_gradients, normalisation, real, 16, "NormalisationKernels.LayerNorm")        \
  X(batch_norm_statistics, normalisation, real, 4, "NormalisationKernels.BatchNorm")        \
  X(batch_norm_running, normalisation, real, 3, "NormalisationKernels.BatchNorm")           \
  X(batch_norm, normalisation, real, 3, "NormalisationKernels.BatchNorm")                   \
  X(batch_norm_sums, normalisation, real, 5, "NormalisationKernels.BatchNorm")              \
  X(batch_norm_backward, normalisation, real, 6, "NormalisationKernels.BatchNorm")          \
  X(conv2d, convolution, real, 2, "ConvolutionKernels.AgreeWithSums")                       \
  X(conv2d_backward_input, convolution, real, 2, "ConvolutionKernels.AgreeWithSums")        \
  X(conv2d_backward_weight, convolution, real, 2, "ConvolutionKernels.AgreeWithSums")       \
  X(im2col, convolution, real, 0, "ConvolutionKernels.ColumnsAndTheirSums")                 \
  X(col2im, convolution, real, 1, "ConvolutionKernels.ColumnsAndTheirSums")

// All of them; X gets at least the name.
#define D2L_OPERATIONS(X)    \
  D2L_UNARY_OPERATIONS(X)    \
  D2L_BINARY_OPERATIONS(X)   \
  D2L_PAIR_OPERATIONS(X)     \
  D2L_COMPARISONS(X)         \
  D2L_LOGICAL_OPERATIONS(X)  \
  D2L_INTERNAL_OPERATIONS(X) \
  D2L_CHOICE_OPERATIONS(X)   \
  D2L_ARRAY_OPERATIONS(X)

enum class Operation : std::int8_t {
#define D2L_NAME(name, ...) name,
  D2L_OPERATIONS(D2L_NAME)
#undef D2L_NAME
};

struct OperationInfo {
  const char* name;
  OperationKind kind;
  Types types;
  int flops;
  int keeps;  ///< flags of keep::Keep
};

// clang-format off
inline constexpr OperationInfo operation_table[] = {
#define D2L_UNARY(name, types, flops, derivative, keeps, reference) \
  {#name, OperationKind::unary, Types::types, flops, keeps},
#define D2L_BINARY(name, types, flops, derivative, keeps, reference) \
  {#name, OperationKind::binary, Types::types, flops, keeps},
#define D2L_COMPARISON(name, reference) {#name, OperationKind::comparison, Types::all, 1, keep::nothing},
#define D2L_LOGICAL(name, reference) {#name, OperationKind::binary, Types::truths, 1, keep::nothing},
#define D2L_CHOICE(name, types, inputs, flops, reference) \
  {#name, OperationKind::choice, Types::types, flops, keep::nothing},
#define D2L_INTERNAL(name, kind, flops, reference) {#name, OperationKind::kind, Types::real, flops, keep::nothing},
#define D2L_ARRAY(name, kind, types, flops, test) {#name, OperationKind::kind, Types::types, flops, keep::nothing},
  D2L_UNARY_OPERATIONS(D2L_UNARY)
  D2L_BINARY_OPERATIONS(D2L_BINARY)
  D2L_PAIR_OPERATIONS(D2L_BINARY)
  D2L_COMPARISONS(D2L_COMPARISON)
  D2L_LOGICAL_OPERATIONS(D2L_LOGICAL)
  D2L_INTERNAL_OPERATIONS(D2L_INTERNAL)
  D2L_CHOICE_OPERATIONS(D2L_CHOICE)
  D2L_ARRAY_OPERATIONS(D2L_ARRAY)
#undef D2L_UNARY
#undef D2L_BINARY
#undef D2L_COMPARISON
#undef D2L_LOGICAL
#undef D2L_CHOICE
#undef D2L_INTERNAL
#undef D2L_ARRAY
};
// clang-format on
inline constexpr int operation_count = static_cast<int>(sizeof(operation_table) / sizeof(operation_table[0]));

constexpr const OperationInfo& info(Operation operation) { return operation_table[static_cast<int>(operation)]; }

}  // namespace d2l::backend
