// SPDX-License-Identifier: MIT
/// @file
/// The hierarchy of errors. A message names the operation, its operands, what is wrong, and how to fix it.
#pragma once

#include <stdexcept>

namespace d2l {

/// Base of every error that this library throws.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Operands on different devices, or a device that does not exist; recoverable.
struct DeviceError : Error {
  using Error::Error;
};

/// Shapes, sizes, dimensions or strides that do not match; recoverable.
struct ShapeError : Error {
  using Error::Error;
};

/// An index or a dimension number out of range; recoverable.
struct IndexError : Error {
  using Error::Error;
};

/// A dtype that an operation does not support or cannot produce; recoverable.
struct TypeError : Error {
  using Error::Error;
};

/// An argument with an invalid value (a negative size, an empty list, a moved-from tensor); recoverable.
struct ValueError : Error {
  using Error::Error;
};

/// A device has less free memory than requested; recoverable, and no tensor is lost.
struct OutOfMemoryError : Error {
  using Error::Error;
};

/// A TransferGuard refused an implicit copy; recoverable.
struct TransferError : Error {
  using Error::Error;
};

/// A malformed environment variable, flag or file; recoverable.
struct ConfigurationError : Error {
  using Error::Error;
};

/// A rank of a process group has died, has not answered within the timeout, or called another collective; the group
/// cannot be used any more, devices and tensors can.
struct DistributedError : Error {
  using Error::Error;
};

/// A device is lost after an illegal operation; every later call on it throws this error until the process ends.
struct FatalDeviceError : Error {
  using Error::Error;
};

}  // namespace d2l
