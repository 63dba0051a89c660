// SPDX-License-Identifier: MIT
// The table of derivatives: one line a recorded operation, named as PyTorch prints it.
#pragma once

#include <cstdint>
#include <vector>

#include "d2l/tensor.h"

namespace d2l::detail {

struct RecordedOperation;

#define D2L_DERIVATIVES(X) \
  X(AbsBackward0)          \
  X(AddBackward0)          \
  X(AddmmBackward0)        \
  X(AsStridedBackward0)    \
  X(CatBackward0)          \
  X(CloneBackward0)        \
  X(CopyBackwards)         \
  X(CopySlices)            \
  X(DivBackward0)          \
  X(DotBackward0)          \
  X(ExpBackward0)          \
  X(ExpandBackward0)       \
  X(FillBackward2)         \
  X(LogBackward0)          \
  X(LogSoftmaxBackward0)   \
  X(MaxBackward0)          \
  X(MaxBackward1)          \
  X(MeanBackward0)         \
  X(MeanBackward1)         \
  X(MinBackward0)          \
  X(MinBackward1)          \
  X(MmBackward0)           \
  X(MseLossBackward0)      \
  X(MulBackward0)          \
  X(MvBackward0)           \
  X(NegBackward0)          \
  X(NllLossBackward0)      \
  X(NormBackward1)         \
  X(PermuteBackward0)      \
  X(PowBackward0)          \
  X(PowBackward1)          \
  X(ReciprocalBackward0)   \
  X(ReluBackward0)         \
  X(ReshapeAliasBackward0) \
  X(RsubBackward1)         \
  X(SelectBackward0)       \
  X(SigmoidBackward0)      \
  X(SliceBackward0)        \
  X(SqrtBackward0)         \
  X(SqueezeBackward0)      \
  X(SqueezeBackward1)      \
  X(SqueezeBackward3)      \
  X(StackBackward0)        \
  X(SubBackward0)          \
  X(SumBackward0)          \
  X(SumBackward1)          \
  X(TBackward0)            \
  X(TanhBackward0)         \
  X(ToCopyBackward0)       \
  X(TransposeBackward0)    \
  X(UnsafeViewBackward0)   \
  X(UnsqueezeBackward0)    \
  X(ViewBackward0)         \
  X(ZeroBackward0)

enum class Recorded : std::uint8_t {
#define D2L_NAME(name) name,
  D2L_DERIVATIVES(D2L_NAME)
#undef D2L_NAME
};

/// The gradients of an operation's inputs; undefined where none is wanted.
using Gradients = std::vector<Tensor>;

// A derivative computes the gradients of the inputs from that of the result. It may give one of a larger shape, or of
// another dtype, than the input: backward() sums over what was broadcast, and converts.
namespace derivatives {
#define D2L_DECLARE(name) void name(const RecordedOperation& operation, const Tensor& grad, Gradients& results);
D2L_DERIVATIVES(D2L_DECLARE)
#undef D2L_DECLARE
}  // namespace derivatives

struct Derivative {
  const char* name;
  void (*apply)(const RecordedOperation& operation, const Tensor& grad, Gradients& results);
};

inline constexpr Derivative derivative_table[] = {
#define D2L_ENTRY(name) {#name, derivatives::name},
    D2L_DERIVATIVES(D2L_ENTRY)
#undef D2L_ENTRY
};

/// As PyTorch prints it.
constexpr const char* name_of(Recorded kind) { return derivative_table[static_cast<std::size_t>(kind)].name; }

}  // namespace d2l::detail
