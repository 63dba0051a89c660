// SPDX-License-Identifier: MIT
// The largest numbers of gradient + residual are sent, and all others stay in the
// residual, so the sum of what was sent and of what stays is the sum of all gradients.
// Two all-gathers send 12 bytes for each number: a place and a value. The sum is then
// made on each rank, in the order of the ranks, so that all have the same bits.
#include <tuple>
#include <vector>

#include "exercise.h"

using namespace d2l;

Compressed compress(const Tensor& gradient, Tensor residual, std::int64_t k) {
  residual.add_(gradient);
  const Tensor places = std::get<1>(residual.abs().topk(k));
  const Tensor values = residual.index_select(0, places);
  for (const std::int64_t place : places.to_vector<std::int64_t>())
    residual.data_ptr<float>()[place] = 0;
  return {places, values};
}

Tensor all_reduce_compressed(const Compressed& mine, std::int64_t n) {
  std::vector<Tensor> places;
  std::vector<Tensor> values;
  for (int rank = 0; rank < distributed::get_world_size(); ++rank) {
    places.push_back(empty_like(mine.places));
    values.push_back(empty_like(mine.values));
  }
  distributed::all_gather(places, mine.places).wait();
  distributed::all_gather(values, mine.values).wait();
  Tensor sum = zeros({n});
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    for (std::int64_t i = 0; i < mine.places.numel(); ++i) {
      sum.data_ptr<float>()[places[rank].data_ptr<std::int64_t>()[i]] +=
          values[rank].data_ptr<float>()[i];
    }
  }
  return sum;
}
