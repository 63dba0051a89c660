// SPDX-License-Identifier: MIT
// The module _d2l: optimizers and schedules of learning rates.
#include "golden/binding.h"

namespace golden {
namespace {

namespace optim = d2l::optim;
using d2l::Tensor;
using optim::Optimizer;
using optim::OptimizerParamGroup;

/// Binds an optimizer and the class of its options.
template <class Kind, class Options>
py::class_<Options> bind_optimizer(py::module_& m, const std::string& name) {
  const auto group = [](const std::vector<Tensor>& parameters, const Options& options) {
    return OptimizerParamGroup(parameters, std::make_unique<Options>(options));
  };
  using Groups = std::vector<std::pair<std::vector<Tensor>, Options>>;
  py::class_<Kind, Optimizer, std::shared_ptr<Kind>>(m, name.c_str())
      .def(py::init<std::vector<Tensor>, const Options&>())
      .def(py::init([group](const Groups& groups, const Options& defaults) {
        std::vector<OptimizerParamGroup> list;
        for (const auto& [parameters, options] : groups) list.push_back(group(parameters, options));
        return std::make_shared<Kind>(std::move(list), defaults);
      }))
      .def("_add", [group](Kind& optimizer, const std::vector<Tensor>& parameters,
                           const Options& options) { optimizer.add_param_group(group(parameters, options)); })
      .def(
          "_options",
          [](Kind& optimizer, std::size_t i) {
            return dynamic_cast<Options*>(&optimizer.param_groups().at(i).options());
          },
          py::return_value_policy::reference_internal);
  py::class_<Options> options(m, (name + "Options").c_str());
  options.def(py::init<double>()).def("copy", [](const Options& given) { return given; });
  return options;
}

/// An option as an attribute.
#define OPTION(Options, name)                                              \
  def_property(                                                            \
      #name, [](const optim::Options& options) { return options.name(); }, \
      [](optim::Options& options, std::decay_t<decltype(options.name())> value) { options.name(value); })

void bind_schedules(py::module_& m) {
  using optim::LRScheduler;
  const auto step_lr = [](Optimizer& optimizer, Integer step_size, double gamma) {
    return std::make_unique<optim::StepLR>(optimizer, step_size, gamma);
  };
  const auto cosine_annealing_lr = [](Optimizer& optimizer, Integer steps, double eta_min) {
    return std::make_unique<optim::CosineAnnealingLR>(optimizer, steps, eta_min);
  };
  const auto optimizer = "optimizer"_a;
  const py::keep_alive<1, 2> keeps_the_optimizer;
  py::class_<LRScheduler>(m, "LRScheduler")
      .def("step", &LRScheduler::step)
      .def("get_last_lr", &LRScheduler::get_last_lr);
  py::class_<optim::StepLR, LRScheduler>(m, "StepLR")
      .def(py::init(step_lr), optimizer, "step_size"_a, "gamma"_a = 0.1, keeps_the_optimizer);
  py::class_<optim::CosineAnnealingLR, LRScheduler>(m, "CosineAnnealingLR")
      .def(py::init(cosine_annealing_lr), optimizer, "T_max"_a, "eta_min"_a = 0.0, keeps_the_optimizer);
}

}  // namespace

void bind_optimizers(py::module_& module) {
  py::class_<Optimizer, std::shared_ptr<Optimizer>>(module, "Optimizer")
      .def("step", &Optimizer::step)
      .def("zero_grad", &Optimizer::zero_grad, "set_to_none"_a = false)
      .def("_groups", [](Optimizer& optimizer) { return optimizer.param_groups().size(); })
      .def("_parameters", [](Optimizer& optimizer, std::size_t i) { return optimizer.param_groups().at(i).params(); })
      .def("__repr__", [](const Optimizer& optimizer) { return optim::repr(optimizer); });
  bind_optimizer<optim::SGD, optim::SGDOptions>(module, "SGD")
      .OPTION(SGDOptions, lr)
      .OPTION(SGDOptions, momentum)
      .OPTION(SGDOptions, dampening)
      .OPTION(SGDOptions, weight_decay)
      .OPTION(SGDOptions, nesterov);
  bind_optimizer<optim::Adam, optim::AdamOptions>(module, "Adam")
      .OPTION(AdamOptions, lr)
      .OPTION(AdamOptions, betas)
      .OPTION(AdamOptions, eps)
      .OPTION(AdamOptions, weight_decay)
      .OPTION(AdamOptions, amsgrad);
  bind_optimizer<optim::AdamW, optim::AdamWOptions>(module, "AdamW")
      .OPTION(AdamWOptions, lr)
      .OPTION(AdamWOptions, betas)
      .OPTION(AdamWOptions, eps)
      .OPTION(AdamWOptions, weight_decay)
      .OPTION(AdamWOptions, amsgrad);
  bind_optimizer<optim::RMSprop, optim::RMSpropOptions>(module, "RMSprop")
      .OPTION(RMSpropOptions, lr)
      .OPTION(RMSpropOptions, alpha)
      .OPTION(RMSpropOptions, eps)
      .OPTION(RMSpropOptions, weight_decay)
      .OPTION(RMSpropOptions, momentum)
      .OPTION(RMSpropOptions, centered);
  bind_optimizer<optim::Adagrad, optim::AdagradOptions>(module, "Adagrad")
      .OPTION(AdagradOptions, lr)
      .OPTION(AdagradOptions, lr_decay)
      .OPTION(AdagradOptions, weight_decay)
      .OPTION(AdagradOptions, initial_accumulator_value)
      .OPTION(AdagradOptions, eps);
  bind_schedules(module);
}
#undef OPTION

}  // namespace golden
