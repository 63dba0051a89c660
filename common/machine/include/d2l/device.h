// SPDX-License-Identifier: MIT
/// @file
/// Device: where a tensor is stored and its operations run. It is a value: a type and an index.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

/// Tensors, gradients, neural networks and training on any device; every copy and synchronisation is counted.
namespace d2l {

/// The types of device that can be named. A process has the CPU and GPUs of one type, which accelerator.h tells.
enum class DeviceType : std::int8_t {
  CPU,         ///< all cores and all main memory
  CUDA,        ///< a GPU, physical or virtual
  XPU,         ///< a GPU of Intel; no process has one
  MPS,         ///< a GPU of Apple; no process has one
  PrivateUse1  ///< a GPU whose maker PyTorch does not know; here, a virtual GPU that was asked for by this name
};

inline constexpr DeviceType kCPU = DeviceType::CPU;                  ///< LibTorch's name for DeviceType::CPU
inline constexpr DeviceType kCUDA = DeviceType::CUDA;                ///< LibTorch's name for DeviceType::CUDA
inline constexpr DeviceType kXPU = DeviceType::XPU;                  ///< LibTorch's name for DeviceType::XPU
inline constexpr DeviceType kMPS = DeviceType::MPS;                  ///< LibTorch's name for DeviceType::MPS
inline constexpr DeviceType kPrivateUse1 = DeviceType::PrivateUse1;  ///< LibTorch's name for DeviceType::PrivateUse1

/// The name of a type in the names of its devices: "cpu", "cuda", "xpu", "mps", "privateuseone" or its other name.
std::string DeviceTypeName(DeviceType type);

/// The name of a device. Constructing one does not access hardware; `cuda` means `cuda:0`.
class Device {
 public:
  /// `index` counts GPUs from 0; -1 is allowed for the CPU only. DeviceError outside 0 to 127.
  Device(DeviceType type, int index) : type_(type), index_(static_cast<std::int8_t>(index)) {
    if (index < (is_cpu() ? -1 : 0) || index > 127) refuse(type, index);
  }
  /// The CPU, or the first GPU.
  Device(DeviceType type) : Device(type, type == kCPU ? -1 : 0) {}  // NOLINT(google-explicit-constructor)
  ///@{
  /// Parses "cpu", "cuda", "cuda:1", or another type likewise; DeviceError with PyTorch's message for any other text.
  Device(const std::string& text);                         // NOLINT(google-explicit-constructor)
  Device(const char* text) : Device(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  ///@}

  /// The type: CPU, CUDA, …
  [[nodiscard]] DeviceType type() const noexcept { return type_; }
  /// The index of the GPU, from 0; -1 for the CPU.
  [[nodiscard]] int index() const noexcept { return index_; }
  /// True for the CPU.
  [[nodiscard]] bool is_cpu() const noexcept { return type_ == kCPU; }
  /// True for a GPU of type CUDA.
  [[nodiscard]] bool is_cuda() const noexcept { return type_ == kCUDA; }
  /// True for a GPU of type PrivateUse1.
  [[nodiscard]] bool is_privateuseone() const noexcept { return type_ == kPrivateUse1; }
  /// "cpu" or "cuda:0".
  [[nodiscard]] std::string str() const;

  /// True if both name the same device. There is one CPU, so its index is ignored.
  friend bool operator==(const Device& a, const Device& b) noexcept {
    return a.type_ == b.type_ && (a.is_cpu() || a.index_ == b.index_);
  }

 private:
  [[noreturn]] static void refuse(DeviceType type, int index);

  DeviceType type_;
  std::int8_t index_;
};

/// Writes str().
std::ostream& operator<<(std::ostream& out, const Device& device);
/// Python's form: `device(type='cuda', index=0)`.
std::string repr(const Device& device);

/// The CPU device: all cores and all main memory.
Device cpu();
/// The GPU with this index, of the type that the process has: CUDA, unless virtual GPUs of another type were asked for.
/// It need not exist until it is used; DeviceError if `index` is not 0 to 127.
Device gpu(int index = 0);
/// The number of GPUs, physical or virtual; 0 if the driver is missing or broken. ConfigurationError if
/// D2L_VIRTUAL_GPUS is malformed.
int num_gpus();
/// gpu(index) if it exists, else cpu(); DeviceError if `index` is negative.
Device try_gpu(int index = 0);
/// Every GPU, or {cpu()} if there are no GPUs; never empty.
std::vector<Device> try_all_gpus();
/// The first `count` GPUs; DeviceError "asked for 2, found 1" if there are fewer.
std::vector<Device> gpus(int count);

/// How a device is implemented.
enum class DeviceKind : std::int8_t {
  cpu,                  ///< the CPU
  physical_gpu,         ///< a whole card
  virtual_gpu_on_host,  ///< a virtual GPU in host memory, run by one host thread
  virtual_gpu_on_card   ///< a virtual GPU that is a slice of a card
};

/// The properties of a device; unknown numbers are -1.
struct DeviceProperties {
  std::string name;                   ///< the driver's name, or "Virtual GPU 0 (host memory, 1 core)"
  DeviceKind kind = DeviceKind::cpu;  ///< how it is implemented
  std::int64_t total_memory = -1;     ///< bytes
  int multiprocessors = -1;           ///< streaming multiprocessors, or cores
  int major = -1;                     ///< compute capability of a CUDA card: the number before the dot
  int minor = -1;                     ///< compute capability: the number after the dot
  int utilisation = -1;               ///< percent, from NVML
  int temperature = -1;               ///< degrees Celsius, from NVML
  double power = -1;                  ///< watts, from NVML
  double power_limit = -1;            ///< watts, from NVML
  std::string bus_id;                 ///< PCI address; empty for a device without one
};

/// The properties of a device; DeviceError if it does not exist.
DeviceProperties device_properties(Device device);

/// The memory of a device in bytes: the counts of the driver, of this process's pool, and of its tensors.
struct MemoryInfo {
  std::int64_t total = 0;      ///< memory of the device
  std::int64_t free = 0;       ///< memory that can still be allocated
  std::int64_t used = 0;       ///< memory in use by the driver's count: pools, contexts, other programs
  std::int64_t reserved = 0;   ///< memory that this process's pool holds
  std::int64_t requested = 0;  ///< memory that the live tensors of this process requested
  std::int64_t blocks = 0;     ///< the number of blocks that `requested` consists of; counted on GPUs only
};

/// The current memory use of a device; DeviceError if it does not exist.
MemoryInfo memory_info(Device device);

/// Waits until all work issued to `device` is done, on virtual GPUs also that of streams of kernels; FatalDeviceError
/// if the device is lost.
void synchronize(Device device);
/// Waits until all work issued to every GPU is done; FatalDeviceError if a GPU is lost.
void synchronize();

/// Sets the number of threads that an operation on the CPU may use; ValueError below 1 and above 1024.
void set_num_threads(int count);
/// The number of threads that an operation on the CPU may use; 1 in a child of fork().
int get_num_threads();

/// The versions of the NVIDIA driver and the CUDA toolkit; a string is empty if the component is missing.
struct DriverInfo {
  std::string driver;       ///< version of the installed NVIDIA driver
  std::string driver_cuda;  ///< newest CUDA version that the driver supports
  std::string toolkit;      ///< version of the CUDA toolkit that built the library
  std::string diagnosis;    ///< why no physical GPU can be used, and the fix; empty if one can
};
/// The installed driver and toolkit, and why no physical GPU can be used.
DriverInfo driver_info();

/// Creates virtual GPUs as D2L_VIRTUAL_GPUS=`specification` does; ConfigurationError if it is malformed, or if the
/// program has already used a device.
void use_virtual_gpus(const std::string& specification);

}  // namespace d2l
