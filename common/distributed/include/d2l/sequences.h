// SPDX-License-Identifier: MIT
/// @file
/// Helpers of the book Dive into Deep Learning for sequences: Vocab and masked_softmax().
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

/// eˣ / Σ eˣ along the last dimension of scores (batch, queries, keys), where only the first `valid_lens` keys take
/// part: one length for each sequence (batch), or for each query (batch, queries); all keys if it is undefined. The
/// others get 0, or, where no key takes part, all the same weight. ShapeError for other shapes, errors as softmax().
Tensor masked_softmax(const Tensor& scores, const Tensor& valid_lens = {});

/// Tokens by number: "<unk>", the reserved ones, and those that occur at least `min_freq` times, in alphabetical order.
class Vocab {
 public:
  /// The tokens of a text, each as often as it occurs there.
  explicit Vocab(const std::vector<std::string>& tokens = {}, std::int64_t min_freq = 0,
                 const std::vector<std::string>& reserved_tokens = {});

  /// The number of different tokens.
  [[nodiscard]] std::size_t size() const noexcept { return idx_to_token_.size(); }
  ///@{
  /// The number of a token, or of each; unk() for one that is not in the vocabulary.
  [[nodiscard]] std::int64_t operator[](const std::string& token) const;
  [[nodiscard]] std::vector<std::int64_t> operator[](const std::vector<std::string>& tokens) const;
  ///@}
  ///@{
  /// The token of a number, or of each; IndexError for a number that no token has.
  [[nodiscard]] const std::string& to_tokens(std::int64_t index) const;
  [[nodiscard]] std::vector<std::string> to_tokens(const std::vector<std::int64_t>& indices) const;
  ///@}
  /// The number of "<unk>".
  [[nodiscard]] std::int64_t unk() const { return (*this)["<unk>"]; }
  /// The tokens of the text with their counts, the most frequent one first; equal ones as they first occur.
  [[nodiscard]] const std::vector<std::pair<std::string, std::int64_t>>& token_freqs() const noexcept {
    return token_freqs_;
  }
  /// The tokens by their number.
  [[nodiscard]] const std::vector<std::string>& idx_to_token() const noexcept { return idx_to_token_; }

 private:
  std::vector<std::pair<std::string, std::int64_t>> token_freqs_;
  std::vector<std::string> idx_to_token_;
  std::map<std::string, std::int64_t, std::less<>> token_to_idx_;
};

}  // namespace d2l
