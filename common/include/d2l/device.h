// SPDX-License-Identifier: MIT
/// @file
/// Device: where a tensor lives and where its work is done; a value of two fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

/// Tensors, gradients, networks and training on any device, every copy and wait of which is counted.
namespace d2l {

/// The kinds of device that the library drives.
enum class DeviceType : std::int8_t {
  CPU,  ///< all cores and all main memory
  CUDA  ///< a GPU, physical or virtual
};

inline constexpr DeviceType kCPU = DeviceType::CPU;    ///< DeviceType::CPU, by LibTorch's name
inline constexpr DeviceType kCUDA = DeviceType::CUDA;  ///< DeviceType::CUDA, by LibTorch's name

/// A device by name; making one touches no hardware, and `cuda` is `cuda:0`.
class Device {
 public:
  /// `index` counts GPUs from 0; -1, for the CPU alone, means all of it; DeviceError outside 0 to 127.
  Device(DeviceType type, int index) : type_(type), index_(static_cast<std::int8_t>(index)) {
    if (index < (is_cpu() ? -1 : 0) || index > 127) refuse(type, index);
  }
  /// The CPU, or the first GPU.
  Device(DeviceType type) : Device(type, type == kCPU ? -1 : 0) {}  // NOLINT(google-explicit-constructor)
  ///@{
  /// Parses "cpu", "cuda" or "cuda:1"; DeviceError with PyTorch's words for anything else.
  Device(const std::string& text);                         // NOLINT(google-explicit-constructor)
  Device(const char* text) : Device(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  ///@}

  /// What kind of device it names.
  [[nodiscard]] DeviceType type() const noexcept { return type_; }
  /// The number of the GPU, from 0; -1 for the CPU.
  [[nodiscard]] int index() const noexcept { return index_; }
  /// Whether it names the CPU.
  [[nodiscard]] bool is_cpu() const noexcept { return type_ == kCPU; }
  /// Whether it names a GPU.
  [[nodiscard]] bool is_cuda() const noexcept { return type_ == kCUDA; }
  /// "cpu" or "cuda:0".
  [[nodiscard]] std::string str() const;

  /// Whether both name the same device; there is one CPU, whatever its index.
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
/// The GPU number `index`, one card and its own memory; it need not exist until it is used.
Device gpu(int index = 0);
/// How many GPUs there are, physical or virtual; 0 when the driver is missing or broken. ConfigurationError for a
/// malformed D2L_VIRTUAL_GPUS.
int num_gpus();
/// gpu(index) if it exists, else cpu(); DeviceError if `index` is negative.
Device try_gpu(int index = 0);
/// Every GPU, or {cpu()} when there is none; never empty.
std::vector<Device> try_all_gpus();
/// The first `count` GPUs; DeviceError "asked for 2, found 1" when there are fewer.
std::vector<Device> gpus(int count);

/// What kind of machine a device is.
enum class DeviceKind : std::int8_t {
  cpu,                  ///< the CPU
  physical_gpu,         ///< a whole card
  virtual_gpu_on_host,  ///< a virtual GPU in host memory: a thread on a core
  virtual_gpu_on_card   ///< a virtual GPU that is a slice of a card
};

/// What a device says of itself; unknown numbers are -1.
struct DeviceProperties {
  std::string name;                   ///< as the driver names it, or "Virtual GPU 0 (host memory, 1 core)"
  DeviceKind kind = DeviceKind::cpu;  ///< what kind of machine it is
  std::int64_t total_memory = -1;     ///< bytes
  int multiprocessors = -1;           ///< streaming multiprocessors, or cores
  int major = -1;                     ///< compute capability, of CUDA cards: before the dot
  int minor = -1;                     ///< and after it
  int utilisation = -1;               ///< percent, by NVML
  int temperature = -1;               ///< degrees Celsius, by NVML
  double power = -1;                  ///< watts, by NVML
  double power_limit = -1;            ///< watts, by NVML
  std::string bus_id;                 ///< PCI address, empty when there is none
};

/// The properties of a device; DeviceError if it does not exist.
DeviceProperties device_properties(Device device);

/// A device's memory in bytes, by who counts it.
struct MemoryInfo {
  std::int64_t total = 0;      ///< what the device has
  std::int64_t free = 0;       ///< what can still be had
  std::int64_t used = 0;       ///< what the driver sees taken: pools, contexts, other programs
  std::int64_t reserved = 0;   ///< what this process's pool holds
  std::int64_t requested = 0;  ///< what live tensors of this process asked for
  std::int64_t blocks = 0;     ///< how many blocks that is; counted on GPUs alone
};

/// The memory of a device now; DeviceError if it does not exist.
MemoryInfo memory_info(Device device);

/// Waits until all work given to `device` is done; FatalDeviceError if the device is lost.
void synchronize(Device device);
/// Waits until all work given to every GPU is done; FatalDeviceError if one is lost.
void synchronize();

/// Lets an operation on the CPU use so many threads; ValueError below 1.
void set_num_threads(int count);
/// How many threads an operation on the CPU may use.
int get_num_threads();

/// Versions of what is between the library and a physical GPU; empty where there is none.
struct DriverInfo {
  std::string driver;       ///< of the installed NVIDIA driver
  std::string driver_cuda;  ///< newest CUDA that the driver knows
  std::string toolkit;      ///< CUDA toolkit that this build was made with
  std::string diagnosis;    ///< why there is no physical GPU to use, and the fix; empty when there is one
};
/// What is installed; the strings say why where nothing is.
DriverInfo driver_info();

/// Makes virtual GPUs as D2L_VIRTUAL_GPUS=`specification` would; ConfigurationError when it is malformed or devices
/// were used already.
void use_virtual_gpus(const std::string& specification);

}  // namespace d2l
