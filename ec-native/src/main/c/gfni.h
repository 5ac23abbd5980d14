/*
 * Products by one instruction: multiplying by a constant is linear in the bits of the other factor, so a coefficient is an
 * 8 x 8 matrix of bits. The row that gives bit i of the product is byte 7 - i of the quadword.
 */
#include "field.h"

#define TABLE_BYTES 8
#define EXPAND(c, p) expand_affine(c, p)
#define SOURCE VECTOR
#define SPLIT(v) (v)
#define MAX_ROWS 6

static inline void expand_affine(uint8_t coefficient, uint8_t *table) {
    uint64_t matrix = 0;
    for (int j = 0; j < 8; j++) {
        uint8_t product = multiply(coefficient, (uint8_t) (1 << j));
        for (int i = 0; i < 8; i++) {
            matrix |= (uint64_t) (product >> i & 1) << ((7 - i) * 8 + j);
        }
    }
    memcpy(table, &matrix, sizeof matrix);
}

static inline long long affine(const uint8_t *table) {
    long long matrix;
    memcpy(&matrix, table, sizeof matrix);
    return matrix;
}
