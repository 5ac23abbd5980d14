/* XOR of any number of regions in one pass, in loops that the compiler turns into whatever vectors the processor has. */
#include "program.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GLIBC__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

/* 64 bytes at any address. */
typedef uint64_t line __attribute__((vector_size(64), aligned(1), may_alias));

#define AT(pointer) (*(const line *) (pointer))

FOR_EACH_PROCESSOR
void xor_regions(uint8_t **in, int ins, uint8_t *out, bool adds, size_t len) {
    size_t at = 0;
    for (; at + 256 <= len; at += 256) {
        const uint8_t *first = adds ? out : in[0];
        line a = AT(first + at);
        line b = AT(first + at + 64);
        line c = AT(first + at + 128);
        line d = AT(first + at + 192);
        for (int i = adds ? 0 : 1; i < ins; i++) {
            const uint8_t *more = in[i] + at;
            a ^= AT(more);
            b ^= AT(more + 64);
            c ^= AT(more + 128);
            d ^= AT(more + 192);
        }
        *(line *) (out + at) = a;
        *(line *) (out + at + 64) = b;
        *(line *) (out + at + 128) = c;
        *(line *) (out + at + 192) = d;
    }
    for (; at + 8 <= len; at += 8) {
        uint64_t sum;
        memcpy(&sum, (adds ? out : in[0]) + at, 8);
        for (int i = adds ? 0 : 1; i < ins; i++) {
            uint64_t more;
            memcpy(&more, in[i] + at, 8);
            sum ^= more;
        }
        memcpy(out + at, &sum, 8);
    }
    for (; at < len; at++) {
        uint8_t sum = adds ? out[at] : in[0][at];
        for (int i = adds ? 0 : 1; i < ins; i++) {
            sum ^= in[i][at];
        }
        out[at] = sum;
    }
}
