// SPDX-License-Identifier: MIT
/// @file
/// The names of PyTorch that the library does not have, each with what to use in its place: what a call of one of them
/// says when it does not compile, and a table of the page of names. Add a name here if readers try it.
///
/// A name that a public header declares must not be in a list: the test unit.names_page reads both.
#pragma once

// clang-format off

/// Members of Tensor that are free functions as well: name, what to use.
#define D2L_MISSING_OPERATIONS(X)                                                                                     \
  X(acos, "write an autograd::Function that computes it")                                                             \
  X(addmm, "use matmul() and add()")                                                                                  \
  X(amax, "use max() along one dimension, whose first result it is")                                                  \
  X(amin, "use min() along one dimension, whose first result it is")                                                  \
  X(argwhere, "use nonzero()")                                                                                        \
  X(asin, "write an autograd::Function that computes it")                                                             \
  X(atan, "write an autograd::Function that computes it")                                                             \
  X(atan2, "write an autograd::Function that computes it")                                                            \
  X(baddbmm, "use bmm() and add()")                                                                                   \
  X(bincount, "use one_hot() and sum({0})")                                                                           \
  X(bitwise_and, "use logical_and() for bool")                                                                        \
  X(bitwise_not, "use logical_not() for bool")                                                                        \
  X(bitwise_or, "use logical_or() for bool")                                                                          \
  X(bitwise_xor, "use logical_xor() for bool")                                                                        \
  X(cholesky, "there is no decomposition of matrices; use another library for it")                                    \
  X(clip, "use clamp()")                                                                                              \
  X(count_nonzero, "use ne(0) and sum()")                                                                             \
  X(cummax, "use max() of a slice() for each index")                                                                  \
  X(cumprod, "use log(), cumsum() and exp() for positive numbers")                                                    \
  X(det, "there is no decomposition of matrices; use another library for it")                                         \
  X(diagonal, "use diag() for a matrix")                                                                              \
  X(diff, "use the difference of two calls of slice()")                                                               \
  X(erfc, "use 1 - erf()")                                                                                            \
  X(exp2, "use pow(2, x)")                                                                                            \
  X(fmod, "use remainder(), which has the sign of the divisor")                                                       \
  X(histc, "use floor() of the scaled values, one_hot() and sum({0})")                                                \
  X(inner, "use einsum(), or matmul() with the transpose()")                                                          \
  X(inverse, "there is no decomposition of matrices; use another library for it")                                     \
  X(isclose, "use allclose(), or abs() and le() for each element")                                                    \
  X(kthvalue, "use topk() with largest = false")                                                                      \
  X(lerp, "use start + weight * (end - start)")                                                                       \
  X(log10, "use log() / std::log(10)")                                                                                \
  X(log2, "use log() / std::log(2)")                                                                                  \
  X(logaddexp, "use stack() and logsumexp()")                                                                         \
  X(masked_scatter, "use where()")                                                                                    \
  X(median, "use sort() and select() the element in the middle")                                                      \
  X(moveaxis, "use movedim()")                                                                                        \
  X(nan_to_num, "use masked_fill() with isnan()")                                                                     \
  X(nansum, "use masked_fill() with isnan(), and sum()")                                                              \
  X(quantile, "use sort() and select()")                                                                              \
  X(scatter, "use one_hot(), masked_fill() or where(); gather() reads")                                               \
  X(scatter_add, "use one_hot() and matmul()")                                                                        \
  X(sinh, "use (exp() - exp() of the negative) / 2")                                                                  \
  X(cosh, "use (exp() + exp() of the negative) / 2")                                                                  \
  X(stft, "there is no Fourier transform; use another library for it")                                                \
  X(svd, "there is no decomposition of matrices; use another library for it")                                         \
  X(take_along_dim, "use gather()")                                                                                   \
  X(tan, "use sin() / cos()")                                                                                         \
  X(tile, "use repeat()")                                                                                             \
  X(trace, "use einsum(), or diag() and sum()")                                                                       \
  X(trunc, "use floor() of abs(), multiplied by sign()")                                                              \
  X(unique, "use sort(), and compare neighbours with ne()")

/// Members of Tensor alone: name, what to use.
#define D2L_MISSING_MEMBERS(X)                                                                                        \
  X(addcdiv_, "use add_() of a quotient")                                                                             \
  X(addcmul_, "use add_() of a product")                                                                              \
  X(as_strided, "use view(), expand(), slice() and select()")                                                         \
  X(index_add_, "use index_put_() with accumulate = true")                                                            \
  X(index_copy_, "use index_put_()")                                                                                  \
  X(index_fill_, "use index_put_() with a number")                                                                    \
  X(lerp_, "use add_() of the scaled difference")                                                                     \
  X(masked_scatter_, "use where() and copy_()")                                                                       \
  X(new_empty, "use empty() with options()")                                                                          \
  X(new_full, "use full() with options()")                                                                            \
  X(new_ones, "use ones() with options()")                                                                            \
  X(new_tensor, "use tensor() with options()")                                                                        \
  X(new_zeros, "use zeros() with options()")                                                                          \
  X(register_hook, "use an autograd::Function that changes the gradient")                                             \
  X(resize_, "use empty() for a new tensor")                                                                          \
  X(retain_grad, "use autograd::grad() for the gradient of a result")                                                 \
  X(scatter_, "use index_put_(), or where(); gather() reads")                                                         \
  X(scatter_add_, "use index_put_() with accumulate = true")                                                          \
  X(squeeze_, "use squeeze(), which copies no element")                                                               \
  X(toType, "use to() with a dtype")                                                                                  \
  X(transpose_, "use transpose(), which copies no element")                                                           \
  X(unsqueeze_, "use unsqueeze(), which copies no element")

/// Free functions alone: name, what to use.
#define D2L_MISSING_FUNCTIONS(X)                                                                                      \
  X(block_diag, "use zeros() and assign to slice() of it")                                                            \
  X(bucketize, "use ge() with the boundaries, and sum()")                                                             \
  X(cdist, "use the norm() of differences that unsqueeze() makes broadcast")                                          \
  X(column_stack, "use stack() along dimension 1")                                                                    \
  X(concat, "use cat()")                                                                                              \
  X(conv1d, "unsqueeze() a dimension and use nn::Conv2d")                                                             \
  X(conv3d, "only two-dimensional convolutions exist: nn::Conv2d")                                                    \
  X(conv_transpose2d, "there is no transposed convolution: repeat_interleave(), then nn::Conv2d")                     \
  X(cosine_similarity, "use mul(), sum() and norm()")                                                                 \
  X(empty_strided, "use empty() and permute()")                                                                       \
  X(hstack, "use cat() along dimension 1")                                                                            \
  X(kl_div, "use exp(), mul() and sum() of logarithms")                                                               \
  X(logspace, "use pow(10, linspace())")                                                                              \
  X(meshgrid, "use unsqueeze() and expand()")                                                                         \
  X(randint_like, "use randint() with sizes()")                                                                       \
  X(searchsorted, "use ge() with the boundaries, and sum()")                                                          \
  X(std_mean, "use std() and mean()")                                                                                 \
  X(tensordot, "use einsum()")                                                                                        \
  X(tril_indices, "use tril() of ones()")                                                                             \
  X(triu_indices, "use triu() of ones()")                                                                             \
  X(var_mean, "use var() and mean()")                                                                                 \
  X(vstack, "use cat() along dimension 0")

/// Classes in nn, each with a class of options: name, what to use.
#define D2L_MISSING_MODULES(X)                                                                                        \
  X(AdaptiveMaxPool2d, "use AdaptiveAvgPool2d, or MaxPool2d")                                                         \
  X(BCELoss, "use BCEWithLogitsLoss, which takes the input of the sigmoid")                                           \
  X(BatchNorm3d, "use BatchNorm2d for images")                                                                        \
  X(Bilinear, "use einsum(), or Linear and products")                                                                 \
  X(CTCLoss, "there is no loss of alignments; compute one with operations")                                           \
  X(Conv1d, "use Conv2d with a dimension of size 1")                                                                  \
  X(Conv3d, "use Conv2d for images")                                                                                  \
  X(ConvTranspose2d, "use Conv2d")                                                                                    \
  X(CosineSimilarity, "use mul(), sum() and norm()")                                                                  \
  X(Dropout2d, "use Dropout, which zeroes elements, or multiply by a mask with one number per channel")               \
  X(EmbeddingBag, "use Embedding and sum() or mean()")                                                                \
  X(GroupNorm, "use LayerNorm or BatchNorm2d")                                                                        \
  X(Identity, "use a Sequential without layers, or leave the layer out")                                              \
  X(InstanceNorm2d, "use BatchNorm2d or LayerNorm")                                                                   \
  X(KLDivLoss, "use exp(), mul() and sum() of logarithms")                                                            \
  X(ModuleDict, "use ModuleList, or register_module() with names")                                                    \
  X(ParameterList, "use register_parameter() with names")                                                             \
  X(PixelShuffle, "use reshape() and permute()")                                                                      \
  X(ZeroPad2d, "use the padding of Conv2d, or cat() with zeros()")

/// Functions in nn::functional: name, what to use.
#define D2L_MISSING_FUNCTIONAL(X)                                                                                     \
  X(binary_cross_entropy, "use nn::BCEWithLogitsLoss, which takes the input of the sigmoid")                          \
  X(conv1d, "unsqueeze() a dimension and use nn::Conv2d")                                                             \
  X(conv3d, "only two-dimensional convolutions exist: nn::Conv2d")                                                    \
  X(conv_transpose2d, "there is no transposed convolution: repeat_interleave(), then nn::Conv2d")                     \
  X(cosine_similarity, "use mul(), sum() and norm()")                                                                 \
  X(dropout2d, "use dropout(), which zeroes elements")                                                                \
  X(group_norm, "use mean() and var() of groups that reshape() makes")                                                \
  X(kl_div, "use exp(), mul() and sum() of logarithms")                                                               \
  X(multi_head_attention_forward, "use nn::MultiheadAttention, or scaled_dot_product_attention()")                    \
  X(normalize, "use div() by norm() with keepdim")                                                                    \
  X(pad, "use cat() with zeros()")

/// Classes of options in nn::functional: name, what to use.
#define D2L_MISSING_FUNCTIONAL_OPTIONS(X)                                                                              \
  X(BinaryCrossEntropyFuncOptions, "use nn::BCEWithLogitsLoss, which takes the input of the sigmoid")                 \
  X(Conv1dFuncOptions, "unsqueeze() a dimension and use nn::Conv2d")                                                  \
  X(Conv3dFuncOptions, "only two-dimensional convolutions exist: nn::Conv2d")                                         \
  X(ConvTranspose2dFuncOptions, "there is no transposed convolution: repeat_interleave(), then nn::Conv2d")           \
  X(CosineSimilarityFuncOptions, "use mul(), sum() and norm()")                                                       \
  X(Dropout2dFuncOptions, "use dropout(), which zeroes elements")                                                     \
  X(GroupNormFuncOptions, "use mean() and var() of groups that reshape() makes")                                      \
  X(KLDivFuncOptions, "use exp(), mul() and sum() of logarithms")                                                     \
  X(MultiheadAttentionForwardFuncOptions, "use nn::MultiheadAttention, or scaled_dot_product_attention()")            \
  X(NormalizeFuncOptions, "use div() by norm() with keepdim")                                                         \
  X(PadFuncOptions, "use cat() with zeros()")

/// Functions in nn::init: name, what to use.
#define D2L_MISSING_INIT(X)                                                                                           \
  X(dirac_, "use zeros_() and assign ones")                                                                           \
  X(eye_, "use copy_() of eye()")                                                                                     \
  X(orthogonal_, "use xavier_normal_() or kaiming_normal_()")                                                         \
  X(sparse_, "use normal_() and masked_fill_()")                                                                      \
  X(trunc_normal_, "use normal_() and clamp_()")

/// Classes in optim, most of which LibTorch has in Python alone: name, what to use.
#define D2L_MISSING_OPTIMISERS(X)                                                                                     \
  X(Adadelta, "use Adam or RMSprop")                                                                                  \
  X(Adamax, "use Adam")                                                                                               \
  X(CosineAnnealingWarmRestarts, "use CosineAnnealingLR, or derive a class from LRScheduler")                         \
  X(ExponentialLR, "use StepLR with a step_size of 1")                                                                \
  X(LBFGS, "use Adam or SGD")                                                                                         \
  X(LambdaLR, "derive a class from LRScheduler")                                                                      \
  X(LinearLR, "derive a class from LRScheduler")                                                                      \
  X(MultiStepLR, "use StepLR, or derive a class from LRScheduler")                                                    \
  X(NAdam, "use Adam")                                                                                                \
  X(OneCycleLR, "use CosineAnnealingLR, or derive a class from LRScheduler")                                          \
  X(ReduceLROnPlateau, "use StepLR or CosineAnnealingLR")

/// Functions in linalg: name, what to use.
#define D2L_MISSING_LINALG(X)                                                                                         \
  X(cholesky, "there is no decomposition of matrices; use another library for it")                                    \
  X(det, "there is no decomposition of matrices; use another library for it")                                         \
  X(eigh, "there is no decomposition of matrices; use another library for it")                                        \
  X(inv, "there is no decomposition of matrices; use another library for it")                                         \
  X(norm, "use norm() of the tensor")                                                                                 \
  X(qr, "there is no decomposition of matrices; use another library for it")                                          \
  X(solve, "there is no decomposition of matrices; use another library for it")                                       \
  X(svd, "there is no decomposition of matrices; use another library for it")

/// Operators of two tensors: symbol, what to use.
#define D2L_MISSING_BINARY_OPERATORS(X)                                                                                \
  X(&, "use logical_and() for bool")                                                                                  \
  X(|, "use logical_or() for bool")                                                                                   \
  X(^, "use logical_xor() for bool")

/// Constants of dtypes: name, what to use.
#define D2L_MISSING_DTYPES(X)                                                                                         \
  X(kComplexFloat, "floating-point dtypes are kHalf, kBFloat16, kFloat and kDouble")
// clang-format on
