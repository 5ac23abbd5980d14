/* The 256-bit vectors of simd.h. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define VECTOR __m256i
#define VECTOR_BYTES 32
#define ZERO _mm256_setzero_si256()
#define LOAD(p) _mm256_loadu_si256((const __m256i *) (p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *) (p), v)
#define STREAM(p, v) _mm256_stream_si256((__m256i *) (p), v)
#define FENCE() _mm_sfence()
#define ADD(a, b) _mm256_xor_si256(a, b)
#define LOAD_PART(p, n) load_part(p, n)
#define STORE_PART(p, n, v) store_part(p, n, v)

static inline __m256i load_part(const uint8_t *from, size_t bytes) {
    _Alignas(32) uint8_t whole[32] = {0};
    memcpy(whole, from, bytes);
    return _mm256_load_si256((const __m256i *) whole);
}

static inline void store_part(uint8_t *to, size_t bytes, __m256i vector) {
    _Alignas(32) uint8_t whole[32];
    _mm256_store_si256((__m256i *) whole, vector);
    memcpy(to, whole, bytes);
}
