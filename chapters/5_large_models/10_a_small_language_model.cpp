// SPDX-License-Identifier: MIT
// Section 5.10: a transformer that learns to write, the same on any number of GPUs.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "d2l/figures.h"
#include "d2l/show.h"
#include "d2l/texts.h"

using namespace d2l;

// %%
// # A small language model
//
// *Thirty minutes.* After this lesson you can train a language model, say what its loss
// means, and let it write. You can train it on several GPUs so that the result is the
// same to the last bit, and say what that costs.
//
// A *language model* reads the beginning of a text, and gives each possible next piece
// a probability. A piece is called a *token*. Large models have tens of thousands of
// tokens, most of them parts of words. Ours are single characters. The model learns
// from one book: *Alice's Adventures in Wonderland*, by Lewis Carroll, of 1865. It is
// in the public domain, and comes with the course.
//
// The model is a *transformer* (Vaswani et al., 2017). It describes each character by
// 64 numbers, and passes them through *blocks*: many in a large model, one in ours. A
// block has two parts, and each adds its result to its input:
//
// - attention (section 5.5), in which a position takes numbers from the positions
//   before it. There are four *heads*, attentions beside each other, of 16 numbers
//   each;
// - a perceptron with 256 units, which works on each position alone.
//
// Layer normalisation stands before each part.

constexpr std::int64_t width = 64;
constexpr std::int64_t heads = 4;

class BlockImpl : public nn::Module {
 public:
  BlockImpl() {
    register_module("norm1", norm1);
    register_module("qkv", qkv);
    register_module("output", output);
    register_module("norm2", norm2);
    register_module("perceptron", perceptron);
  }
  Tensor forward(const Tensor& x) override {
    const Tensor y = x + attention(norm1(x));
    return y + perceptron(norm2(y));
  }
  Tensor attention(const Tensor& x) {
    const Tensor all = qkv(x)
                           .view({x.size(0), x.size(1), 3, heads, width / heads})
                           .permute({2, 0, 3, 1, 4});
    const Tensor result = scaled_dot_product_attention(
        all[0], all[1], all[2], /*attn_mask=*/{}, /*dropout_p=*/0, /*is_causal=*/true);
    return output(result.transpose(1, 2).flatten(2));
  }

  nn::LayerNorm norm1{nn::LayerNormOptions({width})};
  nn::Linear qkv{width, 3 * width};  // queries, keys and values
  nn::Linear output{width, width};
  nn::LayerNorm norm2{nn::LayerNormOptions({width})};
  nn::Sequential perceptron{nn::Linear(width, 4 * width), nn::ReLU(),
                            nn::Linear(4 * width, width)};
};
D2L_MODULE(Block);  // Block holds a BlockImpl, as nn::Linear holds an nn::LinearImpl

// %%
// With `is_causal`, a position takes part in no sum of an earlier one. So the model
// can answer at all positions at once: the description of position i depends on the
// characters up to i, and predicts character i + 1. A window of 32 characters is 32
// examples.
//
// An `nn::Embedding` is a table with a row for each character. A second table has a row
// for each place in the window, because attention alone does not know the order. At the
// end, the *head* computes a score for each character. `loss_of` takes windows of 33
// characters: the last 32 are the answers to the first 32.

constexpr std::int64_t length = 32;

class LanguageModelImpl : public nn::Module {
 public:
  explicit LanguageModelImpl(std::int64_t symbols)
      : characters(symbols, width), head(width, symbols) {
    register_module("characters", characters);
    register_module("places", places);
    register_module("blocks", blocks);
    register_module("norm", norm);
    register_module("head", head);
    nn::init::normal_(characters->weight, 0, 0.3);
    nn::init::normal_(places->weight, 0, 0.3);
  }
  // (N, up to length), int64 → (N, as many, symbols)
  Tensor forward(const Tensor& x) override {
    const Tensor first_places = places->weight.narrow(0, 0, x.size(1));
    return head(norm(blocks(characters(x) + first_places)));
  }

  nn::Embedding characters;
  nn::Embedding places{length, width};
  nn::Sequential blocks{Block()};
  nn::LayerNorm norm{nn::LayerNormOptions({width})};
  nn::Linear head;
};
D2L_MODULE(LanguageModel);

Tensor loss_of(const LanguageModel& model, const Tensor& windows) {
  const Tensor scores = model->forward(windows.narrow(1, 0, length));
  const Tensor answers = windows.narrow(1, 1, length);
  return cross_entropy_loss(scores.flatten(0, 1), answers.flatten());
}

// %%
// ## A step on several GPUs
//
// Sections 3.2 and 4.5 split a batch and add the gradients with an all-reduce. The sums
// are then taken in an order that depends on the number of GPUs, and so does their
// rounding. That is a small difference, but training makes it larger: each step begins
// where the step before has ended. After some hundred steps in float32, the model
// writes another text.
//
// Here each step has four small batches, however many GPUs there are. GPU 0 collects
// their four gradients, and adds them in one order. It makes the step, and sends the
// new parameters to the others. `autograd::grad` returns the gradients, and does not
// add them to those of another small batch, as `backward()` would.

using Gradients = std::vector<Tensor>;

void train_step(const std::vector<LanguageModel>& copies, optim::AdamW& optimizer,
                const Tensor& windows, Tensor& total_loss) {
  constexpr std::size_t parts = 4;
  const std::vector<Tensor> batches = windows.chunk(parts);
  std::vector<Gradients> gradients;
  const std::vector<Tensor> parameters = copies[0]->parameters();
  const Device first = parameters[0].device();
  for (std::size_t i = 0; i < parts; ++i) {
    const LanguageModel& model = copies[i * copies.size() / parts];
    const Device own = model->parameters()[0].device();
    const Tensor loss = loss_of(model, batches[i].to(own)) / double{parts};
    gradients.push_back(autograd::grad({loss}, model->parameters()));
    total_loss += loss.detach().to(first);
  }
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    Tensor sum = gradients[0][p];
    for (std::size_t i = 1; i < parts; ++i) sum = sum + gradients[i][p].to(first);
    Tensor(parameters[p]).mutable_grad() = sum;
  }
  nn::utils::clip_grad_norm_(parameters, 1);
  optimizer.step();
  const NoGradGuard no_grad;
  for (std::size_t k = 1; k < copies.size(); ++k) {
    const std::vector<Tensor> others = copies[k]->parameters();
    for (std::size_t p = 0; p < others.size(); ++p)
      Tensor(others[p]).copy_(parameters[p]);
  }
}

// %%
// `clip_grad_norm_` scales the gradient down if its norm is above 1, so that a bad
// batch cannot make a large step. AdamW is Adam with *weight decay*: each step also
// makes the parameters a little smaller.
//
// ## The text
//
// `Vocab` gives each character a number. Number 0 stands for a character that it has
// never seen.

int main() {
  const std::string text = course_text("alice");
  std::vector<std::string> characters;
  for (const char one : text) characters.emplace_back(1, one);
  const Vocab vocab(characters);
  const Tensor tokens = tensor(vocab[characters]);
  const auto symbols = static_cast<std::int64_t>(vocab.size());
  show(tokens.size(0), symbols);
  show(text.substr(text.find("The Cat only"), 40));

  // %%
  // ## The model
  //
  // Each GPU gets a copy. The seed makes all copies the same. They are in float64, for
  // a reason that comes later.
  //
  // **Predict first.** How many parameters does the model have? A block has four
  // matrices: for queries, keys and values together, for the output of the attention,
  // and two in the perceptron.
  const std::vector<Device> devices = try_all_gpus();
  const auto copies_on = [symbols](const std::vector<Device>& on) {
    std::vector<LanguageModel> copies;
    for (const Device device : on) {
      manual_seed(10);
      copies.emplace_back(symbols);
      copies.back()->to(kDouble);
      copies.back()->to(device);
    }
    return copies;
  };
  std::vector<LanguageModel> copies = copies_on(devices);
  const LanguageModel& model = copies[0];
  const Device first = devices[0];
  std::int64_t count = 0;
  for (const Tensor& parameter : model->parameters()) count += parameter.numel();
  show(count, 12 * width * width);

  // %%
  // The matrices of a block have 3 + 1 + 4 + 4 = 12 times width² numbers. The rest is
  // the two tables, the head, the biases and the normalisations. For GPT-3, with 96
  // blocks and a width of 12288, the same formula gives 96 · 12 · 12288², which is 174
  // billion of its 175 billion parameters (Brown et al., 2020).
  //
  // ## The loss of a model that knows nothing
  //
  // The loss is the mean of −ln p, where p is the probability of the character that
  // follows. We train on nine tenths of the book, and measure on the last tenth.
  //
  // **Predict first.** What is the loss of a model that gives each of the 70 symbols
  // the same probability? And what is it for ours, before training?
  const std::int64_t trained = tokens.size(0) * 9 / 10;
  const Tensor windows_of_rest =
      tokens
          .narrow(0, trained, (tokens.size(0) - trained) / (length + 1) * (length + 1))
          .view({-1, length + 1})
          .to(first);
  const auto rounded = [](double x) { return std::round(1000 * x) / 1000; };
  const auto loss_of_rest = [&] {
    const NoGradGuard no_grad;
    return rounded(loss_of(model, windows_of_rest).item<double>());
  };
  show(rounded(std::log(symbols)), loss_of_rest());

  // %%
  // ln 70 is 4.248. Ours is a little worse, because it begins with random preferences.
  // This is a good first test of a program: if the first loss of a classifier is far
  // above the logarithm of the number of classes, something is wrong.
  //
  // ## It writes
  //
  // To write, we ask for the probabilities of the next character, draw one, append it,
  // and ask again. The model sees the last 32 characters. The scores are divided by 0.7
  // before the softmax, which makes probable characters more probable. (This number is
  // called the *temperature*.)
  const auto write = [&](const LanguageModel& writer, std::size_t size) {
    const NoGradGuard no_grad;
    const Device own = writer->parameters()[0].device();
    manual_seed(1);
    std::vector<std::string> written{"A", "l", "i", "c", "e", " "};
    while (written.size() < size) {
      const auto seen = std::min<std::ptrdiff_t>(std::ssize(written), length);
      const std::vector<std::string> last(written.end() - seen, written.end());
      const Tensor scores = writer->forward(tensor(vocab[last]).to(own).unsqueeze(0));
      const Tensor chances = (scores[0][-1] / 0.7).softmax(0);
      written.push_back(vocab.to_tokens(chances.multinomial(1).item<std::int64_t>()));
    }
    std::string result;
    for (const std::string& one : written) result += one;
    return result;
  };
  show(write(model, 60));

  // %%
  // These are random characters.
  //
  // ## One step: what it sends
  //
  // A step has eight windows, two in each small batch. They begin at random places.
  //
  // **Predict first.** There are P parameters of 8 bytes. How many bytes go from GPU to
  // GPU in a step, with two GPUs and with four? They are the gradients of the small
  // batches that GPU 0 has not computed, and the new parameters.
  const optim::AdamWOptions options = optim::AdamWOptions(0.007).weight_decay(0.1);
  const Tensor places_in_window = arange(length + 1);
  const auto draw_windows = [&] {
    const Tensor begins = randint(trained - length, {8, 1}, TensorOptions(kLong));
    return tokens.index_select(0, (begins + places_in_window).flatten())
        .view({8, length + 1});
  };
  const TensorOptions number = TensorOptions(kDouble).device(first);
  const auto bytes_sent_by_a_step = [&] {
    std::vector<LanguageModel> others = copies_on(devices);
    optim::AdamW optimizer(others[0]->parameters(), options);
    Tensor losses = zeros({}, number);
    const TransferLedger ledger;
    train_step(others, optimizer, draw_windows(), losses);
    return ledger.sent_bytes(Connection::peer);
  };
  const auto gpus = static_cast<std::int64_t>(devices.size());
  const std::int64_t of_first = (4 + gpus - 1) / gpus;  // small batches of GPU 0
  show(bytes_sent_by_a_step(), 8 * count * (4 - of_first + gpus - 1));

  // %%
  // With two GPUs it is 3 · 8P: two gradients, and the parameters once. With four it is
  // 6 · 8P. A ring all-reduce of k GPUs sends 2(k − 1) · 8P in all, which is 2 · 8P and
  // 6 · 8P. But there all GPUs share this work, and here GPU 0 has a part in every
  // message. That is the price of the fixed order. (The few bytes more are the losses.)
  //
  // ## Is it the same training?
  //
  // **Predict first.** Three steps on one device, and three steps on all of them. Are
  // the parameters equal to the last bit?
  const auto after_three_steps = [&](const std::vector<Device>& on) {
    std::vector<LanguageModel> others = copies_on(on);
    optim::AdamW optimizer(others[0]->parameters(), options);
    Tensor losses = zeros({}, number);
    for (int i = 0; i < 3; ++i) train_step(others, optimizer, draw_windows(), losses);
    return others.back()->parameters();
  };
  const std::vector<Tensor> alone = after_three_steps({first});
  const std::vector<Tensor> together = after_three_steps(devices);
  bool same = true;
  for (std::size_t p = 0; p < alone.size(); ++p)
    same = same && alone[p].cpu().equal(together[p].cpu());
  show(gpus, same);

  // %%
  // They are. Each small batch has the same operations on whichever GPU, and the sums
  // have one order. (With one GPU, this says only that the program repeats itself. Try
  // it with `D2L_VIRTUAL_GPUS=4 ./learn run 5.10`.)
  //
  // ## Training
  //
  // So the text that the model writes does not depend on the number of GPUs. It could
  // still depend on the *kind* of processor, since libraries add the terms of a product
  // in different orders. That is why this lesson computes in float64. Its rounding is
  // half a billion times finer than that of float32, and after 600 steps the
  // differences are still too small to change a character. In practice you would take
  // float32 or mixed precision (section 5.2), and accept another text.
  //
  // `CosineAnnealingLR` lowers the learning rate along half a cosine to 0: large steps
  // at first, small ones to finish. We show the mean loss of each hundred steps.
  constexpr int steps = 600;
  optim::AdamW optimizer(model->parameters(), options);
  optim::CosineAnnealingLR schedule(optimizer, steps);
  Tensor losses = zeros({}, number);
  manual_seed(2);
  for (int i = 1; i <= steps; ++i) {
    train_step(copies, optimizer, draw_windows(), losses);
    schedule.step();
    if (i % 100 != 0) continue;
    show(i, rounded(losses.item<double>() / 100));
    losses.zero_();
  }

  // %%
  // How good is it? e to the power of the loss is called the *perplexity*. It is the
  // number of equally probable characters between which one could choose with this
  // loss. **Predict first.** It was 81 before training, since e^4.392 is 81. And now,
  // on the part of the book that the model has not seen?
  show(loss_of_rest(), std::round(10 * std::exp(loss_of_rest())) / 10);

  // %%
  // The uncertainty is that of a choice between seven or eight characters. The loss is
  // a little higher than that of the last training steps: some of what the model has
  // learnt holds for the first nine tenths only.
  //
  // ## It writes again
  //
  // **Predict first.** What has the model learnt after 600 steps: letters, words, or
  // sentences?
  const std::string written = write(model, 400);
  show(written);
  show(write(copies.back(), 400) == written);

  // %%
  // It has learnt which letters follow which, some short words (*the*, *and*, *was*,
  // *she*, *Alice*), and little else. One block of width 64 is a very small model, and
  // 600 steps are few.
  //
  // ## A longer run
  //
  // `common/examples/language_model.cpp` trains a model with four blocks of width 128,
  // windows of 64 characters, dropout and 819,526 parameters, in float32. Its ten
  // epochs of 3000 windows take some minutes on one core. This is what it printed here:
  //
  // | epoch | 1 | 2 | 4 | 6 | 8 | 10 |
  // | --- | --- | --- | --- | --- | --- | --- |
  // | loss in training | 2.599 | 2.258 | 1.840 | 1.644 | 1.520 | 1.421 |
  // | loss on the rest of the book | 2.430 | 2.105 | 1.828 | 1.719 | 1.652 | 1.612 |
  //
  // > Alice close to Alice, and and the carded of the looked at the Duchess in a las
  // > the Duck afrom the ener she spoked the direction thing in a little door with they
  // > trieteathe nearly nothing to seemed to Alice, and did nother at the pillay, and
  // > and last if a dear the ooth she had noticed to first, the Queen its had growly
  // > for the far
  //
  // Most of these are words, and some follow each other as they could in the book. The
  // meaning is missing. In the last epochs the loss falls faster in training than on
  // the rest of the book: the model begins to *overfit*, because one book is a small
  // text. A large model is the same kind of program, with more text, more parameters,
  // and the methods of this chapter to make them fit.
  //
  // ## What to try next
  //
  // - Let GPU 0 add its own small batches with `backward()`, as in section 5.6, so that
  //   it needs less memory. Is the result still the same to the last bit?
  // - Draw with a temperature of 0.2, and of 1.5. Explain the two texts.
}
