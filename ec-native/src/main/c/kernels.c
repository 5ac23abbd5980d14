/* Which arithmetics there are, and which of them this processor runs. */
#include "program.h"

enum { ISAL, AVX512_GFNI, AVX2_GFNI, AVX512, AVX2, KERNELS };

static const char *const NAMES[KERNELS] = {"isal", "avx512-gfni", "avx2-gfni", "avx512", "avx2"};

#if defined(__x86_64__)
extern const arithmetic avx512_gfni_arithmetic, avx2_gfni_arithmetic, avx512_arithmetic, avx2_arithmetic;

bool kernel_runs_here(int kernel) {
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
#ifdef ECFS_EMULATED_H
    bool gfni = true;
#else
    bool gfni = __builtin_cpu_supports("gfni");
#endif
    switch (kernel) {
    case ISAL:
        return isal_file()[0] != 0;
    case AVX512_GFNI:
        return avx512 && gfni;
    case AVX2_GFNI:
        return __builtin_cpu_supports("avx2") && gfni;
    case AVX512:
        return avx512;
    case AVX2:
        return __builtin_cpu_supports("avx2");
    default:
        return false;
    }
}

const arithmetic *kernel_arithmetic(int kernel) {
    static const arithmetic *const all[KERNELS] = {&isal_arithmetic, &avx512_gfni_arithmetic, &avx2_gfni_arithmetic,
                                                   &avx512_arithmetic, &avx2_arithmetic};
    return all[kernel];
}

xor_fn *kernel_xor(int kernel) {
    if (kernel != ISAL) {
        return kernel_arithmetic(kernel)->xor_step;
    }
    return kernel_runs_here(AVX512) ? avx512_arithmetic.xor_step
           : kernel_runs_here(AVX2) ? avx2_arithmetic.xor_step
                                    : xor_portable;
}
#else
bool kernel_runs_here(int kernel) {
    return kernel == ISAL && isal_file()[0] != 0;
}

const arithmetic *kernel_arithmetic(int kernel) {
    (void) kernel;
    return &isal_arithmetic;
}

xor_fn *kernel_xor(int kernel) {
    (void) kernel;
    return xor_portable;
}
#endif

int kernel_count(void) {
    return KERNELS;
}

const char *kernel_name(int kernel) {
    return NAMES[kernel];
}
