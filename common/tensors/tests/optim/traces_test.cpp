// SPDX-License-Identifier: MIT
// Optimizers and schedules of learning rates against traces of PyTorch 2.15.
#include <cmath>
#include <memory>

#include "every_device.h"

namespace d2l::testing {
namespace {

using optim::Adam;
using optim::AdamOptions;
using optim::AdamW;
using optim::AdamWOptions;
using optim::LRScheduler;
using optim::Optimizer;
using optim::RMSprop;
using optim::RMSpropOptions;
using optim::SGD;
using optim::SGDOptions;

/// Two elements of a parameter, their gradients, and what PyTorch makes of them, step by step.
struct Trace {
  std::unique_ptr<Optimizer> (*optimizer)(std::vector<Tensor> p);
  std::unique_ptr<LRScheduler> (*scheduler)(Optimizer& o);
  std::vector<double> start;
  std::vector<std::vector<double>> gradients;
  std::vector<std::vector<double>> after;
  std::vector<double> learning_rates;
};

std::unique_ptr<LRScheduler> none(Optimizer& /*o*/) { return nullptr; }
std::unique_ptr<LRScheduler> halved(Optimizer& o) { return std::make_unique<optim::StepLR>(o, 2, 0.5); }
std::unique_ptr<LRScheduler> cosine(Optimizer& o) { return std::make_unique<optim::CosineAnnealingLR>(o, 5); }

std::vector<Trace> traces() {
  using P = std::vector<Tensor>;
  return {
      {[](P p) -> std::unique_ptr<Optimizer> {
         return std::make_unique<Adam>(p, AdamOptions(0.01).betas({0.8, 0.9}).eps(1e-6).weight_decay(0.1));
       },
       none,
       {0.17368345, -0.357593536},
       {{-0.261488259, -1.64159739},
        {0.771857619, 2.036093},
        {-0.107930966, 0.41639939},
        {1.32968903, 2.89024758},
        {0.681686997, -1.2247293},
        {1.48670995, 0.0462357812}},
       {{0.18368341, -0.347593546},
        {0.178150862, -0.349568605},
        {0.174840689, -0.352066219},
        {0.168085918, -0.35817343},
        {0.160564765, -0.360773891},
        {0.152042896, -0.362928122}},
       {0.01, 0.01, 0.01, 0.01, 0.01, 0.01}},
      {[](P p) -> std::unique_ptr<Optimizer> { return std::make_unique<Adam>(p, AdamOptions(0.1).amsgrad(true)); },
       none,
       {0.177583098, -0.0498236269},
       {{-1.16767883, 0.672085643},
        {0.488224715, -0.372867286},
        {-0.796863616, 1.68416762},
        {-0.186427414, 0.0725844055},
        {0.409121186, 1.49980235},
        {-1.83309186, -0.358884275}},
       {{0.277583092, -0.149823621},
        {0.310680568, -0.172295064},
        {0.366384238, -0.237625986},
        {0.418858469, -0.293378204},
        {0.447345346, -0.364333898},
        {0.503026605, -0.417022854}},
       {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}},
      {[](P p) -> std::unique_ptr<Optimizer> { return std::make_unique<AdamW>(p, 0.1); },
       halved,
       {-1.35246098, -0.266887724},
       {{-0.0476416424, -0.419599026},
        {0.502704084, 0.880940437},
        {-1.22533262, -0.965293646},
        {-0.857019186, -0.428374857},
        {1.52795553, 1.31395304},
        {-0.945986688, 0.595374048}},
       {{-1.25110853, -0.166620851},
        {-1.31762075, -0.204840451},
        {-1.29740298, -0.192812219},
        {-1.26751852, -0.1747282},
        {-1.26781857, -0.17828168},
        {-1.26282299, -0.185021341}},
       {0.1, 0.1, 0.05, 0.05, 0.025, 0.025}},
      {[](P p) -> std::unique_ptr<Optimizer> {
         return std::make_unique<AdamW>(p, AdamWOptions(0.01).weight_decay(0.5));
       },
       halved,
       {0.79429704, -0.754475892},
       {{0.667978048, 1.29162753},
        {0.254933894, 2.07662654},
        {-1.24130511, -0.431783319},
        {-0.311731309, 0.291452885},
        {-1.73590457, 0.521547318},
        {0.819476783, -1.0285219}},
       {{0.780325592, -0.760703504},
        {0.767509758, -0.766757369},
        {0.766640961, -0.768036544},
        {0.766183078, -0.769055665},
        {0.76666522, -0.769589067},
        {0.766430855, -0.769333363}},
       {0.01, 0.01, 0.005, 0.005, 0.0025, 0.0025}},
      {[](P p) -> std::unique_ptr<Optimizer> {
         return std::make_unique<RMSprop>(p, RMSpropOptions(0.01).momentum(0.9).centered(true));
       },
       cosine,
       {0.0800746977, -0.0693993196},
       {{2.74768925, 0.283694834},
        {-0.518124282, -0.052199062},
        {-1.27305734, 1.07990336},
        {0.150689095, 0.123644382},
        {-0.686692238, 0.719388127},
        {0.0916876718, -0.387555063}},
       {{-0.0204290878, -0.16990307},
        {-0.0853497684, -0.235218808},
        {-0.10027381, -0.341467679},
        {-0.109079868, -0.395795107},
        {-0.109153375, -0.414561689},
        {-0.109153375, -0.414561689}},
       {0.01, 0.009045084971874737, 0.0065450849718747366, 0.0034549150281252628, 0.0009549150281252632, 0.0}},
      {[](P p) -> std::unique_ptr<Optimizer> {
         return std::make_unique<SGD>(p, SGDOptions(0.1).momentum(0.9).nesterov(true));
       },
       none,
       {-0.196405575, 0.349872291},
       {{-2.38031173, -0.267202079},
        {0.511983335, 0.861941338},
        {0.0283399317, -0.76898849},
        {-2.03648734, -0.506234229},
        {-0.962546229, -0.474299908},
        {0.721844554, -0.0986758322}},
       {{0.255853653, 0.400640696},
        {0.351382077, 0.258515209},
        {0.478051543, 0.354284793},
        {0.981537282, 0.467452973},
        {1.43427432, 0.61386025},
        {1.61795807, 0.721688211}},
       {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}},
      {[](P p) -> std::unique_ptr<Optimizer> {
         return std::make_unique<SGD>(p, SGDOptions(0.1).momentum(0.9).nesterov(true));
       },
       cosine,
       {0.70682919, -0.603950918},
       {{-0.276187867, 0.818321109},
        {0.660744131, -1.05651593},
        {-0.293446392, -0.996752679},
        {-0.887677073, -0.0820857212},
        {-0.812352836, -0.94115907},
        {-0.435246557, 0.526447773}},
       {{0.759304881, -0.759431899},
        {0.665986598, -0.637817085},
        {0.680627048, -0.496898025},
        {0.736728072, -0.455555409},
        {0.757793307, -0.428900927},
        {0.757793307, -0.428900927}},
       {0.1, 0.09045084971874738, 0.06545084971874737, 0.03454915028125263, 0.009549150281252633, 0.0}},
  };
}

TEST(Optimizers, GiveTheTracesOfPyTorch) {
  on_every_device([](Device device) {
    for (const Trace& trace : traces()) {
      const auto parameter = nn::Parameter(tensor(trace.start, TensorOptions(kFloat).device(device)));
      const auto optimizer = trace.optimizer({parameter});
      const auto scheduler = trace.scheduler(*optimizer);
      for (std::size_t step = 0; step < trace.gradients.size(); ++step) {
        const double rate = optimizer->param_groups()[0].options().get_lr();
        EXPECT_NEAR(rate, trace.learning_rates[step], 1e-15) << repr(*optimizer) << " at step " << step;
        parameter.mutable_grad() = tensor(trace.gradients[step], TensorOptions(kFloat).device(device));
        optimizer->step();
        if (scheduler != nullptr) scheduler->step();
        const auto values = parameter.to_vector<double>();
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double expected = trace.after[step][i];
          EXPECT_NEAR(values[i], expected, 1e-5 * std::abs(expected) + 1e-6) << repr(*optimizer) << " at step " << step;
        }
      }
    }
  });
}

}  // namespace
}  // namespace d2l::testing
