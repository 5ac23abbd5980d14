/* gf2p8affineqb for processors without it, from Intel's description, so that the loops over it can be checked there. */
#ifndef ECFS_EMULATED_H
#define ECFS_EMULATED_H

#include <immintrin.h>
#include <stdint.h>

static inline void affine_bytes(uint8_t *bytes, int count, uint64_t matrix) {
    for (int at = 0; at < count; at++) {
        uint8_t result = 0;
        for (int i = 0; i < 8; i++) {
            uint8_t row = (uint8_t) (matrix >> (8 * (7 - i)));
            result |= (uint8_t) (__builtin_parity((unsigned) (row & bytes[at])) << i);
        }
        bytes[at] = result;
    }
}

#define AFFINE_512(v, matrix)                                                                                          \
    __extension__({                                                                                                     \
        uint8_t bytes_[64];                                                                                             \
        _mm512_storeu_si512(bytes_, v);                                                                                 \
        affine_bytes(bytes_, 64, (uint64_t) (matrix));                                                                  \
        _mm512_loadu_si512(bytes_);                                                                                     \
    })

#define AFFINE_256(v, matrix)                                                                                          \
    __extension__({                                                                                                     \
        uint8_t bytes_[32];                                                                                             \
        _mm256_storeu_si256((__m256i *) bytes_, v);                                                                     \
        affine_bytes(bytes_, 32, (uint64_t) (matrix));                                                                  \
        _mm256_loadu_si256((const __m256i *) bytes_);                                                                   \
    })

#endif
