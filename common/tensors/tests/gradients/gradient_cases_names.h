// SPDX-License-Identifier: MIT
// Cases of derivatives: indices, windows, einsum, slopes, other sizes of images, recurrent layers and attention.
#pragma once

#include <vector>

#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {

/// A layer of float64 with small parameters, for a function of its input.
template <class Holder>
Holder small(const Holder& layer, Device device) {
  manual_seed(5);
  for (const Tensor& parameter : layer->parameters()) nn::init::uniform_(parameter, -0.7, 0.7);
  layer->to(device, kDouble);
  return layer;
}

inline std::vector<Case> index_cases() {
  using indexing::Slice;
  const Input x{{2, 3, 4}};
  const Input turned{{2, 3, 4}, any, reversed};
  const auto on = [](const Tensors& t, const TensorData& data) { return tensor(data).to(t[0].device()); };
  return {
      {"IndexBackward0",
       "one in the middle",
       {turned},
       [on](const Tensors& t) {
         return t[0].index({Slice(), on(t, {2, 0, 2})});
       }},
      {"IndexBackward0",
       "two apart",
       {x},
       [on](const Tensors& t) {
         return t[0].index({on(t, {1, 0, 1}), Slice(1), on(t, {-1, 0, 3})});
       }},
      {"IndexBackward0",
       "a mask and a range",
       {turned},
       [on](const Tensors& t) {
         return t[0].index({on(t, {{true, false, true}, {false, true, true}}), Slice(0, 3, 2)});
       }},
      {"SliceBackward0",
       "numbers and ranges",
       {x},
       [](const Tensors& t) {
         return t[0].index({1, Slice(0, 2), indexing::None, "..."});
       }},
      {"IndexPutBackward0",
       "values",
       {turned, {{2, 4}, any, strided}},
       [on](const Tensors& t) {
         Tensor y = t[0] * 2;
         return y.index_put_({on(t, {1, 0}), on(t, {2, 0})}, t[1]) * y;
       }},
      {"IndexPutBackward0",
       "a broadcast value, added at one place twice",
       {x, {{4}}},
       [on](const Tensors& t) {
         return (t[0] * 2).index_put_({on(t, {1, 1})}, t[1], true);
       }},
      {"IndexPutBackward0",
       "into a view",
       {x, {{2}}},
       [on](const Tensors& t) {
         Tensor y = t[0] * 2;
         y.index_put_({0, on(t, {2, 0}), 1}, t[1]);
         return y;
       }},
      {"CopySlices",
       "a part that a list names",
       {x, {{2, 4}}},
       [](const Tensors& t) {
         Tensor y = t[0] * 2;
         y.index_put_({Slice(), 1}, t[1]);
         return y;
       }},
      {"UnbindBackward0",
       "",
       {turned},
       [](const Tensors& t) {
         const auto parts = t[0].unbind(1);
         return parts[0] * parts[2];
       }},
      {"UnfoldBackward0", "overlapping", {turned}, [](const Tensors& t) { return t[0].unfold(1, 2, 1); }},
      {"UnfoldBackward0", "apart", {x}, [](const Tensors& t) { return t[0].unfold(-1, 1, 3); }},
      {"UnfoldBackward0", "no dimension", {{{}}}, [](const Tensors& t) { return t[0].unfold(0, 1, 1); }},
      {"TransposeBackward0", "swapped", {x}, [](const Tensors& t) { return t[0].swapaxes(0, 2); }},
      {"PermuteBackward0",
       "einsum",
       {turned, {{3, 2}, any, strided}},
       [](const Tensors& t) {
         return einsum("bij,ik->kbj", {t[0], t[1]});
       }},
      {"BmmBackward0",
       "einsum of three",
       {{{2, 3}}, {{3, 4}}, {{4, 2}, any, reversed}},
       [](const Tensors& t) {
         return einsum("ij,jk,kl->", {t[0], t[1], t[2]});
       }},
      {"MulBackward0",
       "einsum that broadcasts",
       {{{2, 1, 3}}, {{4, 3}}},
       [](const Tensors& t) {
         return einsum("...i,ji->...ij", {t[0], t[1]});
       }},
      {"SumBackward1",
       "einsum of a diagonal",
       {{{3, 3, 2}}},
       [](const Tensors& t) { return einsum("iij->j", {t[0]}); }},
  };
}

inline std::vector<Case> image_cases() {
  const Input images{{2, 2, 3, 4}};
  const Input turned{{1, 2, 4, 3}, any, reversed};
  const Input line{{2, 1, 5}};
  return {
      {"Im2ColBackward0", "", {images}, [](const Tensors& t) { return im2col(t[0], 2, 1, 0, 1); }},
      {"Im2ColBackward0",
       "dilated, padded, with a stride",
       {turned},
       [](const Tensors& t) {
         return im2col(t[0], {2, 1}, {2, 1}, {1, 1}, {1, 2});
       }},
      {"UpsampleNearest1DBackward0", "", {line}, [](const Tensors& t) { return upsample_nearest1d(t[0], {8}); }},
      {"UpsampleNearest2DBackward0",
       "",
       {turned},
       [](const Tensors& t) {
         return upsample_nearest2d(t[0], {2, 7});
       }},
      {"UpsampleLinear1DBackward0", "", {line}, [](const Tensors& t) { return upsample_linear1d(t[0], {7}, false); }},
      {"UpsampleBilinear2DBackward0",
       "",
       {turned},
       [](const Tensors& t) {
         return upsample_bilinear2d(t[0], {3, 7}, false);
       }},
      {"UpsampleBilinear2DBackward0",
       "corners",
       {images},
       [](const Tensors& t) {
         return upsample_bilinear2d(t[0], {5, 2}, true);
       }},
      {"PreluKernelBackward0",
       "one slope",
       {{{2, 3}, away_from_zero}, {{1}}},
       [](const Tensors& t) { return prelu(t[0], t[1]); }},
      {"PreluKernelBackward0",
       "channels",
       {{{2, 3, 2}, away_from_zero, reversed}, {{3}}},
       [](const Tensors& t) { return prelu(t[0], t[1]); }},
      {"RsqrtBackward0",
       "rms_norm",
       {{{2, 3, 4}, any, reversed}, {{3, 4}}},
       [](const Tensors& t) {
         return rms_norm(t[0], {3, 4}, t[1], 0.1);
       }},
  };
}

inline std::vector<Case> sequence_cases() {
  const Input x{{3, 2, 4}};
  return {
      {"TanhBackward0",
       "RNN",
       {x},
       [](const Tensors& t) {
         return std::get<0>(small(nn::RNN(nn::RNNOptions(4, 3).bidirectional(true)), t[0].device())->forward(t[0]));
       }},
      {"SigmoidBackward0",
       "GRU",
       {x, {{2, 2, 3}}},
       [](const Tensors& t) {
         return std::get<1>(small(nn::GRU(nn::GRUOptions(4, 3).num_layers(2)), t[0].device())->forward(t[0], t[1]));
       }},
      {"SigmoidBackward0",
       "LSTM",
       {x},
       [](const Tensors& t) {
         const auto [output, states] = small(nn::LSTM(nn::LSTMOptions(4, 3)), t[0].device())->forward(t[0]);
         return output * std::get<1>(states);
       }},
      {"SoftmaxBackward0",
       "MultiheadAttention",
       {x, {{2, 2, 4}}},
       [](const Tensors& t) {
         return std::get<0>(small(nn::MultiheadAttention(4, 2), t[0].device())->forward(t[0], t[1], t[1]));
       }},
      {"NativeLayerNormBackward0",
       "TransformerDecoderLayer",
       {x, {{2, 2, 4}}},
       [](const Tensors& t) {
         const auto options = nn::TransformerDecoderLayerOptions(4, 2).dim_feedforward(3).dropout(0).activation(kGELU);
         return small(nn::TransformerDecoderLayer(options), t[0].device())->forward(t[0], t[1]);
       }},
      {"BernoulliBackward0",
       "",
       {x},
       [](const Tensors& t) {
         manual_seed(3);
         return t[0].sigmoid().bernoulli();
       }},
      {"MulBackward0",
       "checkpoint of one result",
       {x, {{4}}},
       [](const Tensors& t) {
         return t[0] *
                utils::checkpoint([](const Tensor& a, const Tensor& b) { return (a * b).tanh() * a; }, t[0], t[1]);
       }},
      {"MulBackward0",
       "checkpoint of two results",
       {x},
       [](const Tensors& t) {
         const auto parts = utils::checkpoint(
             [](const Tensor& a) {
               return std::vector<Tensor>{a.exp(), a * a};
             },
             t[0] * 2);
         return parts[0] * parts[1];
       }},
  };
}

inline std::vector<Case> name_cases() {
  std::vector<Case> all = index_cases();
  for (const auto& some : {image_cases(), sequence_cases()}) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace d2l::testing::gradients
