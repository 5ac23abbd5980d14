/*
 * The loops of the native kernels beside the definition, on random programs, with memory that ends where the regions end: built with
 * -fsanitize=address,undefined every read or write beyond a region ends the run. `ecfs asan` builds and runs it; the GFNI loops run
 * on any processor with AVX-512, with the instruction computed as its description says.
 *   kernel_check ROUNDS SEED
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "field.h"
#include "program.h"

#include <inttypes.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BUFFERS = 40, MOST_OPERANDS = 64, MOST_STEPS = 8, MOST_CODE = 4096, MOST_COEFFICIENTS = 1 << 16 };

static uint64_t state;

static unsigned random_below(unsigned bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned) ((state >> 16) % bound);
}

static void fill(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t) random_below(256);
    }
}

/* A random schedule in the code of a program, and what stands in its regions. */
typedef struct sample {
    int32_t code[MOST_CODE];
    uint8_t coefficients[MOST_COEFFICIENTS];
    int inputs, outputs, counts[MOST_BUFFERS], scratch;
    int input_regions, output_regions;
    size_t bytes;
} sample;

static void draw(sample *drawn, bool large) {
    *drawn = (sample){.inputs = 1 + (int) random_below(large ? 14 : 20), .outputs = 1 + (int) random_below(large ? 4 : 8)};
    int32_t *code = drawn->code;
    *code++ = drawn->inputs;
    *code++ = drawn->outputs;
    for (int i = 0; i < drawn->inputs + drawn->outputs; i++) {
        int count = large || random_below(3) != 0 ? 1 : 1 + (int) random_below(4);
        *code++ = drawn->counts[i] = count;
        *(i < drawn->inputs ? &drawn->input_regions : &drawn->output_regions) += count;
    }
    drawn->scratch = large ? 0 : (int) random_below(4);
    *code++ = drawn->scratch;
    int steps = large ? 1 : 1 + (int) random_below(MOST_STEPS);
    *code++ = steps;
    int writable = drawn->output_regions + drawn->scratch;
    size_t coefficients = 0;
    for (int s = 0; s < steps; s++) {
        int outs = 1 + (int) random_below(writable < 9 ? (unsigned) writable : 9);
        int first = (int) random_below((unsigned) (writable - outs + 1));
        int ins = 1 + (int) random_below((unsigned) (drawn->input_regions < 30 ? drawn->input_regions : 30));
        *code++ = random_below(3) == 0;
        *code++ = ins;
        *code++ = outs;
        for (int i = 0; i < ins; i++) {
            *code++ = (int32_t) random_below((unsigned) drawn->input_regions);
        }
        for (int i = 0; i < outs; i++) {
            *code++ = drawn->input_regions + first + i;
        }
        bool ones = random_below(3) == 0;
        for (int i = 0; i < ins * outs; i++) {
            drawn->coefficients[coefficients++] = ones ? 1 : (uint8_t) random_below(256);
        }
    }
    static const unsigned bounds[] = {3, 70, 300, 5000, 70000};
    drawn->bytes = large ? (4u << 20) / (unsigned) (drawn->inputs + drawn->outputs) + random_below(1000)
                         : random_below(bounds[random_below(5)]);
}

/* The definition, byte by byte. */
static void naive(const sample *drawn, uint8_t **region) {
    const int32_t *code = drawn->code + 2 + drawn->inputs + drawn->outputs + 1;
    int steps = *code++;
    const uint8_t *coefficients = drawn->coefficients;
    for (int s = 0; s < steps; s++) {
        int adds = code[0], ins = code[1], outs = code[2];
        for (int r = 0; r < outs; r++) {
            uint8_t *out = region[code[3 + ins + r]];
            for (size_t p = 0; p < drawn->bytes; p++) {
                uint8_t sum = adds ? out[p] : 0;
                for (int i = 0; i < ins; i++) {
                    sum ^= multiply(region[code[3 + i]][p], coefficients[r * ins + i]);
                }
                out[p] = sum;
            }
        }
        coefficients += ins * outs;
        code += 3 + ins + outs;
    }
}

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes == 0 ? 1 : bytes);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* Buffers at random distances from a line, what is around them being poisoned; outputs alike aligned in half of the cases. */
static void place(const sample *drawn, uint8_t **allocation, uint64_t *addresses) {
    unsigned common = random_below(64);
    bool alike = random_below(2) == 0;
    for (int i = 0; i < drawn->inputs + drawn->outputs; i++) {
        size_t bytes = (size_t) drawn->counts[i] * drawn->bytes;
        unsigned offset = alike && i >= drawn->inputs ? common : random_below(64);
        if (posix_memalign((void **) &allocation[i], 64, offset + bytes + 1) != 0) {
            abort();
        }
        fill(allocation[i], offset + bytes);
        addresses[i] = (uint64_t) (uintptr_t) (allocation[i] + offset);
        ASAN_POISON_MEMORY_REGION(allocation[i], offset);
        ASAN_POISON_MEMORY_REGION(allocation[i] + offset + bytes, 1);
    }
}

static bool agrees(const sample *drawn, int kernel) {
    uint8_t *allocation[MOST_BUFFERS];
    uint64_t addresses[MOST_BUFFERS];
    place(drawn, allocation, addresses);

    int regions = drawn->input_regions + drawn->output_regions + drawn->scratch;
    uint8_t **expected = allocate((size_t) regions * sizeof *expected);
    int at = 0;
    for (int i = 0; i < drawn->inputs + drawn->outputs; i++) {
        for (int c = 0; c < drawn->counts[i]; c++) {
            expected[at] = allocate(drawn->bytes);
            memcpy(expected[at++], (uint8_t *) (uintptr_t) addresses[i] + (size_t) c * drawn->bytes, drawn->bytes);
        }
    }
    while (at < regions) {
        expected[at] = allocate(drawn->bytes);
        memset(expected[at++], 0, drawn->bytes);
    }
    naive(drawn, expected);

    void *memory = aligned_alloc(64, program_bytes(kernel, drawn->code));
    program *built = program_build(memory, kernel, drawn->code, drawn->coefficients);
    size_t bytes = (program_workspace_bytes(built) + 63) / 64 * 64;
    uint64_t *workspace = aligned_alloc(64, bytes);
    memset(workspace, 0, bytes); /* a schedule of Java's never reads scratch that it has not written; these may */
    memcpy(workspace, addresses, (size_t) (drawn->inputs + drawn->outputs) * sizeof *addresses);
    bool same = program_overlap(built, workspace, drawn->bytes) == -1;
    program_run(built, workspace, drawn->bytes);
    at = 0;
    for (int i = 0; i < drawn->inputs + drawn->outputs; i++) {
        for (int c = 0; c < drawn->counts[i]; c++) {
            same &= memcmp(expected[at++], (uint8_t *) (uintptr_t) addresses[i] + (size_t) c * drawn->bytes, drawn->bytes) == 0;
        }
        ASAN_UNPOISON_MEMORY_REGION(allocation[i], 1);
        free(allocation[i]);
    }
    for (int i = 0; i < regions; i++) {
        free(expected[i]);
    }
    free(expected);
    free(workspace);
    free(memory);
    return same;
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 2000;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    char reason[256];
    const char *closed = isal_open("libisal.so.2", reason, sizeof reason);
    if (closed != NULL) {
        printf("without ISA-L: %s\n", closed);
    }
    sample *drawn = allocate(sizeof *drawn);
    for (int kernel = 0; kernel < kernel_count(); kernel++) {
        if (!kernel_runs_here(kernel)) {
            printf("%-12s does not run here\n", kernel_name(kernel));
            continue;
        }
        state = 88172645463325252u + seed;
        for (int round = 0; round < rounds; round++) {
            /* Scratch is per block, so that schedules that read it unwritten would differ: only runs of one block have it. */
            draw(drawn, round % 50 == 49);
            if (drawn->scratch > 0 && drawn->bytes > 1024) {
                drawn->bytes %= 1024;
            }
            if (!agrees(drawn, kernel)) {
                printf("%s differs from the definition: seed %" PRIu64 ", round %d\n", kernel_name(kernel), seed, round);
                return 1;
            }
        }
        printf("%-12s equals the definition in %d programs, seed %" PRIu64 "\n", kernel_name(kernel), rounds, seed);
    }
    free(drawn);
    return 0;
}
