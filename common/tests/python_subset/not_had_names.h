// SPDX-License-Identifier: MIT
// Names of PyTorch's that this library does not have, with spaces between them.
#pragma once

namespace python_subset::not_had {

extern const char* const more_methods;          ///< of tensors
extern const char* const more_functions;        ///< of torch
extern const char* const more_layers;           ///< of torch.nn
extern const char* const more_layer_functions;  ///< of torch.nn.functional

}  // namespace python_subset::not_had
