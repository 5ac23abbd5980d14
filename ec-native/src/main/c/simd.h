/*
 * The loops of a kernel of ours, written once for all vector sets. A file that includes this has defined
 *   VECTOR, VECTOR_BYTES, ZERO, LOAD(p), STORE(p, v), STREAM(p, v) (p aligned, past the caches), ADD(a, b)
 *   LOAD_PART(p, n), STORE_PART(p, n, v)      the first n bytes, 0 < n < VECTOR_BYTES
 *   TABLE_BYTES, TABLE(tables, i)             expanded coefficient i, EXPAND(c, p) makes one
 *   SOURCE, SPLIT(v), ADD_PRODUCT(x, s, t)    what a source vector is turned into, and x + the product of it and a table
 *   MAX_ROWS                                  outputs of one pass, so that two vectors for each fit the registers
 *   ARITHMETIC                                the name of what is defined here
 *
 * A pass computes up to MAX_ROWS outputs two vectors at a time and reads each source vector once; its coefficients stand in
 * the order in which it takes them: for each input those of its outputs.
 */
#include "program.h"

#include <string.h>

#define INLINED static inline __attribute__((always_inline))
#define EACH_ROW _Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)

enum {
    /* More inputs than the first level of cache has ways evict one another where their distance is a power of two, and stores
     * past the caches then wait for them. They are taken in groups, with sums in a block that stays in cache. */
    MAX_STREAMED = 8,
    GROUP = 5,
    GROUP_BLOCK = 4096,
    /* A run that streams asks for its inputs so many bytes ahead: the processor's own looking ahead ends at each page. */
    AHEAD = 768
};

/* For two vectors; the lines beyond a region's end that this may name are not read. */
INLINED void ask_ahead(const uint8_t *at) {
    __builtin_prefetch(at + AHEAD);
    __builtin_prefetch(at + AHEAD + 64);
}

/* The outputs of each pass but the last, which may have fewer. */
static int rows_in_pass(int outs) {
    int passes = (outs + MAX_ROWS - 1) / MAX_ROWS;
    return (outs + passes - 1) / passes;
}

static void expand(const uint8_t *coefficients, int outs, int ins, uint8_t *tables) {
    int most = rows_in_pass(outs);
    for (int first = 0; first < outs; first += most) {
        int end = first + most < outs ? first + most : outs;
        for (int i = 0; i < ins; i++) {
            for (int r = first; r < end; r++) {
                EXPAND(coefficients[r * ins + i], tables);
                tables += TABLE_BYTES;
            }
        }
    }
}

/* to[r] = from[r] + sum of products; without from the sum alone. Rows and stream are constants where this is inlined. */
INLINED void pass(const int rows, const bool stream, const uint8_t *tables, int ins, uint8_t *const *in,
                  uint8_t *const *from, uint8_t *const *to, size_t at, size_t end) {
    for (; at + 2 * VECTOR_BYTES <= end; at += 2 * VECTOR_BYTES) {
        VECTOR x[MAX_ROWS], y[MAX_ROWS];
        EACH_ROW {
            x[r] = from == NULL ? ZERO : LOAD(from[r] + at);
            y[r] = from == NULL ? ZERO : LOAD(from[r] + at + VECTOR_BYTES);
        }
        const uint8_t *table = tables;
        for (int i = 0; i < ins; i++) {
            if (stream) {
                ask_ahead(in[i] + at);
            }
            SOURCE s = SPLIT(LOAD(in[i] + at));
            SOURCE t = SPLIT(LOAD(in[i] + at + VECTOR_BYTES));
            EACH_ROW {
                x[r] = ADD_PRODUCT(x[r], s, TABLE(table, r));
                y[r] = ADD_PRODUCT(y[r], t, TABLE(table, r));
            }
            table += rows * TABLE_BYTES;
        }
        EACH_ROW {
            if (stream) {
                STREAM(to[r] + at, x[r]);
                STREAM(to[r] + at + VECTOR_BYTES, y[r]);
            } else {
                STORE(to[r] + at, x[r]);
                STORE(to[r] + at + VECTOR_BYTES, y[r]);
            }
        }
    }
    while (at < end) {
        size_t n = end - at;
        VECTOR x[MAX_ROWS];
        bool whole = n >= VECTOR_BYTES;
        EACH_ROW {
            x[r] = from == NULL ? ZERO : whole ? LOAD(from[r] + at) : LOAD_PART(from[r] + at, n);
        }
        const uint8_t *table = tables;
        for (int i = 0; i < ins; i++) {
            SOURCE s = SPLIT(whole ? LOAD(in[i] + at) : LOAD_PART(in[i] + at, n));
            EACH_ROW {
                x[r] = ADD_PRODUCT(x[r], s, TABLE(table, r));
            }
            table += rows * TABLE_BYTES;
        }
        EACH_ROW {
            if (whole) {
                STORE(to[r] + at, x[r]);
            } else {
                STORE_PART(to[r] + at, n, x[r]);
            }
        }
        at += whole ? VECTOR_BYTES : n;
    }
}

#define PASS_OF(n)                                                                                                      \
    static void pass_##n(bool stream, const uint8_t *tables, int ins, uint8_t *const *in, uint8_t *const *from,         \
                         uint8_t *const *to, size_t at, size_t end) {                                                   \
        if (stream) {                                                                                                   \
            pass(n, true, tables, ins, in, from, to, at, end);                                                          \
        } else {                                                                                                        \
            pass(n, false, tables, ins, in, from, to, at, end);                                                         \
        }                                                                                                               \
    }

typedef void pass_fn(bool stream, const uint8_t *tables, int ins, uint8_t *const *in, uint8_t *const *from,
                     uint8_t *const *to, size_t at, size_t end);

PASS_OF(1)
PASS_OF(2)
PASS_OF(3)
PASS_OF(4)
#if MAX_ROWS > 4
PASS_OF(5)
PASS_OF(6)
static pass_fn *const PASSES[] = {NULL, pass_1, pass_2, pass_3, pass_4, pass_5, pass_6};
#else
static pass_fn *const PASSES[] = {NULL, pass_1, pass_2, pass_3, pass_4};
#endif

/* A pass over many inputs whose outputs go past the caches. */
static void grouped_pass(int rows, const uint8_t *tables, int ins, uint8_t *const *in, uint8_t *const *to, size_t len) {
    _Alignas(64) uint8_t memory[MAX_ROWS][GROUP_BLOCK];
    for (size_t done = 0; done < len; done += GROUP_BLOCK) {
        size_t end = done + GROUP_BLOCK < len ? done + GROUP_BLOCK : len;
        /* So that the same offset that finds the block in the regions finds the block's sums. */
        uint8_t *sums[MAX_ROWS];
        for (int r = 0; r < rows; r++) {
            sums[r] = (uint8_t *) ((uintptr_t) memory[r] - done);
        }
        for (int i = 0; i < ins; i += GROUP) {
            bool last = i + GROUP >= ins;
            PASSES[rows](last, tables + (size_t) (i * rows * TABLE_BYTES), last ? ins - i : GROUP, in + i,
                         i == 0 ? NULL : sums, last ? to : sums, done, end);
        }
    }
}

static void combine(const step *step, uint8_t **in, uint8_t **out, size_t len, bool stream) {
    int most = rows_in_pass(step->outs);
    const uint8_t *tables = step->tables;
    for (int first = 0; first < step->outs; first += most) {
        int rows = first + most < step->outs ? most : step->outs - first;
        if (stream && step->ins > MAX_STREAMED) {
            grouped_pass(rows, tables, step->ins, in, out + first, len);
        } else {
            PASSES[rows](stream, tables, step->ins, in, step->adds ? out + first : NULL, out + first, 0, len);
        }
        tables += (size_t) (rows * step->ins * TABLE_BYTES);
    }
    if (stream) {
        FENCE();
    }
}

INLINED void xor_vectors(const bool stream, uint8_t *const *in, int ins, uint8_t *const *out, int outs, bool adds,
                         size_t len) {
    const int rows = 4;
    size_t at = 0;
    for (; at + 4 * VECTOR_BYTES <= len; at += 4 * VECTOR_BYTES) {
        const uint8_t *first = adds ? out[0] : in[0];
        VECTOR x[4];
        EACH_ROW { x[r] = LOAD(first + at + r * VECTOR_BYTES); }
        for (int i = adds ? 0 : 1; i < ins; i++) {
            if (stream) {
                ask_ahead(in[i] + at);
                ask_ahead(in[i] + at + 128);
            }
            EACH_ROW { x[r] = ADD(x[r], LOAD(in[i] + at + r * VECTOR_BYTES)); }
        }
        for (int o = 0; o < outs; o++) {
            EACH_ROW {
                if (stream) {
                    STREAM(out[o] + at + r * VECTOR_BYTES, x[r]);
                } else {
                    STORE(out[o] + at + r * VECTOR_BYTES, x[r]);
                }
            }
        }
    }
    while (at < len) {
        size_t n = len - at;
        bool whole = n >= VECTOR_BYTES;
        const uint8_t *first = (adds ? out[0] : in[0]) + at;
        VECTOR x = whole ? LOAD(first) : LOAD_PART(first, n);
        for (int i = adds ? 0 : 1; i < ins; i++) {
            x = ADD(x, whole ? LOAD(in[i] + at) : LOAD_PART(in[i] + at, n));
        }
        for (int o = 0; o < outs; o++) {
            if (whole) {
                STORE(out[o] + at, x);
            } else {
                STORE_PART(out[o] + at, n, x);
            }
        }
        at += whole ? VECTOR_BYTES : n;
    }
}

static void xor_step(const step *step, uint8_t **in, uint8_t **out, size_t len, bool stream) {
    /* Outputs that get the same sum share its computation; what is added to differs by output. */
    int together = step->adds ? 1 : step->outs;
    for (int o = 0; o < step->outs; o += together) {
        if (stream) {
            xor_vectors(true, in, step->ins, out + o, together, step->adds, len);
        } else {
            xor_vectors(false, in, step->ins, out + o, together, step->adds, len);
        }
    }
    if (stream) {
        FENCE();
    }
}

const arithmetic ARITHMETIC = {
    .table_bytes = TABLE_BYTES,
    .rows_in_one_pass = MAX_ROWS,
    .expand = expand,
    .combine = combine,
    .xor_step = xor_step,
    .streams = true,
};
