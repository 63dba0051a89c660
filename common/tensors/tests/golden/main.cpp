// SPDX-License-Identifier: MIT
// The tests of golden_*test.py as tests of GoogleTest, run by an embedded Python that has this library as _d2l.
#include <pybind11/embed.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "backend/backend.h"
#include "golden/binding.h"
#include "gtest/gtest.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-identifier"  // the name is the sanitizer's
#endif
/// Python's own memory, which is never released, would be reported as leaks; everything else is checked.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

namespace {

namespace py = pybind11;

/// The module's errors and the function that makes a class's __class__ another one for each object.
void bind_errors_and_classes(py::module_& module) {
  // A case may catch an error by any of PyTorch's classes, which are not this library's.
  static const py::object error = py::reinterpret_steal<py::object>(
      PyErr_NewException("_d2l.Error",
                         py::make_tuple(py::handle(PyExc_NotImplementedError), py::handle(PyExc_ValueError),
                                        py::handle(PyExc_IndexError), py::handle(PyExc_TypeError))
                             .ptr(),
                         nullptr));
  module.attr("Error") = error;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const d2l::Error& refused) {
      PyErr_SetString(error.ptr(), refused.what());
    } catch (const py::cast_error& mismatch) {
      PyErr_SetString(PyExc_TypeError, mismatch.what());
    } catch (const py::builtin_exception&) {
      throw;
    } catch (const std::exception& escaped) {
      PyErr_SetString(PyExc_SystemError, escaped.what());
    }
  });
  // Python refuses the assignment type.__class__ = property(…).
  module.def("set_class", [](const py::object& type, const py::object& property) {
    PyDict_SetItemString(reinterpret_cast<PyTypeObject*>(type.ptr())->tp_dict, "__class__", property.ptr());
    PyType_Modified(reinterpret_cast<PyTypeObject*>(type.ptr()));
  });
}

PYBIND11_EMBEDDED_MODULE(_d2l, module) {
  bind_errors_and_classes(module);
  golden::bind_tensors(module);
  golden::bind_functions(module);
  golden::bind_modules(module);
  golden::bind_optimizers(module);
  golden::bind_pooling(module);
  golden::bind_normalisations(module);
  golden::bind_convolution(module);
  golden::bind_sequences(module);
}

void start_python() {
  PyPreConfig before;
  PyPreConfig_InitIsolatedConfig(&before);
  before.utf8_mode = 1;  // for a course in a folder whose name is not ASCII
  const auto prepared = Py_PreInitialize(&before);
  if (PyStatus_Exception(prepared) != 0) Py_ExitStatusException(prepared);
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  config.site_import = 0;  // PyTorch itself may be installed
  config.write_bytecode = 0;
  PyConfig_SetBytesString(&config, &config.program_name, D2L_GOLDEN_PYTHON);
  const auto status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) != 0) Py_ExitStatusException(status);
}

/// A function of Python that returns the failures.
class PythonTest : public testing::Test {
 public:
  explicit PythonTest(py::object function) : function_(std::move(function)) {}
  void TestBody() override {
    for (const auto& failure : py::list(function_())) ADD_FAILURE() << failure.cast<std::string>();
  }

 private:
  py::object function_;
};

}  // namespace

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (std::getenv("D2L_TESTS_NEED_GPU") != nullptr && d2l::backend::cuda_backend().device_count() == 0) {
    std::puts("Skipped: these tests need a physical GPU, and none is here.");
    return 77;
  }
  start_python();  // and never ends it: then tensors would be released after what they need
  py::module_::import("sys").attr("path").attr("insert")(0, D2L_GOLDEN);
  for (const char* file : {"golden_test", "golden_numbers_test", "golden_operations_test", "golden_names_test",
                           "golden_sixteen_bits_test"})
    py::module_::import(file);
  const py::dict tests = py::module_::import("cases").attr("tests");
  for (const auto& [name, function] : tests) {
    const auto [suite, test] = name.cast<std::pair<std::string, std::string>>();
    testing::RegisterTest(suite.c_str(), test.c_str(), nullptr, nullptr, D2L_GOLDEN, 1,
                          [f = py::reinterpret_borrow<py::object>(function)] { return new PythonTest(f); });
  }
  return RUN_ALL_TESTS();
}
