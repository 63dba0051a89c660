// SPDX-License-Identifier: MIT
// einsum: an equation, and its products one after the other as products of matrices.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "array_ops/equation.h"
#include "autograd/recording.h"
#include "core/messages.h"
#include "d2l/ops.h"

namespace d2l {

using detail::Equation;
using detail::Label;
using detail::Labels;

namespace {

/// An operand or a product of some, with a label for each dimension.
struct Term {
  Tensor tensor;
  Labels labels;

  [[nodiscard]] bool has(Label label) const { return std::ranges::find(labels, label) != labels.end(); }
  [[nodiscard]] std::int64_t size(Label label) const {
    return tensor.size(std::ranges::find(labels, label) - labels.begin());
  }
};

/// The diagonal of the dimensions of one label: the label is left once.
Term with_diagonals(Term term) {
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    for (std::size_t j = term.labels.size() - 1; j > i; --j) {
      if (term.labels[j] != term.labels[i]) continue;
      // (…, n, …, n, …) → (…, n × n): every element n + 1 apart is on the diagonal.
      const auto n = term.tensor.size(static_cast<std::int64_t>(i));
      Tensor last = term.tensor.movedim({static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)}, {-2, -1});
      last = last.reshape([&] {
        auto sizes = last.sizes().vec();
        sizes.pop_back();
        sizes.back() = n * n;
        return sizes;
      }());
      term.tensor = last.slice(-1, 0, std::nullopt, n + 1).movedim(-1, static_cast<std::int64_t>(i));
      term.labels.erase(term.labels.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
  return term;
}

/// Without the dimensions of these labels: summed, or of size 1 and removed.
Term without(Term term, const Labels& labels) {
  std::vector<std::int64_t> dims;
  Labels left;
  std::vector<std::int64_t> sizes;
  bool single = true;
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    const auto size = term.tensor.size(static_cast<std::int64_t>(i));
    if (std::ranges::find(labels, term.labels[i]) == labels.end()) {
      left.push_back(term.labels[i]);
      sizes.push_back(size);
    } else {
      dims.push_back(static_cast<std::int64_t>(i));
      single = single && size == 1;
    }
  }
  if (dims.empty()) return term;
  const Tensor result = single ? term.tensor.reshape(sizes) : term.tensor.sum(dims);
  return {result.to(term.tensor.dtype()), left};
}

/// The dimensions in the order of `labels`, with size 1 for those that the term has not.
Tensor arranged(const Term& term, const Labels& labels) {
  std::vector<std::int64_t> order;
  std::vector<std::int64_t> sizes;
  for (const Label label : labels) {
    const auto at = std::ranges::find(term.labels, label);
    sizes.push_back(at == term.labels.end() ? 1 : term.size(label));
    if (at != term.labels.end()) order.push_back(at - term.labels.begin());
  }
  const Tensor permuted = std::ranges::is_sorted(order) ? term.tensor : term.tensor.permute(order);
  return order.size() == labels.size() ? permuted : permuted.reshape(sizes);
}

std::int64_t product_of(const Term& term, const Labels& labels) {
  std::int64_t product = 1;
  for (const Label label : labels) product *= term.size(label);
  return product;
}

/// The sum over `summed` of the products of a and b. Labels of size 1 in one of them have been removed there.
Term product(const Term& a, const Term& b, const Labels& summed) {
  Labels batch;
  Labels rows;
  Labels columns;
  for (const Label label : a.labels) {
    if (std::ranges::find(summed, label) == summed.end()) (b.has(label) ? batch : rows).push_back(label);
  }
  for (const Label label : b.labels) {
    if (!a.has(label)) columns.push_back(label);
  }
  const auto joined = [](std::initializer_list<const Labels*> parts) {
    Labels all;
    for (const Labels* part : parts) all.insert(all.end(), part->begin(), part->end());
    return all;
  };
  const Labels labels = joined({&batch, &rows, &columns});
  if (summed.empty()) return {arranged(a, labels) * arranged(b, labels), labels};
  const auto count = product_of(a, batch);
  const auto inner = product_of(a, summed);
  const Tensor left = arranged(a, joined({&batch, &rows, &summed})).reshape({count, product_of(a, rows), inner});
  const Tensor right = arranged(b, joined({&batch, &summed, &columns})).reshape({count, inner, product_of(b, columns)});
  std::vector<std::int64_t> sizes;
  for (const Label label : labels) sizes.push_back(a.has(label) ? a.size(label) : b.size(label));
  return {left.bmm(right).reshape(sizes), labels};
}

/// The sizes of all labels; ShapeError for two that differ and of which neither is 1.
void check_sizes(const std::vector<Term>& terms) {
  std::map<Label, std::int64_t> sizes;
  for (std::size_t operand = 0; operand < terms.size(); ++operand) {
    for (const Label label : terms[operand].labels) {
      const auto size = terms[operand].size(label);
      auto& known = sizes.emplace(label, size).first->second;
      if (known != size && known != 1 && size != 1) {
        detail::fail<ShapeError>(
            "einsum",
            fmt::format("einsum(): subscript {} has size {} for operand {} which does not broadcast with previously "
                        "seen size {}",
                        detail::text_of(label), size, operand, known),
            {}, "dimensions of one letter have one size, or 1");
      }
      if (known == 1) known = size;
    }
  }
}

/// The labels of the terms from number `first` on, and of the result.
bool is_needed(Label label, const std::vector<Term>& terms, std::size_t first, const Labels& output) {
  return std::ranges::find(output, label) != output.end() ||
         std::any_of(terms.begin() + static_cast<std::ptrdiff_t>(first), terms.end(),
                     [&](const Term& term) { return term.has(label); });
}

/// Two terms, without the dimensions that only one of them has and that are not needed later, as one.
Term contracted(Term a, Term b, const std::vector<Term>& terms, std::size_t next, const Labels& output) {
  Labels only_a;
  Labels only_b;
  Labels summed;
  for (const Label label : a.labels) {
    const bool needed = is_needed(label, terms, next, output);
    if (!b.has(label)) {
      if (!needed) only_a.push_back(label);
    } else if (a.size(label) != b.size(label)) {
      // It broadcasts: the side of size 1 has no such dimension, and the other one is summed alone.
      (a.size(label) == 1 ? only_a : only_b).push_back(label);
      if (!needed) (a.size(label) == 1 ? only_b : only_a).push_back(label);
    } else if (!needed) {
      summed.push_back(label);
    }
  }
  for (const Label label : b.labels) {
    if (!a.has(label) && !is_needed(label, terms, next, output)) only_b.push_back(label);
  }
  return product(without(std::move(a), only_a), without(std::move(b), only_b), summed);
}

}  // namespace

Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands) {
  std::vector<std::int64_t> dims;
  for (const Tensor& operand : operands) dims.push_back(detail::impl_of(operand, "einsum").sizes.count);
  const Equation parsed(equation, dims);
  std::vector<Term> terms;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Labels& labels = parsed.inputs()[i];
    for (std::size_t a = 0; a < labels.size(); ++a) {
      for (std::size_t b = a + 1; b < labels.size(); ++b) {
        const auto first = operands[i].size(static_cast<std::int64_t>(a));
        const auto second = operands[i].size(static_cast<std::int64_t>(b));
        if (labels[a] != labels[b] || first == second) continue;
        detail::fail<ShapeError>(
            "einsum",
            fmt::format("einsum(): subscript {} is repeated for operand {} but the sizes don't match, {} != {}",
                        detail::text_of(labels[a]), i, second, first),
            detail::operands({{"operand", operands[i].impl().get()}}), "a diagonal is that of equal sizes");
      }
    }
    terms.push_back(with_diagonals({operands[i], labels}));
  }
  check_sizes(terms);
  Term all = terms[0];
  for (std::size_t next = 1; next < terms.size(); ++next) {
    all = contracted(std::move(all), terms[next], terms, next + 1, parsed.output());
  }
  Labels summed;
  for (const Label label : all.labels) {
    if (std::ranges::find(parsed.output(), label) == parsed.output().end()) summed.push_back(label);
  }
  all = without(std::move(all), summed);
  return arranged(all, parsed.output());
}

}  // namespace d2l
