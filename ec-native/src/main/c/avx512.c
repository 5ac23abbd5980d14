#if defined(__x86_64__)
#pragma GCC target("avx512f,avx512bw")
#include "avx512.h"
#include "shuffle.h"

typedef struct nibbles {
    __m512i low;
    __m512i high;
} nibbles;

static inline __attribute__((always_inline)) nibbles split(__m512i bytes) {
    const __m512i mask = _mm512_set1_epi8(0x0f);
    return (nibbles){_mm512_and_si512(bytes, mask), _mm512_and_si512(_mm512_srli_epi64(bytes, 4), mask)};
}

static inline __attribute__((always_inline)) __m512i add_product(__m512i sum, nibbles source, const uint8_t *table) {
    __m512i low = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *) table));
    __m512i high = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *) (table + 16)));
    /* 0x96: the XOR of all three */
    return _mm512_ternarylogic_epi64(sum, _mm512_shuffle_epi8(low, source.low),
                                     _mm512_shuffle_epi8(high, source.high), 0x96);
}

#define SOURCE nibbles
#define SPLIT(v) split(v)
#define TABLE(tables, i) ((tables) + (i) * TABLE_BYTES)
#define ADD_PRODUCT(x, s, t) add_product(x, s, t)
#define MAX_ROWS 6
#define ARITHMETIC avx512_arithmetic
#include "simd.h"
#endif
