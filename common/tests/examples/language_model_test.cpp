// SPDX-License-Identifier: MIT
// The language model: its windows, what a position sees, and what it writes.
#include "examples/language_model.h"

#include "small_models.h"

namespace d2l::testing {
namespace {

using namespace d2l::examples;

TransformerOptions causal_sizes() {
  TransformerOptions sizes;
  sizes.length = 6;
  sizes.width = 16;
  sizes.hidden = 32;
  sizes.causal = true;
  return sizes;
}

TEST(LanguageModel, WindowsHaveTheNextTokenOfEach) {
  const Tensor tokens = arange(40) * 3;
  const auto windows = draw_windows(tokens, 200, 8, 1).tensors();
  EXPECT_EQ(windows[0].sizes().vec(), (std::vector<std::int64_t>{200, 8}));
  EXPECT_TRUE(windows[1].equal(windows[0] + 3));
  EXPECT_EQ(windows[0].min().item<std::int64_t>(), 0);
  EXPECT_EQ(windows[1].max().item<std::int64_t>(), 3 * 39);  // the last token is an answer
}

TEST(LanguageModel, SeesNoLaterPosition) {
  on_every_device([](Device device) {
    manual_seed(1);
    const Transformer model(causal_sizes());
    model->to(device);
    const NoGradGuard unrecorded;
    const Tensor tokens = tensor({{1, 2, 3, 4, 5, 6}}).to(device);
    const Tensor others = tensor({{1, 2, 3, 9, 8, 7}}).to(device);
    const Tensor difference = (model->forward(tokens) - model->forward(others)).abs().sum(-1)[0].cpu();
    for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(difference[i].item<float>(), 0) << i;
    for (std::int64_t i = 3; i < 6; ++i) EXPECT_GT(difference[i].item<float>(), 0) << i;
  });
}

TEST(LanguageModel, WritesTheSameFromTheSameSeed) {
  const Vocab vocab(characters_of("abcdefghi"));
  on_every_device([&](Device device) {
    manual_seed(1);
    Transformer model(causal_sizes());
    model->to(device);
    std::vector<std::string> texts;
    for (const std::uint64_t seed : {5U, 5U, 6U}) {
      manual_seed(seed);
      texts.push_back(write_on(model, vocab, "ab", 30, 1));
    }
    EXPECT_EQ(texts[0].substr(0, 2), "ab");
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_NE(texts[0], texts[2]);
  });
}

}  // namespace
}  // namespace d2l::testing
