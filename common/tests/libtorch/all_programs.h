// SPDX-License-Identifier: MIT
// The list of all shared programs.
#pragma once

#include "convolution_programs.h"
#include "loss_programs.h"
#include "normalisation_programs.h"
#include "optimizer_programs.h"
#include "order_programs.h"
#include "pooling_programs.h"
#include "programs.h"
#include "shape_programs.h"
#include "training_programs.h"

namespace programs {

struct Program {
  const char* name;
  Values (*run)();
};

inline constexpr Program all[] = {{"factories", factories},
                                  {"factories_like", factories_like},
                                  {"ranges", ranges},
                                  {"random_numbers", random_numbers},
                                  {"options", options},
                                  {"shapes", shapes},
                                  {"views", views},
                                  {"assignments", assignments},
                                  {"places", places},
                                  {"items", items},
                                  {"arithmetic", arithmetic},
                                  {"powers", powers},
                                  {"in_place", in_place},
                                  {"comparisons", comparisons},
                                  {"unary_functions", unary_functions},
                                  {"more_functions", more_functions},
                                  {"divisions", divisions},
                                  {"choices", choices},
                                  {"activations", activations},
                                  {"reductions", reductions},
                                  {"extremes", extremes},
                                  {"norms", norms},
                                  {"products", products},
                                  {"joined", joined},
                                  {"a_small_model", a_small_model},
                                  {"gradients_of_elementwise_operations", gradients_of_elementwise_operations},
                                  {"gradients_of_reductions", gradients_of_reductions},
                                  {"gradients_of_views_and_products", gradients_of_views_and_products},
                                  {"gradients_of_writes_in_place", gradients_of_writes_in_place},
                                  {"scopes_of_gradients", scopes_of_gradients},
                                  {"a_linear_layer", a_linear_layer},
                                  {"a_sequential", a_sequential},
                                  {"losses", losses},
                                  {"convolutions", convolutions},
                                  {"convolutional_layers", convolutional_layers},
                                  {"losses_of_elements", losses_of_elements},
                                  {"losses_of_classes", losses_of_classes},
                                  {"layers_of_activations", layers_of_activations},
                                  {"steps_of_sgd", steps_of_sgd},
                                  {"steps_of_adam", steps_of_adam},
                                  {"steps_of_rmsprop_and_adagrad", steps_of_rmsprop_and_adagrad},
                                  {"groups_of_parameters", groups_of_parameters},
                                  {"clipping", clipping},
                                  {"initial_values", initial_values},
                                  {"initial_values_by_fans", initial_values_by_fans},
                                  {"modules_with_state", modules_with_state},
                                  {"dropped_elements", dropped_elements},
                                  {"layer_normalisations", layer_normalisations},
                                  {"batch_normalisations", batch_normalisations},
                                  {"embeddings", embeddings},
                                  {"files", files},
                                  {"a_module_of_ones_own", a_module_of_ones_own},
                                  {"poolings", poolings},
                                  {"gradients_of_poolings", gradients_of_poolings},
                                  {"layers_of_poolings", layers_of_poolings},
                                  {"a_function_of_ones_own", a_function_of_ones_own},
                                  // Shapes, places, factories, reductions, order, products and schedules.
                                  {"more_shapes", more_shapes},
                                  {"parts", parts},
                                  {"repetitions", repetitions},
                                  {"triangles", triangles},
                                  {"other_places", other_places},
                                  {"more_factories", more_factories},
                                  {"classes", classes},
                                  {"gradients_of_places", gradients_of_places},
                                  {"spreads", spreads},
                                  {"truths_and_products", truths_and_products},
                                  {"orders", orders},
                                  {"more_products", more_products},
                                  {"gradients_of_orders", gradients_of_orders},
                                  {"gradients_of_more_functions", gradients_of_more_functions},
                                  {"schedules", schedules}};

}  // namespace programs
