/* XOR of any number of regions in one pass, for processors that no kernel of ours is written for. */
#include "program.h"

#include <string.h>

/* 64 bytes at any address; the compiler makes of it whatever vectors the processor has. */
typedef uint64_t line __attribute__((vector_size(64), aligned(1), may_alias));

#define AT(pointer) (*(const line *) (pointer))

static void xor_one(uint8_t **in, int ins, uint8_t *out, bool adds, size_t len) {
    const uint8_t *first = adds ? out : in[0];
    size_t at = 0;
    for (; at + 64 <= len; at += 64) {
        line sum = AT(first + at);
        for (int i = adds ? 0 : 1; i < ins; i++) {
            sum ^= AT(in[i] + at);
        }
        *(line *) (out + at) = sum;
    }
    for (; at < len; at++) {
        uint8_t sum = first[at];
        for (int i = adds ? 0 : 1; i < ins; i++) {
            sum ^= in[i][at];
        }
        out[at] = sum;
    }
}

void xor_portable(const step *step, uint8_t **in, uint8_t **out, size_t len, bool stream) {
    (void) stream;
    for (int o = 0; o < step->outs; o++) {
        xor_one(in, step->ins, out[o], step->adds, len);
    }
}
