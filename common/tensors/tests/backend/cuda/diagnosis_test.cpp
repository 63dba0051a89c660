// SPDX-License-Identifier: MIT
// The diagnosis for each way in which driver, toolkit and card do not fit; no card is needed.
#include "backend/cuda/discovery/discovery.h"
#include "backend/health.h"
#include "backend/nvidia_machine.h"
#include "kernels/blas_operand.h"
#include "messages.h"

namespace d2l::backend::cuda {
namespace {

using kernels::blas_layout;
using kernels::BlasLayout;
using tests::contains;

constexpr int insufficient_driver = 35;
constexpr int no_device = 100;

TEST(Diagnosis, OfNoCardIsThatOfABuildWithoutCuda) {
  Circumstances now;
  now.status = insufficient_driver;
  now.toolkit = 13000;
  EXPECT_EQ(diagnose(now), no_card_diagnosis);
  now.status = no_device;
  EXPECT_EQ(diagnose(now), no_card_diagnosis);
}

TEST(Diagnosis, OfACardWithoutDriver) {
  Circumstances now;
  now.status = insufficient_driver;
  now.visible_card = "0000:01:00.0";
  EXPECT_TRUE(contains(diagnose(now), "0000:01:00.0"));
  EXPECT_TRUE(contains(diagnose(now), "Install it"));
  now.driver = "570.86.10";
  EXPECT_TRUE(contains(diagnose(now), "libcuda.so.1 is not found"));
}

TEST(Diagnosis, OfADriverOlderThanTheToolkit) {
  Circumstances now;
  now.status = insufficient_driver;
  now.driver = "535.104.05";
  now.driver_cuda = 12020;
  now.toolkit = 13000;
  EXPECT_TRUE(contains(diagnose(now), "driver 535.104.05 supports CUDA up to 12.2"));
  EXPECT_TRUE(contains(diagnose(now), "made with CUDA 13.0"));
  EXPECT_TRUE(contains(diagnose(now), "Update the driver"));
}

TEST(Diagnosis, OfACardTooOldForTheBinary) {
  Circumstances now;
  now.driver_cuda = 12080;
  now.built_for = {80, 90};
  now.unusable.resize(1);
  now.unusable[0].properties.name = "Tesla V100";
  now.unusable[0].properties.major = 7;
  now.unusable[0].properties.minor = 0;
  EXPECT_TRUE(contains(diagnose(now), "Tesla V100 has compute capability 7.0, too old for this build"));
  EXPECT_TRUE(contains(diagnose(now), "holds code for 8.0, 9.0"));
  EXPECT_TRUE(contains(diagnose(now), "-DCMAKE_CUDA_ARCHITECTURES=70"));
}

TEST(Diagnosis, OfACardWithoutMemoryPools) {
  Circumstances now;
  now.driver_cuda = 12080;
  now.built_for = {80, 90};
  now.unusable.resize(1);
  now.unusable[0].properties.name = "GRID T4";
  now.unusable[0].properties.major = 9;
  now.unusable[0].has_memory_pools = false;
  EXPECT_TRUE(contains(diagnose(now), "GRID T4 has no memory pools"));
  EXPECT_FALSE(diagnose(now).find("compute capability") != std::string::npos);
}

TEST(Diagnosis, OfHiddenCardsAndBrokenDrivers) {
  Circumstances now;
  now.driver_cuda = 13000;
  now.driver = "580.65.06";
  now.status = no_device;
  now.hidden = true;
  EXPECT_TRUE(contains(diagnose(now), "CUDA_VISIBLE_DEVICES hides them"));
  now.hidden = false;
  now.status = 999;
  now.status_text = "unknown error";
  EXPECT_TRUE(contains(diagnose(now), "does not work: unknown error"));
}

TEST(Health, KeepsItsFirstFaultAndSurfacesItOnce) {
  Health health("cuda:1");
  health.require("add");
  health.fault("CUDA error: device-side assert triggered");
  health.fault("something else");
  EXPECT_TRUE(health.faulty());
  EXPECT_NO_THROW(health.require("add")) << "the fault is not reported yet";
  EXPECT_THROW(health.surface("synchronize"), FatalDeviceError);
  EXPECT_TRUE(contains(tests::message_of<FatalDeviceError>([&] { health.require("add"); }),
                       "[add] CUDA error: device-side assert triggered. cuda:1 is lost"));
}

TEST(BlasLayout, SeesRowsColumnsAndNeither) {
  EXPECT_EQ(blas_layout(3, 4, 4, 1), (BlasLayout{false, 4}));
  EXPECT_EQ(blas_layout(3, 4, 1, 3), (BlasLayout{true, 3}));
  EXPECT_EQ(blas_layout(3, 4, 10, 1), (BlasLayout{false, 10}));
  EXPECT_EQ(blas_layout(1, 4, 0, 1), (BlasLayout{false, 4})) << "a single row has no next row";
  EXPECT_EQ(blas_layout(3, 1, 1, 0), (BlasLayout{false, 1}));
  EXPECT_EQ(blas_layout(1, 1, 0, 0), (BlasLayout{false, 1}));
  EXPECT_EQ(blas_layout(3, 4, 0, 1), std::nullopt) << "an expanded row";
  EXPECT_EQ(blas_layout(3, 4, 8, 2), std::nullopt);
}

}  // namespace
}  // namespace d2l::backend::cuda
