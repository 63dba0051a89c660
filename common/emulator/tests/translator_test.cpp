// SPDX-License-Identifier: MIT
// What the translator makes of CUDA's syntax.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "translator/translate.h"

namespace d2l::emulator::translator {
namespace {

/// The translation without the first line, which is #line.
std::string translated(std::string_view source) {
  const std::string text = translate(source, "file.cu").text;
  return text.substr(text.find('\n') + 1);
}

/// What `kernel<<<configuration>>>(arguments)` becomes.
std::string launch(const std::string& name, const std::string& configuration, const std::string& arguments) {
  const bool pointer = name.find_first_of("[.-*") != std::string::npos;
  const std::string kernel =
      pointer ? name
              : "[=](auto&&... d2l_arguments) { " + name + "(d2l_arguments...); }, D2L_EMULATOR_KERNEL(" + name + ")";
  return "::d2l::emulator::launch_of_kernel(\"" + name + "\", __FILE__, __LINE__, " + kernel +
         ", ::d2l::emulator::Configuration(" + configuration + "))(" + arguments + ")";
}

struct Case {
  std::string source;
  std::string expected;
};

class Unchanged : public testing::TestWithParam<std::string> {};
TEST_P(Unchanged, TextStaysAsItIs) { EXPECT_EQ(translated(GetParam()), GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    Translator, Unchanged,
    testing::Values("// k<<<1, 1>>>(x);\n", "/* __shared__ int a;\n k<<<1,1>>>(x) */",
                    "const char* s = \"k<<<1,1>>>(a)\";", "auto s = R\"x(k<<<1,1>>>(a) )\" )x\";",
                    "auto c = '\\'', d = '\"'; // k<<<1,1>>>()\n", "int x = 1'000'000 << 2 >> 1;",
                    "std::cout << a << b;", "#include <k<<<1>>>>\n", "__device__ float f(float x);",
                    "__device__ __forceinline__ float g(float x) { return x; }",
                    "template <class T> __device__ T value;", "extern __constant__ float c[4];",
                    "struct S { int x; __device__ S() : x(1) {} __device__ int get() const { return x; } };",
                    "vector<vector<vector<int>>> v(3);", "std::operator<< <char>(s, c);", "asm volatile(\"nop\");",
                    "// comment \\\n k<<<1,1>>>(x);\nint y;"));

class Launches : public testing::TestWithParam<Case> {};
TEST_P(Launches, BecomeCalls) { EXPECT_EQ(translated(GetParam().source), GetParam().expected); }
INSTANTIATE_TEST_SUITE_P(
    Translator, Launches,
    testing::Values(Case{"größe<<<1, 2>>>(x);", launch("größe", "1, 2", "x") + ";"},
                    Case{"k<<<1, 2>>>(x);", launch("k", "1, 2", "x") + ";"},
                    Case{"k<<<g, b>>>();", launch("k", "g, b", "") + ";"},
                    Case{"k << <1, 2 >> > (x);", launch("k", "1, 2 ", "x") + ";"},
                    Case{"k<3> << < 1, 2>>>(x);", launch("k<3>", " 1, 2", "x") + ";"},
                    Case{"n::k<<<g, b>>>(NULL, y);", launch("n::k", "g, b", "nullptr, y") + ";"},
                    Case{"::k<<<g, b, 0, s>>>(f(NULL));", launch("::k", "g, b, 0, s", "f(NULL)") + ";"},
                    Case{"k<float, (N > 3)><<<dim3(1, (2 > 1) ? 1 : 2), 32>>>(x);",
                         launch("k<float, (N>3)>", "dim3(1, (2 > 1) ? 1 : 2), 32", "x") + ";"},
                    Case{"k<A<B<int>>><<<1, sizeof(A<B<int>>)>>>(x);",
                         launch("k<A<B<int>>>", "1, sizeof(A<B<int>>)", "x") + ";"},
                    Case{"if (c) (*p)<<<1, 1>>>(x); else k<<<1, 1>>>(y);",
                         "if (c) " + launch("(*p)", "1, 1", "x") + "; else " + launch("k", "1, 1", "y") + ";"},
                    Case{"t[i]<<<1, 1>>>(x);", launch("t[i]", "1, 1", "x") + ";"},
                    Case{"this->k<<<1, 1>>>(x);", launch("this->k", "1, 1", "x") + ";"},
                    Case{"return k<<<1, 1>>>(x), 0;", "return " + launch("k", "1, 1", "x") + ", 0;"}));

TEST(Translator, TellsTheNamesOfParameters) {
  const auto told = [](const std::string& kernel, const std::string& names) {
    return " D2L_EMULATOR_PARAMETERS(\"" + kernel + "\", \"" + names + "\")";
  };
  for (const auto& [source, end] : {
           std::pair{"template <class T> __global__ void k(T* out, const T* __restrict__ in, int n = 3) { { } }",
                     told("k", "out,in,n,")},
           {"extern \"C\" __global__ void __launch_bounds__(256, 2) k(A<B, C> a, float (&b)[3], float*, int[4]) {}",
            told("k", "a,,,,")},
           {"template <> __global__ void k<float>() {}", told("k", "")},
           {"static __global__ void k(float* x, int n);", ""},
           {"#define K(name) __global__ void name(float* x) {}", ""},
           {"typedef void (*f)(int); __device__ int g(int x) { return x; }", ""},
       }) {
    EXPECT_EQ(translated(source), source + end);
  }
}

TEST(Translator, KeepsTheNumberOfLines) {
  const std::string source =
      "#define K(k, ...) \\\n  k<<<1, \\\n 2>>>(__VA_ARGS__)\nk<<<\n1,\n2>>>\n(\nx);\n"
      "__global__ void f() {\n__shared__\nfloat a[3],\nb;\nextern __shared__\n int s[];\n}\n";
  const std::string text = translated(source);
  EXPECT_EQ(std::ranges::count(text, '\n'), std::ranges::count(source, '\n'));
}

TEST(Translator, SharedVariablesHaveNamesAndTypes) {
  const std::string text = translated("__global__ void k() { __shared__ volatile float a[4][5], *p; }");
  EXPECT_NE(text.find("SharedVariable<volatile float[4][5]> d2l_shared_a; auto& a = d2l_shared_a.of_block(\"a\", "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("SharedVariable<volatile float*> d2l_shared_p;"), std::string::npos) << text;
}

TEST(Translator, SharedVariablesOutsideOfFunctions) {
  const std::string text = translated(
      "__shared__ int a[3], *b;\n"
      "__device__ void f(X x) { a[0] = a[1]; x.b = 2; }\n"
      "__device__ void g(int* b) { int a; *b = a; }\n"
      "void h() { a[0] = 1; }\n");
  EXPECT_NE(text.find("SharedVariable<int[3]> d2l_shared_a; [[maybe_unused]] static auto& d2l_shared_of_block_a()"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("f(X x) { auto& a = d2l_shared_of_block_a(); a[0] = a[1]; x.b = 2; }\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("g(int* b) { int a; *b = a; }\n"), std::string::npos) << text;
  EXPECT_NE(text.find("h() { a[0] = 1; }\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("auto& b ="), std::string::npos) << text;
}

TEST(Translator, CopiesOfTheCompilerAreFunctions) {
  EXPECT_EQ(translated("void f() { __builtin_memcpy(a, b, 4); __builtin_memset(a, 0, 4); }"),
            "void f() { memcpy(a, b, 4); memset(a, 0, 4); }");
  EXPECT_EQ(translated("int __builtin_memcpy_size;"), "int __builtin_memcpy_size;");
}

TEST(Translator, AMissingBraceHidesNoOtherError) {
  const std::string text = translated("__global__ void k() { __shared__ int a[3]; if (a[0]) { a[1] = 1; }\nint b;");
  EXPECT_NE(text.find("SharedVariable<int[3]> d2l_shared_a;"), std::string::npos) << text;
}

TEST(Translator, DynamicSharedMemory) {
  EXPECT_EQ(translated("void f() { extern __shared__ __align__(16) unsigned char s[]; }"),
            "void f() { auto& s = ::d2l::emulator::dynamic_shared_array<unsigned char>(\"s\"); }");
  EXPECT_EQ(translated("extern __shared__ float s[];"), "static ::d2l::emulator::DynamicSharedArray<float> s{\"s\"};");
}

TEST(Translator, VariablesOfTheDeviceAreRegistered) {
  const std::string text = translated("__constant__ float a[4], b; static __device__ __managed__ int c = 3;");
  for (const char* name : {"(\"a\", &a, sizeof a, \"__constant__\")", "(\"b\", &b, sizeof b, \"__constant__\")",
                           "(\"c\", &c, sizeof c, \"__managed__\")"}) {
    EXPECT_NE(text.find(name), std::string::npos) << text;
  }
  EXPECT_NE(translated("__device__ int d;").find("(\"d\", &d, sizeof d, \"__device__\")"), std::string::npos);
}

TEST(Translator, LaunchesInMacros) {
  const std::string text = translated("#define K(k, ...) k<<<1, 1>>>(__VA_ARGS__)\n");
  EXPECT_NE(text.find("launch_of_kernel(D2L_EMULATOR_TEXT(k), __FILE__, __LINE__, "), std::string::npos) << text;
}

TEST(Translator, MarksCallsWhoseResultIsNotUsed) {
  const std::string mark = "::d2l::emulator::result_unused(), ";
  for (const auto& [before, call, after] : {
           std::tuple{"void f() { ", "cudaFree(x);", " }"},
           {"void f() { g(); ", "cudaMemcpy(a, h(1), n, k);", " }"},
           {"void f() { if (a) ", "cudaFree(x);", " else { } }"},
           {"void f() { if (a) { } else ", "cudaFree(x);", " }"},
           {"void f() { for (int i = 0; i < 3; ++i) ", "cudaFree(x[i]);", " }"},
       }) {
    EXPECT_EQ(translated(std::string(before) + call + after), before + mark + call + after);
  }
  for (const char* const source :
       {"void f() { e = cudaFree(x); }", "void f() { CHECK(cudaFree(x)); }", "void f() { return cudaFree(x); }",
        "void f() { (void)cudaFree(x); }", "void f() { for (;; cudaFree(x)); }", "cudaError_t cudaFree(void* x);",
        "#define F(x) { cudaFree(x); }\n", "void f() { while (cudaStreamQuery(s) != cudaSuccess); }",
        "void f() { if (cudaFree(x) == cudaSuccess) g(); }", "void f() { cudaGetLastError(); }"}) {
    EXPECT_EQ(translated(source), source);
  }
}

TEST(Translator, MarksBodiesOfLoops) {
  for (const auto& [before, after] : {
           std::pair{"for (int i = f(0); i < 3; ++i) {", " g(); }"},
           {"while (a[(i)] > 0) {", "}"},
           {"do {", " } while (x);"},
           {"for (auto& x : {1, 2}) {", " }"},
           {"#define F(n) for (int i = 0; i < n; ++i) {", "}\n"},
       }) {
    EXPECT_EQ(translated(std::string(before) + after), before + std::string(" D2L_EMULATOR_LOOP(1, 0)") + after);
  }
  for (const char* const source : {"while (x) g();", "for (;;);", "do g(); while (x);", "if (x) { }", "a.form { }"})
    EXPECT_EQ(translated(source), source);
}

TEST(Translator, MarksWhereLoopsAreLeft) {
  const std::string loop = "for (;;) { D2L_EMULATOR_LOOP(1, 0)";
  const std::string in_loop = "{ D2L_EMULATOR_LEAVE(1) ";
  for (const auto& [source, marked] : {
           std::pair{"for (;;) { if (x) break; else g(); }", loop + " if (x) " + in_loop + "break; } else g(); }"},
           {"for (;;) { return f(x[1], {2}); }", loop + " " + in_loop + "return f(x[1], {2}); } }"},
           {"for (;;) { goto end; }", loop + " " + in_loop + "goto end; } }"},
           {"for (;;) { switch (x) { case 1: break; default: return; } break; }",
            loop + " switch (x) { case 1: break; default: " + in_loop + "return; } } " + in_loop + "break; } }"},
           {"for (;;) { while (x) { break; } break; }",
            loop + " while (x) { D2L_EMULATOR_LOOP(2, 1) { D2L_EMULATOR_LEAVE(2) break; } } " + in_loop + "break; } }"},
           {"for (;;) { switch (x) { case 1: while (y) { break; } } }",
            loop + " switch (x) { case 1: while (y) { D2L_EMULATOR_LOOP(2, 1) "
                   "{ D2L_EMULATOR_LEAVE(2) break; } } } }"},
           {"for (;;) {\n#define END return;\n }", loop + "\n#define END return;\n }"},
           {"for (;;) { } return;", loop + " } return;"},
           {"switch (x) { case 1: break; } return;", std::string("switch (x) { case 1: break; } return;")},
       }) {
    EXPECT_EQ(translated(source), marked);
  }
}

TEST(Translator, CastsOfKernels) {
  EXPECT_EQ(translated("cudaLaunchKernel((void*)k, g, b, a);"), "cudaLaunchKernel(k, g, b, a);");
  EXPECT_EQ(translated("cudaLaunchCooperativeKernel((const void *)k<3>, g, b, a);"),
            "cudaLaunchCooperativeKernel(k<3>, g, b, a);");
  EXPECT_EQ(translated("cudaLaunchKernelExC(at(&c, 1), reinterpret_cast<void*>(k), a);"),
            "cudaLaunchKernelExC(at(&c, 1), (k), a);");
}

TEST(Translator, AddressesOfKernels) {
  const std::string declared = "template <int n> __global__ void __launch_bounds__(128) k(int* x); ";
  const auto assigned = [&](const std::string& value) {
    return translated(declared + "p.func = " + value + ";").substr(declared.size());
  };
  const std::string address = "p.func = ::d2l::emulator::kernel_address->*";
  EXPECT_EQ(assigned("(void*)k<3>"), address + "k<3>;");
  EXPECT_EQ(assigned("(void *)&k<3>"), address + "&k<3>;");
  EXPECT_EQ(assigned("(const void*)here::k<3>"), address + "here::k<3>;");
  EXPECT_EQ(assigned("reinterpret_cast<void*>(k<3>)"), address + "(k<3>);");
  EXPECT_EQ(assigned("(void*)of_header"), address + "of_header;");
  EXPECT_EQ(translated(declared + "p = (void*)other;"), declared + "p = (void*)other;");
  EXPECT_EQ(assigned("(char*)k"), "p.func = (char*)k;");
  EXPECT_EQ(translated(declared + "cudaLaunchKernel((void*)k<3>, g, b, a);"),
            declared + "cudaLaunchKernel(k<3>, g, b, a);");
}

TEST(Translator, InlinePtx) {
  const auto contains = [](std::string_view source, std::string_view part) {
    EXPECT_NE(translated(source).find(part), std::string::npos) << translated(source);
  };
  contains("asm volatile(\"bar.sync 1, 64;\");", "inline PTX is not supported by the emulator: bar.sync");
  contains("asm(\"mma.sync.m8 {%0}, %1;\" :: \"r\"(a));", "inline PTX is not supported by the emulator: mma.sync.m8");
  contains("asm(\"wgmma.fence.sync.aligned;\");", "not supported by the emulator: wgmma.fence.sync.aligned");
  contains(
      "asm(\"mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e2m1.f32 {%0}, {%1}, {%2}, {%0};\" : \"+f\"(d) : \"r\"(a));",
      "not supported by the emulator: mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e2m1.f32");
  contains("asm(\"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};\" : \"+d\"(d));",
           "double d2l_d[2]{}; d2l_ptx::multiply(d2l_product, d2l_a, d2l_b, d2l_c, d2l_d);");
  contains("asm(\"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1+32];\" : \"=r\"(r) : \"r\"(a));",
           "d2l_ptx::load_matrices(1, true, d2l_rows, d2l_ptx::address(");
  contains("asm(\"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%1];\" : \"=r\"(r) : \"r\"(a));", "not supported");
  contains("asm volatile(\"bar.sync 0;\" ::: \"memory\");", "{ __syncthreads(); }");
  contains("asm volatile(\"membar.gl;\\n\");", "{ __threadfence(); }");
  contains("asm(\"mov.u32 %0, %ntid.x;\" : \"=r\"(n));", "(blockDim.x)");
  contains("asm(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t));", "(__globaltimer())");
  contains("#define GO asm(\"add.s32 %0, %0, 1;\" \\\n : \"+r\"(x))\n", "\\\n");  // lines stay
}

TEST(Translator, Targets) {
  EXPECT_EQ(translated("NV_IF_TARGET(NV_PROVIDES_SM_80, (a();))"), "D2L_NV_IF_TARGET(D2L_NV_PROVIDES_SM(80), (a();))");
  EXPECT_EQ(
      translated("NV_DISPATCH_TARGET(NV_IS_EXACTLY_SM_90, (a();), NV_HAS_FEATURE_SM_90a, (b();), NV_IS_HOST, (c();))"),
      "D2L_NV_DISPATCH_TARGET(D2L_NV_IS_EXACTLY_SM(90), (a();), D2L_NV_NO_TARGET, (b();), D2L_NV_IS_HOST, (c();))");
}

TEST(Translator, FilesWithKernels) {
  const auto has_kernels = [](std::string_view source) { return translate(source, "file.cpp").has_kernels; };
  EXPECT_TRUE(has_kernels("__global__ void k(int* x) { *x = 1; }"));
  EXPECT_TRUE(has_kernels("int main() { k<<<1, 1>>>(); }"));
  EXPECT_FALSE(has_kernels("__global__ void k(int* x);\nint main() { int a = 1 << 2; }"));
  EXPECT_FALSE(has_kernels("// __global__ void k() {}\n__host__ __device__ int f() { return 1; }"));
  const auto has_device_code = [](std::string_view source) { return translate(source, "file.cpp").has_device_code; };
  EXPECT_TRUE(has_device_code("__host__ __device__ int f() { return 1; }"));
  EXPECT_FALSE(has_device_code("#define BOTH __host__ __device__\n// __device__ int g();\nint f() { return 1; }"));
}

TEST(Translator, Includes) {
  const auto includes = translate("#include \"a.cuh\"\n#include <b.h>\n// #include \"c.h\"\n", "f.cu").includes;
  ASSERT_EQ(includes.size(), 2U);
  EXPECT_EQ(includes[0].name, "a.cuh");
  EXPECT_TRUE(includes[0].quoted);
  EXPECT_EQ(includes[1].name, "b.h");
}

TEST(Translator, TextureReferences) {
  EXPECT_EQ(translated("texture<float, 2> t;"), "::d2l::emulator::TextureReference<float, 2> t;");
  EXPECT_EQ(translated("static surface<void, cudaSurfaceType2D> s;"),
            "static ::d2l::emulator::SurfaceReference<void, cudaSurfaceType2D> s;");
  for (const char* own : {"template <class T> struct texture {}; texture<float> t;", "scene::texture<float> t;",
                          "struct texture {}; bool b = texture < 3;", "bool b = texture < n && m > 2;"})
    EXPECT_EQ(translated(own), own);
}

TEST(Translator, FormsOfHip) {
  EXPECT_EQ(translated("__global__ void k() { HIP_DYNAMIC_SHARED(float, part) part[0] = 1; }").find("HIP_DYNAMIC"),
            std::string::npos);
  EXPECT_NE(translated("void f() { hipLaunchKernelGGL((k<1, 2>), 1, 1, 0, 0, x); }").find("HIP_KERNEL_NAME(k<1, 2>)"),
            std::string::npos);
  EXPECT_NE(translated("void f() { hipFree(x); }").find("result_unused(), hipFree(x);"), std::string::npos);
  EXPECT_NE(translated("void f() { hipMemcpyHtoD(x, y, 1); }").find("result_unused(), "), std::string::npos);
  EXPECT_NE(translated("__device__ int f() {\n#ifdef __HIP_DEVICE_COMPILE__\n#endif\n}").find("D2L_HIP_DEVICE_COMPILE"),
            std::string::npos);
  EXPECT_TRUE(translate("void f() { hipLaunchKernelGGL(k, 1, 1, 0, 0); }", "f.cpp").has_kernels);
}

}  // namespace
}  // namespace d2l::emulator::translator
