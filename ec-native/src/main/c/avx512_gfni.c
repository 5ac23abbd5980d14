#if defined(__x86_64__)
#ifndef AFFINE_512 /* the check of the loops defines it on processors without the instruction */
#pragma GCC target("avx512f,avx512bw,gfni")
#define AFFINE_512(v, matrix) _mm512_gf2p8affine_epi64_epi8(v, _mm512_set1_epi64(matrix), 0)
#else
#pragma GCC target("avx512f,avx512bw")
#endif
#include "avx512.h"
#include "gfni.h"

#define TABLE(tables, i) affine((tables) + (i) * TABLE_BYTES)
#define ADD_PRODUCT(x, s, t) ADD(x, AFFINE_512(s, t))
#define ARITHMETIC avx512_gfni_arithmetic
#include "simd.h"
#endif
