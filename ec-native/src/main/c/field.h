/* Scalar arithmetic in GF(2^8) with the polynomial 0x11d, for tables only. */
#ifndef ECFS_FIELD_H
#define ECFS_FIELD_H

#include <stdint.h>
#include <string.h>

static inline uint8_t multiply(uint8_t a, uint8_t b) {
    uint8_t product = 0;
    for (; b != 0; b >>= 1) {
        if (b & 1) {
            product ^= a;
        }
        a = (uint8_t) (a << 1 ^ (a & 0x80 ? 0x1d : 0));
    }
    return product;
}

#endif
