// SPDX-License-Identifier: MIT
#include "d2l/sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/ops.h"

namespace d2l {

namespace {

/// What a score becomes that does not take part; the book's number.
constexpr double masked_out = -1e6;

}  // namespace

Tensor masked_softmax(const Tensor& scores, const Tensor& valid_lens) {
  const auto& impl = detail::impl_of(scores, "masked_softmax");
  if (!valid_lens.defined()) return scores.softmax(-1);
  const auto& lengths = detail::impl_of(valid_lens, "masked_softmax");
  const bool one_each = lengths.sizes.count == 1;
  bool fits = impl.sizes.count == 3 && (one_each || lengths.sizes.count == 2);
  for (int i = 0; fits && i < lengths.sizes.count; ++i) fits = lengths.sizes[i] == impl.sizes[i];
  if (!fits) {
    detail::fail<ShapeError>("masked_softmax",
                             "lengths are (batch) or (batch, queries) for scores (batch, queries, keys)",
                             detail::operands({{"scores", &impl}, {"valid_lens", &lengths}}),
                             "give a length for each sequence, or for each query");
  }
  const Tensor places = arange(scores.size(2), TensorOptions(kLong).device(scores.device()));
  const Tensor ends = one_each ? valid_lens.view({-1, 1, 1}) : valid_lens.unsqueeze(2);
  return scores.masked_fill(places.ge(ends), masked_out).softmax(-1);
}

Vocab::Vocab(const std::vector<std::string>& tokens, std::int64_t min_freq,
             const std::vector<std::string>& reserved_tokens) {
  std::map<std::string, std::size_t, std::less<>> places;
  for (const std::string& token : tokens) {
    const auto [place, added] = places.emplace(token, token_freqs_.size());
    if (added) token_freqs_.emplace_back(token, 0);
    ++token_freqs_[place->second].second;
  }
  std::ranges::stable_sort(token_freqs_, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::set<std::string> kept(reserved_tokens.begin(), reserved_tokens.end());
  kept.insert("<unk>");
  for (const auto& [token, count] : token_freqs_) {
    if (count >= min_freq) kept.insert(token);
  }
  idx_to_token_.assign(kept.begin(), kept.end());
  for (std::size_t i = 0; i < idx_to_token_.size(); ++i) {
    token_to_idx_.emplace(idx_to_token_[i], static_cast<std::int64_t>(i));
  }
}

std::int64_t Vocab::operator[](const std::string& token) const {
  const auto place = token_to_idx_.find(token);
  return (place == token_to_idx_.end() ? token_to_idx_.find("<unk>") : place)->second;
}

std::vector<std::int64_t> Vocab::operator[](const std::vector<std::string>& tokens) const {
  std::vector<std::int64_t> numbers;
  for (const std::string& token : tokens) numbers.push_back((*this)[token]);
  return numbers;
}

const std::string& Vocab::to_tokens(std::int64_t index) const {
  if (index < 0 || index >= static_cast<std::int64_t>(size())) {
    detail::fail<IndexError>("to_tokens", fmt::format("there is no token {} of {}", index, size()), {},
                             "give a number from 0 to before size()");
  }
  return idx_to_token_[static_cast<std::size_t>(index)];
}

std::vector<std::string> Vocab::to_tokens(const std::vector<std::int64_t>& indices) const {
  std::vector<std::string> tokens;
  for (const auto index : indices) tokens.push_back(to_tokens(index));
  return tokens;
}

}  // namespace d2l
