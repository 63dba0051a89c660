// SPDX-License-Identifier: MIT
// Section 2.10: streams and events: what waits for what, pinned memory, and a pipeline
// of copies and kernels.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "d2l/figures.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Streams
//
// *Twenty-five minutes.* After this lesson you can run copies and kernels at the same
// time, say what waits for what, and prove both without a clock.
//
// Most cards have separate hardware for three things: the multiprocessors run kernels,
// one copy engine brings data in, and another brings data out. All three can work at
// once. But the calls of section 2.1 go into one queue, and a queue does one thing
// after the other: while the copy runs, the multiprocessors are idle. A program that
// wants more than one part of the card to work must use more than one queue. CUDA calls
// such a queue a *stream*.
//
// This is the kernel of the lesson. It reads an element once and writes one.

__global__ void twice_plus_one(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i] + 1;
}

/// Stops a stream: what is issued to it after stop() begins only after open().
class Gate {
 public:
  ~Gate() { open(); }
  void stop(cudaStream_t stream) {
    open_ = false;
    cudaLaunchHostFunc(
        stream, [](void* gate) { static_cast<Gate*>(gate)->open_.wait(false); }, this);
  }
  void open() {
    open_ = true;
    open_.notify_all();
  }

 private:
  std::atomic<bool> open_ = true;
};

int main() {
  constexpr int n = 8192;
  const Device device = gpu(0);
  Gate gate;
  cudaSetDevice(device.index());

  // %%
  // ## A stream is a queue
  //
  // `cudaStreamCreate` makes a stream of the current device, which `cudaSetDevice`
  // chooses. A launch names its stream as the fourth part of its configuration, and
  // `cudaMemcpyAsync` as its last argument. The work in one stream runs in the order of
  // issue. There is no order between two streams: each continues when it can.
  //
  // Can we prove it? A clock could only make it likely, so we stop one stream instead.
  // `cudaLaunchHostFunc` puts a function of the host into a stream, and what follows
  // waits until it returns. Our `Gate` puts a function there that waits until we open
  // the gate. `cudaStreamQuery` says whether a stream is empty, and does not wait.
  //
  // **Predict first.** The first stream is stopped, and each stream gets a kernel. Then
  // the host waits for the second stream. Does the program hang? Which of the two
  // streams is done?
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  const auto done = [](cudaStream_t stream) {
    if (cudaStreamQuery(stream) == cudaSuccess) return true;
    static_cast<void>(cudaGetLastError());  // "not ready" is not an error
    return false;
  };

  const Tensor x = arange(n, TensorOptions(kFloat).device(device));
  const Tensor y = zeros({n}, device);
  Tensor z = zeros({n}, device);
  synchronize(device);
  gate.stop(first);
  twice_plus_one<<<n / 256, 256, 0, first>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                             n);
  twice_plus_one<<<n / 256, 256, 0, second>>>(x.data_ptr<float>(), z.data_ptr<float>(),
                                              n);
  cudaStreamSynchronize(second);
  show(done(first), done(second));
  gate.open();
  cudaStreamSynchronize(first);
  show(done(first), y.equal(x * 2 + 1), z.equal(y));

  // %%
  // The second stream did not wait for the first, although its kernel was issued later.
  // `cudaStreamSynchronize` waits for one stream; `cudaDeviceSynchronize` would have
  // waited for both, forever.
  //
  // ## Events: one stream waits for another
  //
  // Often the second stream needs what the first one computes. The host could wait in
  // between, but then it could not issue more work. An *event* is a mark in a stream.
  // `cudaEventRecord` puts the mark, and `cudaStreamWaitEvent` makes another stream
  // wait for it. Both calls return at once: it is the stream that waits, not the host.
  //
  // **Predict first.** The first stream is stopped again, and the second one waits for
  // its event. The third stream does not. Which streams are done after the host has
  // waited for the third?
  cudaStream_t third = nullptr;
  cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
  cudaEvent_t computed = nullptr;
  cudaEventCreateWithFlags(&computed, cudaEventDisableTiming);

  gate.stop(first);
  twice_plus_one<<<n / 256, 256, 0, first>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                             n);
  cudaEventRecord(computed, first);
  cudaStreamWaitEvent(second, computed, 0);
  twice_plus_one<<<n / 256, 256, 0, second>>>(y.data_ptr<float>(), z.data_ptr<float>(),
                                              n);
  cudaStreamSynchronize(third);
  show(done(first), done(second), done(third));
  gate.open();
  cudaStreamSynchronize(second);
  show(cudaEventQuery(computed) == cudaSuccess, z.equal(y * 2 + 1));

  // %%
  // Waiting for the second stream was enough: its kernel began after the event, so the
  // first kernel is done too.
  //
  // ## The default stream waits for the others
  //
  // A launch that names no stream goes to the *legacy default stream*. It is older than
  // the others, and its rule is meant to be safe: work in it begins when all work that
  // was issued earlier to any stream of the device is done, and work that is issued
  // later to any stream begins when it is done. Only streams made with
  // `cudaStreamNonBlocking`, such as our third one, are exempt. So are the tensors'
  // streams.
  //
  // **Predict first.** The first stream is stopped. One launch goes to the default
  // stream, then one to the second and one to the third. Which of the three named
  // streams can be done?
  gate.stop(first);
  twice_plus_one<<<n / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  twice_plus_one<<<n / 256, 256, 0, second>>>(x.data_ptr<float>(), z.data_ptr<float>(),
                                              n);
  twice_plus_one<<<n / 256, 256, 0, third>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                             1);
  cudaStreamSynchronize(third);
  show(done(first), done(second), done(third));
  gate.open();
  cudaDeviceSynchronize();

  // %%
  // Nothing in the second stream needs the first. But one launch without a stream
  // stands between them, and turns all streams that were made without
  // `cudaStreamNonBlocking` into one queue. A pipeline whose kernels name no stream
  // gives correct results and overlaps nothing.
  //
  // ## The tensors have a stream, too
  //
  // All tensor operations on a device run in `stream(device)`. It is non-blocking, so
  // other streams and tensors do not wait for each other unless an event says so. Here
  // the tensors' stream is stopped, an operation fills `z` with sevens, and a kernel in
  // our stream reads `z`: first without events, then with them.
  z.fill_(0);
  synchronize(device);
  gate.stop(stream(device));
  z.fill_(7);
  twice_plus_one<<<n / 256, 256, 0, third>>>(z.data_ptr<float>(), y.data_ptr<float>(),
                                             n);
  cudaStreamSynchronize(third);
  gate.open();
  show(y.slice(0, 0, 4), z.slice(0, 0, 4));

  cudaEvent_t filled = nullptr;
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  z.fill_(8);
  cudaEventRecord(filled, stream(device));
  cudaStreamWaitEvent(third, filled, 0);  // the kernel reads the eights
  twice_plus_one<<<n / 256, 256, 0, third>>>(z.data_ptr<float>(), y.data_ptr<float>(),
                                             n);
  cudaEventRecord(computed, third);
  cudaStreamWaitEvent(stream(device), computed, 0);  // the tensors' stream waits back
  z.fill_(9);
  show(y.slice(0, 0, 4), z.slice(0, 0, 4));

  // %%
  // Without an event the kernel read the old zeros: 2 · 0 + 1 = 1. With the first event
  // it read the eights. The second event is as necessary as the first. Without it,
  // `fill_(9)` may overwrite what the kernel still reads, and `show` may read `y`
  // before it is written. A tensor that is destroyed returns its memory at once, for
  // the next operation of its stream. So the second event protects that memory, too. If
  // you can, launch on `stream(device)`; then you need no event.
  //
  // ## Pinned memory
  //
  // The operating system may move or swap out ordinary, *pageable* memory at any time,
  // so a copy engine cannot use it. The driver copies such data through a buffer of its
  // own, and the host has to take part. `pin_memory()`, or `cudaMallocHost`, gives
  // memory that stays in its place. Only copies from and to *pinned* memory run while
  // the host continues.
  //
  // The first stream is stopped once more. Then the call below copies the nines of `z`
  // to pinned memory, which holds zeros.
  //
  // **Predict first.** What is in the host's memory after the call, and what after the
  // wait?
  Tensor landing = zeros({n}).pin_memory();
  float* const landed = landing.data_ptr<float>();
  const float* const nines = z.data_ptr<float>();
  synchronize(device);
  gate.stop(first);
  cudaMemcpyAsync(landed, nines, n * sizeof(float), cudaMemcpyDeviceToHost, first);
  show(landed[0], done(first));
  gate.open();
  cudaStreamSynchronize(first);
  show(landed[0], done(first));

  // %%
  // The call returned before the copy began. A program that reads `landed` there gets
  // the old values and no error. It may also get the new ones: that depends on which is
  // faster, the host or the card.
  //
  // The ledger counts the waits of the host. We make the same copy twice more, to
  // pinned memory and to a `std::vector`:
  const auto waits_of = [&](const auto& work) -> std::int64_t {
    const TransferLedger ledger;
    work();
    return ledger.copies() == 0 ? -1
                                : ledger.synchronisations();  // a card's ledger has no
                                                              // calls of the runtime
  };
  std::vector<float> pageable(n);
  const auto copy_to = [&](float* target) {
    cudaMemcpyAsync(target, nines, n * sizeof(float), cudaMemcpyDeviceToHost, first);
  };
  const std::int64_t waits_for_pinned = waits_of([&] { copy_to(landed); });
  const std::int64_t waits_for_pageable = waits_of([&] { copy_to(pageable.data()); });
  show(waits_for_pinned, waits_for_pageable);
  cudaStreamSynchronize(first);

  // %%
  // No wait for pinned memory, one for pageable memory, although both calls say
  // `Async`. (On a card, where the ledger does not see the calls of the CUDA runtime,
  // both numbers are -1.)
  //
  // ## A pipeline
  //
  // Now the three engines can work at once. The input is in main memory, and the result
  // must go back there. We cut it into chunks. Each chunk is copied in, computed and
  // copied out, and these three stages need their order. Different chunks are
  // independent, so we deal them out to several streams in turn. Each stream has a
  // buffer, half of it for what comes in and half for what goes out. The next chunk of
  // that stream uses the same buffer, and the order of the stream protects it. Memory
  // of a new tensor may still be in use in the tensors' stream, so we wait for that
  // once.
  //
  // For comparison, `one_by_one` copies with `cudaMemcpy`, which waits for each copy.
  constexpr int chunks = 8;
  constexpr int chunk = n / chunks;
  const Tensor input = rand({n}).pin_memory();
  Tensor output = zeros({n}).pin_memory();
  const std::vector<Tensor> buffers = {zeros({2, chunk}, device),
                                       zeros({2, chunk}, device)};
  synchronize(device);

  const auto one_by_one = [&] {
    float* const in = buffers[0].data_ptr<float>();
    for (int i = 0; i < chunks; ++i) {
      cudaMemcpy(in, input.data_ptr<float>() + i * chunk, chunk * sizeof(float),
                 cudaMemcpyHostToDevice);
      twice_plus_one<<<chunk / 256, 256>>>(in, in + chunk, chunk);
      cudaMemcpy(output.data_ptr<float>() + i * chunk, in + chunk,
                 chunk * sizeof(float), cudaMemcpyDeviceToHost);
    }
  };
  const auto issue = [&](const std::vector<cudaStream_t>& streams) {
    for (int i = 0; i < chunks; ++i) {
      cudaStream_t const queue = streams[i % streams.size()];
      float* const in = buffers[i % streams.size()].data_ptr<float>();
      cudaMemcpyAsync(in, input.data_ptr<float>() + i * chunk, chunk * sizeof(float),
                      cudaMemcpyHostToDevice, queue);
      twice_plus_one<<<chunk / 256, 256, 0, queue>>>(in, in + chunk, chunk);
      cudaMemcpyAsync(output.data_ptr<float>() + i * chunk, in + chunk,
                      chunk * sizeof(float), cudaMemcpyDeviceToHost, queue);
    }
  };

  // %%
  // **Predict first.** How often does the host wait in `one_by_one` for 8 chunks, and
  // how often in the pipeline?
  const auto pipeline = [&] {
    issue({first, second});
    cudaStreamSynchronize(first);
    cudaStreamSynchronize(second);
  };
  const Tensor expected = input * 2 + 1;
  const std::int64_t waits_one_by_one = waits_of(one_by_one);
  show(waits_one_by_one, output.equal(expected));
  output.zero_();
  const std::int64_t waits_of_pipeline = waits_of(pipeline);
  show(waits_of_pipeline, output.equal(expected));

  // %%
  // 16 waits against 2, a factor of 8: the number of chunks. The waits of the pipeline
  // stay 2 with any number of chunks.
  //
  // That it waits only at the end can be shown without the ledger: stop both streams.
  // Everything is issued, the host has gone past all of it, and none of it has begun.
  // If `issue` waited in between, the program would hang here.
  {
    output.zero_();
    gate.stop(first);
    gate.stop(second);
    issue({first, second});
    show(done(first), done(second), output.sum().item<float>());
    gate.open();
    cudaStreamSynchronize(first);
    cudaStreamSynchronize(second);
    show(done(first), done(second), output.equal(expected));
  }

  // %%
  // ## Issue once, launch often
  //
  // The pipeline issues 24 operations. Each costs the host a few microseconds, and a
  // program that trains repeats the same operations in each step. A *graph* records
  // them once: between `cudaStreamBeginCapture` and `cudaStreamEndCapture`, what is
  // issued to the stream is not executed but becomes a node of the graph. The other
  // stream takes part from where it waits for an event of the first, and the first must
  // wait for it at the end.
  //
  // **Predict first.** What is the sum of `output` after the capture, and after the
  // launch of the graph?
  output.zero_();
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaEventRecord(computed, first);
  cudaStreamWaitEvent(second, computed, 0);
  issue({first, second});
  cudaEventRecord(filled, second);
  cudaStreamWaitEvent(first, filled, 0);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(first, &graph);
  std::size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiate(&executable, graph, 0);
  show(nodes, output.sum().item<float>());
  cudaGraphLaunch(executable, first);
  cudaStreamSynchronize(first);
  show(output.equal(expected));
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);

  // %%
  // The capture executed nothing, and one call launched all 24 operations, in their
  // order: the graph knows which must wait for which. A graph uses the same addresses
  // and sizes in each launch.
  //
  // ## What overlap can save
  //
  // The emulator says nothing about time, but we can reason. Each stage begins when the
  // stage before it in its stream is done and when its engine is free. The function
  // computes these times from the duration of each stage.
  struct Stage {
    double begin = 0, end = 0;
  };
  using Chunks = std::vector<std::array<Stage, 3>>;  // copy in, compute, copy out
  const auto schedule = [](int streams, const std::array<double, 3>& durations) {
    Chunks all(chunks);
    std::array<double, 3> engine_free{};
    std::vector<double> stream_free(streams);
    for (int i = 0; i < chunks; ++i) {
      for (int stage = 0; stage < 3; ++stage) {
        double& after = stream_free[i % streams];
        const double begin = std::max(after, engine_free[stage]);
        after = engine_free[stage] = begin + durations[stage];
        all[i][stage] = {begin, after};
      }
    }
    return all;
  };
  const auto last = [](const Chunks& all) {
    double end = 0;
    for (const auto& one : all) end = std::max(end, one[2].end);
    return end;
  };

  // %%
  // **Predict first.** Let each stage take one unit of time. How long do 8 chunks take
  // with 1, 2 and 3 streams?
  show(last(schedule(1, {1, 1, 1})), last(schedule(2, {1, 1, 1})),
       last(schedule(3, {1, 1, 1})));

  // %%
  // One stream takes 3 · 8 = 24 units. Two streams keep two of the three engines busy.
  // Three streams keep all of them busy, except at the start and at the end: 8 +
  // 2 = 10. A fourth stream would find no free engine.
  //
  // The picture is a drawing of this calculation, not a measurement. Each row is an
  // engine, each number a chunk. The chunks of the first stream are filled.
  std::vector<ScheduledPart> parts;
  const Chunks two_streams = schedule(2, {1, 1, 1});
  for (int i = 0; i < chunks; ++i) {
    for (std::size_t stage = 0; stage < 3; ++stage) {
      parts.push_back({stage, two_streams[i][stage].begin, two_streams[i][stage].end,
                       std::to_string(i), i % 2 == 0});
    }
  }
  show_svg(
      schedule_svg({"copy in", "compute", "copy out"}, parts),
      "A drawing of 13 units of time. Copy in: chunk 0 at 0, 1 at 1, 2 at 3, 3 at 4, "
      "and so on, two of three units "
      "busy. Compute and copy out show the same pattern, one and two units later.");

  // %%
  // On a card the stages are not equally long. Take a T4 and 64 MB in each direction. A
  // copy is limited by the link; the kernel reads and writes 64 MB in the card's
  // memory. We use four fifths of the published rates:
  const Card& t4 = card_named("T4");
  const double bytes = 64e6 / chunks;
  const std::array<double, 3> of_chunk = {
      t4.to_device.latency + bytes / (t4.reached * t4.to_device.bandwidth),
      t4.launch_latency + 2 * bytes / (t4.reached * t4.processor.memory_bandwidth),
      t4.to_host.latency + bytes / (t4.reached * t4.to_host.bandwidth)};
  const auto milliseconds = [&](int streams) {
    return std::round(last(schedule(streams, of_chunk)) * 1e5) / 100;
  };
  show(milliseconds(1), milliseconds(2), milliseconds(3));

  // %%
  // These are milliseconds, modelled on a T4. The link needs 5 ms in each direction,
  // and the kernel half a millisecond. So the gain of two streams comes from copying in
  // both directions at once, and a third stream adds little. With more arithmetic per
  // byte the kernel would be the longest stage, and nearly all copies would run beside
  // it. Smaller chunks fill the pipeline faster, but each costs two latencies and a
  // launch.
  //
  // Only `done` looked at an error code. `cudaGetLastError()` returns the last error
  // that one of these calls left:
  cudaEventDestroy(computed);
  cudaEventDestroy(filled);
  for (cudaStream_t const one : {first, second, third}) cudaStreamDestroy(one);
  show(cudaGetErrorString(cudaGetLastError()));

  // %%
  // ## What to try next
  //
  // - Remove `cudaStreamSynchronize(first)` from `pipeline`. Is `output` still correct?
  //   Always? Try `D2L_VIRTUAL_GPUS=1,delay=3 ./learn run 2.10` with several numbers.
  // - Give both streams the same buffer. Does `output.equal(expected)` stay `True` with
  //   these delays?
  // - Remove `queue` from the launch. The results stay correct. Which streams can be
  //   done while the first is stopped?
  // - In the drawing, two streams do 2 chunks in 3 units: 4 * 3 + 1 = 13 for 8 chunks.
  //   How many units do they take for 16 chunks?
  // - Let `schedule` use 16 or 64 chunks for the T4. Where do the latencies begin to
  //   cost more than the overlap saves?
  // - Exercise 2.10 builds such a pipeline. `./learn next 2.10` shows the task.
}
