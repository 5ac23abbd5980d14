/* Products by lookup: a table of 16 products for the low and one for the high nibble of the other factor. */
#include "field.h"

#define TABLE_BYTES 32
#define EXPAND(c, p) expand_nibbles(c, p)

static inline void expand_nibbles(uint8_t coefficient, uint8_t *table) {
    for (int nibble = 0; nibble < 16; nibble++) {
        table[nibble] = multiply(coefficient, (uint8_t) nibble);
        table[16 + nibble] = multiply(coefficient, (uint8_t) (nibble << 4));
    }
}
