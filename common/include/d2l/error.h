// SPDX-License-Identifier: MIT
/// @file
/// Errors: one hierarchy; a message names what was attempted, on what, and the fix.
#pragma once

#include <stdexcept>

namespace d2l {

/// Base of every error that this library throws.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Operands on different devices, or a device that is not there; recoverable.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// Shapes, sizes, dimensions or strides that do not fit; recoverable.
class ShapeError : public Error {
 public:
  using Error::Error;
};

/// An index or a dimension number out of range; recoverable.
class IndexError : public Error {
 public:
  using Error::Error;
};

/// A dtype that an operation does not take or cannot produce; recoverable.
class TypeError : public Error {
 public:
  using Error::Error;
};

/// An argument whose value makes no sense (a negative size, an empty list, a moved-from tensor); recoverable.
class ValueError : public Error {
 public:
  using Error::Error;
};

/// A device has less free memory than was asked for; recoverable, nothing was lost.
class OutOfMemoryError : public Error {
 public:
  using Error::Error;
};

/// A TransferGuard refused an implicit copy; recoverable.
class TransferError : public Error {
 public:
  using Error::Error;
};

/// A malformed environment variable, flag or file; recoverable.
class ConfigurationError : public Error {
 public:
  using Error::Error;
};

/// A device is lost: it did something illegal, and reports this at every later call until the process ends.
class FatalDeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace d2l
