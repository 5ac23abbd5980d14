#if defined(__x86_64__)
#ifndef AFFINE_256 /* the check of the loops defines it on processors without the instruction */
#pragma GCC target("avx2,gfni")
#define AFFINE_256(v, matrix) _mm256_gf2p8affine_epi64_epi8(v, _mm256_set1_epi64x(matrix), 0)
#else
#pragma GCC target("avx2")
#endif
#include "avx2.h"
#include "gfni.h"

#define TABLE(tables, i) affine((tables) + (i) * TABLE_BYTES)
#define ADD_PRODUCT(x, s, t) ADD(x, AFFINE_256(s, t))
#define ARITHMETIC avx2_gfni_arithmetic
#include "simd.h"
#endif
