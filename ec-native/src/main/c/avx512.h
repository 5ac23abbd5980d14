/* The 512-bit vectors of simd.h. */
#include <immintrin.h>

#define VECTOR __m512i
#define VECTOR_BYTES 64
#define ZERO _mm512_setzero_si512()
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define STREAM(p, v) _mm512_stream_si512((void *) (p), v)
#define FENCE() _mm_sfence()
#define ADD(a, b) _mm512_xor_si512(a, b)
#define PART(n) ((__mmask64) (~0ull >> (64 - (n))))
#define LOAD_PART(p, n) _mm512_maskz_loadu_epi8(PART(n), p)
#define STORE_PART(p, n, v) _mm512_mask_storeu_epi8(p, PART(n), v)
