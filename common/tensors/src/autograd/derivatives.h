// SPDX-License-Identifier: MIT
// The table of derivatives: one line for each recorded operation, named as PyTorch prints it.
//
// Each is defined in the file of its operation, in a layer above: a derivative is computed by public operations, which
// record by this layer. Only the linker joins the two, so no file includes one of a higher layer.
#pragma once

#include <cstdint>
#include <vector>

#include "d2l/tensor.h"
#include "kernels/operations.h"

namespace d2l::detail {

struct RecordedOperation;

// The derivatives of operations of one and of two tensors are in the table of operations; these are the others.
#define D2L_OTHER_DERIVATIVES(X) \
  X(AddmmBackward0)              \
  X(AsStridedBackward0)          \
  X(BernoulliBackward0)          \
  X(BmmBackward0)                \
  X(CatBackward0)                \
  X(ClampBackward0)              \
  X(ClampBackward1)              \
  X(ClampMaxBackward0)           \
  X(ClampMaxBackward1)           \
  X(ClampMinBackward0)           \
  X(ClampMinBackward1)           \
  X(CloneBackward0)              \
  X(ConvolutionBackward0)        \
  X(CopyBackwards)               \
  X(CopySlices)                  \
  X(CumsumBackward0)             \
  X(CustomFunction)              \
  X(CustomOutput)                \
  X(DiagBackward0)               \
  X(DotBackward0)                \
  X(EluBackward0)                \
  X(EmbeddingBackward0)          \
  X(ExpandBackward0)             \
  X(FillBackward2)               \
  X(FlipBackward0)               \
  X(GatherBackward0)             \
  X(GeluBackward0)               \
  X(Im2ColBackward0)             \
  X(IndexBackward0)              \
  X(IndexPutBackward0)           \
  X(IndexSelectBackward0)        \
  X(LeakyReluBackward0)          \
  X(LogSoftmaxBackward0)         \
  X(LogsumexpBackward0)          \
  X(MaskedFillBackward0)         \
  X(MaskedFillBackward1)         \
  X(MaskedSelectBackward0)       \
  X(MaxBackward0)                \
  X(MaxBackward1)                \
  X(MeanBackward0)               \
  X(MeanBackward1)               \
  X(MinBackward0)                \
  X(MinBackward1)                \
  X(MmBackward0)                 \
  X(MseLossBackward0)            \
  X(MvBackward0)                 \
  X(NativeBatchNormBackward0)    \
  X(NativeLayerNormBackward0)    \
  X(NllLossBackward0)            \
  X(NormBackward1)               \
  X(PermuteBackward0)            \
  X(PowBackward0)                \
  X(PreluKernelBackward0)        \
  X(ProdBackward0)               \
  X(ProdBackward1)               \
  X(RemainderBackward0)          \
  X(RepeatBackward0)             \
  X(ReshapeAliasBackward0)       \
  X(RollBackward0)               \
  X(RoundBackward1)              \
  X(RsubBackward1)               \
  X(SelectBackward0)             \
  X(SiluBackward0)               \
  X(SliceBackward0)              \
  X(SoftmaxBackward0)            \
  X(SoftplusBackward0)           \
  X(SortBackward0)               \
  X(SplitBackward0)              \
  X(SplitWithSizesBackward0)     \
  X(SqueezeBackward0)            \
  X(SqueezeBackward1)            \
  X(SqueezeBackward3)            \
  X(StackBackward0)              \
  X(StdBackward0)                \
  X(SumBackward0)                \
  X(SumBackward1)                \
  X(TBackward0)                  \
  X(ToCopyBackward0)             \
  X(TopkBackward0)               \
  X(TransposeBackward0)          \
  X(TrilBackward0)               \
  X(TriuBackward0)               \
  X(UnbindBackward0)             \
  X(UnfoldBackward0)             \
  X(UnsafeViewBackward0)         \
  X(UnsqueezeBackward0)          \
  X(UpsampleBilinear2DBackward0) \
  X(UpsampleLinear1DBackward0)   \
  X(UpsampleNearest1DBackward0)  \
  X(UpsampleNearest2DBackward0)  \
  X(VarBackward0)                \
  X(ViewBackward0)               \
  X(WhereBackward0)              \
  X(ZeroBackward0)

// Poolings.
#define D2L_POOLING_DERIVATIVES(X) \
  X(AdaptiveAvgPool2DBackward0)    \
  X(AvgPool2DBackward0)            \
  X(MaxPool2DWithIndicesBackward0)
// Further losses.
#define D2L_LOSS_DERIVATIVES(X)            \
  X(BinaryCrossEntropyWithLogitsBackward0) \
  X(HuberLossBackward0)                    \
  X(NllLoss2DBackward0)                    \
  X(SmoothL1LossBackward0)

// All of them: D2L_RECORDED(derivative) for each, which the user defines.
#define D2L_ELEMENTWISE_DERIVATIVE(name, types, flops, derivative, keeps, reference) D2L_RECORDED(derivative)
#define D2L_DERIVATIVES                             \
  D2L_UNARY_OPERATIONS(D2L_ELEMENTWISE_DERIVATIVE)  \
  D2L_BINARY_OPERATIONS(D2L_ELEMENTWISE_DERIVATIVE) \
  D2L_PAIR_OPERATIONS(D2L_ELEMENTWISE_DERIVATIVE)   \
  D2L_POOLING_DERIVATIVES(D2L_RECORDED)             \
  D2L_LOSS_DERIVATIVES(D2L_RECORDED)                \
  D2L_OTHER_DERIVATIVES(D2L_RECORDED)

enum class Recorded : std::uint8_t {
#define D2L_RECORDED(derivative) derivative,
  D2L_DERIVATIVES
#undef D2L_RECORDED
};

/// The gradients of an operation's inputs; undefined where none is wanted.
using Gradients = std::vector<Tensor>;

// A derivative computes the gradients of the inputs from that of the result. A gradient may have a larger shape than
// the input, and another dtype: backward() sums over broadcast dimensions, and converts.
namespace derivatives {
#define D2L_RECORDED(derivative) \
  void derivative(const RecordedOperation& operation, const Tensor& grad, Gradients& results);
D2L_DERIVATIVES
#undef D2L_RECORDED
}  // namespace derivatives

struct Derivative {
  const char* name;
  void (*apply)(const RecordedOperation& operation, const Tensor& grad, Gradients& results);
};

inline constexpr Derivative derivative_table[] = {
#define D2L_RECORDED(derivative) {#derivative, derivatives::derivative},
    D2L_DERIVATIVES
#undef D2L_RECORDED
};

/// The name as PyTorch prints it.
constexpr const char* name_of(Recorded kind) { return derivative_table[static_cast<std::size_t>(kind)].name; }

}  // namespace d2l::detail
