// SPDX-License-Identifier: MIT
// What a kernel gets of its arguments: the address of a reference's object, and the bytes of an object that the host
// copies once and ends after the launch.
#include <new>

#include "verify.h"

struct Box {
  int* values;
  int length;
};
__global__ void fill_box(Box& box, int value) {
  if (threadIdx.x < box.length) box.values[threadIdx.x] = value;
  if (threadIdx.x == 0) ++box.length;
}
template <class T>
__global__ void read_object(const T& object, int* out) {
  *out = object.length;
}
__global__ void increment_number(int& number) { ++number; }
__global__ void sum_row(const int (&row)[4], int* out) { *out = row[0] + row[1] + row[2] + row[3]; }
__global__ void ignore_object(const Box&, int* out) { *out = 5; }
template <class F>
__global__ void call_function(const F& function, int* out) {
  *out = function(20);
}
struct Twice {
  __device__ int operator()(int x) const { return 2 * x; }
};

template <class T>
T* managed(T value) {
  void* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, sizeof(T)));
  return new (memory) T(value);
}

void verify_references() {
  int* const values = [] {
    void* memory = nullptr;
    CHECK(cudaMallocManaged(&memory, 4 * sizeof(int)));
    return static_cast<int*>(memory);
  }();
  Box& box = *managed(Box{values, 3});
  fill_box<<<1, 32>>>(box, 7);
  CHECK(cudaDeviceSynchronize());
  verify(values[0] == 7 && values[2] == 7 && box.length == 4, "a kernel reads and changes the object of a reference");
  box.length = 9;
  int* const out = managed(0);
  read_object<<<1, 1>>>(box, out);
  CHECK(cudaDeviceSynchronize());
  verify(*out == 9, "a template finds what the host has written");
  int* number = nullptr;
  CHECK(cudaMalloc(&number, sizeof(int)));
  CHECK(cudaMemset(number, 0, sizeof(int)));
  increment_number<<<1, 1>>>(*number);
  int result = 0;
  CHECK(cudaMemcpy(&result, number, sizeof(int), cudaMemcpyDeviceToHost));
  verify(result == 1, "a reference to memory of the device");
  int(*row)[4] = nullptr;
  CHECK(cudaMallocHost(&row, sizeof *row));
  for (int i = 0; i < 4; ++i) (*row)[i] = i;
  sum_row<<<1, 1>>>(*row, out);
  CHECK(cudaDeviceSynchronize());
  verify(*out == 6, "a reference to an array in pinned memory");
  void* arguments[] = {&number};  // of a reference, cudaLaunchKernel gets the address of the object
  CHECK(cudaLaunchKernel(increment_number, dim3(1), dim3(1), arguments, 0, nullptr));
  CHECK(cudaMemcpy(&result, number, sizeof(int), cudaMemcpyDeviceToHost));
  verify(result == 2, "a reference of cudaLaunchKernel");
  // The kernels do not read these objects of the host.
  ignore_object<<<1, 1>>>(Box{nullptr, 0}, out);
  CHECK(cudaDeviceSynchronize());
  verify(*out == 5, "an object that the kernel does not read");
  call_function<<<1, 1>>>(Twice{}, out);
  CHECK(cudaDeviceSynchronize());
  verify(*out == 40, "an object without members");
}

/// Counts what happens to its objects on the host.
struct Counted {
  static int copies, ends;
  int value;
  explicit Counted(int of) : value(of) {}
  Counted(const Counted& other) : value(other.value) { ++copies; }
  ~Counted() { ++ends; }
};
int Counted::copies = 0;
int Counted::ends = 0;
__global__ void change(Counted object, int* out) {
  object.value += threadIdx.x;  // each thread has an object of its own
  out[threadIdx.x] = object.value;
}
template <class T>
__global__ void change_template(T object, int* out) {
  out[threadIdx.x] = object.value + threadIdx.x;
}

void verify_copies() {
  int* out = nullptr;
  CHECK(cudaMallocManaged(&out, 64 * sizeof(int)));
  {
    const Counted object(10);
    change<<<1, 64>>>(object, out);
    verify(Counted::copies == 1 && Counted::ends == 1, "the host makes one copy, which ends with the launch");
    CHECK(cudaDeviceSynchronize());
    verify(out[0] == 10 && out[63] == 73, "threads share no object");
    change_template<Counted><<<1, 64>>>(object, out);
    CHECK(cudaDeviceSynchronize());
    verify(Counted::copies == 2 && Counted::ends == 2 && out[63] == 73, "a template whose arguments are written");
  }
  verify(Counted::ends == 3, "the object itself");
  change<<<1, 64>>>(Counted(20), out);
  CHECK(cudaDeviceSynchronize());
  verify(Counted::copies == 2 && Counted::ends == 4 && out[1] == 21, "a temporary object is the parameter");
}

/// Frees its memory when it ends, as classes of textbooks do: cudaFree waits for the kernel.
class Text {
 public:
  explicit Text(const char* text) { assign(text); }
  Text(const Text& other) { assign(other.data_); }
  ~Text() { cudaFree(data_); }
  __host__ __device__ char& operator[](int i) { return data_[i]; }

 private:
  void assign(const char* text) {
    CHECK(cudaMallocManaged(&data_, 16));
    int i = 0;
    for (; text[i] != '\0'; ++i) data_[i] = text[i];
    data_[i] = '\0';
  }
  char* data_ = nullptr;
};
__global__ void change_text(Text text, char* out) {
  text[0] = 'v';
  *out = text[1];
}
void verify_owner() {
  Text text("hello");
  char* out = nullptr;
  CHECK(cudaMallocManaged(&out, 1));
  change_text<<<1, 1>>>(text, out);
  CHECK(cudaDeviceSynchronize());
  verify(text[0] == 'h' && *out == 'e', "the kernel has a copy of what the object owns");
}

struct Constants {
  static const int three = 3;
  unsigned four : 5;
};
__global__ void take_all(Box box, long factor, unsigned number, int more = 100) {
  box.values[threadIdx.x] = static_cast<int>(factor) * box.length + static_cast<int>(number) + more;
}
template <class T>
__global__ void take_numbers(T* out, int a, unsigned b) {
  *out = a + static_cast<int>(b);
}
__global__ void scale(float* x) { *x *= 2; }
__global__ void scale(int* x) { *x *= 3; }

void verify_forms() {
  int* out = managed(0);
  Constants bits{};
  bits.four = 4;
  take_all<<<1, 1>>>(Box{out, 5}, 2, Constants::three);
  CHECK(cudaDeviceSynchronize());
  verify(*out == 113, "a conversion, a constant and a default argument");
  take_all<<<1, 1>>>({out, 5}, 'a' - 'b', bits.four, 0);
  CHECK(cudaDeviceSynchronize());
  verify(*out == -1, "braces and a bit field");
  take_numbers<<<1, 1>>>(out, Constants::three, bits.four);
  CHECK(cudaDeviceSynchronize());
  verify(*out == 7, "a template");
  scale<<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize());
  verify(*out == 21, "an overloaded kernel");
  void (*pointer)(float*) = scale;
  float* const x = managed(1.5F);
  pointer<<<1, 1>>>(x);
  CHECK(cudaDeviceSynchronize());
  verify(*x == 3, "a pointer to one of them");
}

int main() {
  verify_references();
  verify_copies();
  verify_owner();
  verify_forms();
  return passed();
}
