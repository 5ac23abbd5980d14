#if defined(__x86_64__)
#pragma GCC target("avx2")
#include "avx2.h"
#include "shuffle.h"

typedef struct nibbles {
    __m256i low;
    __m256i high;
} nibbles;

static inline __attribute__((always_inline)) nibbles split(__m256i bytes) {
    const __m256i mask = _mm256_set1_epi8(0x0f);
    return (nibbles){_mm256_and_si256(bytes, mask), _mm256_and_si256(_mm256_srli_epi64(bytes, 4), mask)};
}

static inline __attribute__((always_inline)) __m256i add_product(__m256i sum, nibbles source, const uint8_t *table) {
    __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *) table));
    __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *) (table + 16)));
    sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(low, source.low));
    return _mm256_xor_si256(sum, _mm256_shuffle_epi8(high, source.high));
}

#define SOURCE nibbles
#define SPLIT(v) split(v)
#define TABLE(tables, i) ((tables) + (i) * TABLE_BYTES)
#define ADD_PRODUCT(x, s, t) add_product(x, s, t)
#define MAX_ROWS 4
#define ARITHMETIC avx2_arithmetic
#include "simd.h"
#endif
