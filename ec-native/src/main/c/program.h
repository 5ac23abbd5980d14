/*
 * A schedule of region operations in the form that the native kernels run, and what a kernel gives to run it.
 *
 * The words are those of io.ecfs.code.kernel.Schedule: a region is a sub-chunk of a buffer or scratch, numbered through inputs,
 * outputs and scratch; a step reads regions and overwrites others with the product of a matrix, or adds it to them.
 */
#ifndef ECFS_PROGRAM_H
#define ECFS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct step step;

/* Runs a step over len bytes (at least 1) of its regions; stream sends the outputs, aligned to 64 bytes, past the caches. */
typedef void step_fn(const step *step, uint8_t **in, uint8_t **out, size_t len, bool stream);
typedef step_fn xor_fn;

/* How a kernel multiplies. */
typedef struct arithmetic {
    /* What one coefficient takes in expanded form. */
    size_t table_bytes;
    /* Up to so many outputs a step reads its inputs once. */
    int rows_in_one_pass;
    /* Expands outs x ins coefficients, row by row. */
    void (*expand)(const uint8_t *coefficients, int outs, int ins, uint8_t *tables);
    /* Runs a step that is no plain XOR. */
    step_fn *combine;
    /* Runs a step that is a plain XOR; NULL where that is left to another kernel. */
    xor_fn *xor_step;
    /* Whether combine can stream. */
    bool streams;
} arithmetic;

/* The kernels have numbers from 0 on, fastest first behind ISA-L, which has 0 and runs here once it is open. */
int kernel_count(void);
const char *kernel_name(int kernel);
bool kernel_runs_here(int kernel);
const arithmetic *kernel_arithmetic(int kernel);
xor_fn *kernel_xor(int kernel);
xor_fn xor_portable;

struct step {
    int ins;
    int outs;
    bool adds;
    bool xors;
    bool streams; /* whether its outputs may go past the caches: nothing in the program touches them again */
    const int32_t *in;
    const int32_t *out;
    const uint8_t *tables;
};

typedef struct program program;

/*
 * The code of a program, as CompiledProgram writes it:
 *   input buffers, output buffers, regions of each buffer..., scratch regions, steps,
 *   for each step: 1 if it adds, inputs, outputs, input regions..., output regions...
 * The coefficients of all steps stand one behind the other in an array of their own.
 */

/* How much memory program_build takes for that code. */
size_t program_bytes(int kernel, const int32_t *code);

/* Builds a program in memory aligned to 64 bytes. Nothing of code and coefficients is kept. */
program *program_build(void *memory, int kernel, const int32_t *code, const uint8_t *coefficients);

/* How much memory a run of the program works in. */
size_t program_workspace_bytes(const program *program);

/* The lowest output buffer that overlaps an input or an output before it, times 2^32, plus that other buffer; -1 if there is none. */
int64_t program_overlap(const program *program, const uint64_t *addresses, size_t bytes);

/*
 * Runs the program.
 *   workspace   program_workspace_bytes bytes aligned to 64, of the calling thread alone; its first 8 bytes for each buffer
 *               hold the buffers' addresses, inputs first
 *   bytes       the length of a region
 */
void program_run(const program *program, void *workspace, size_t bytes);

/* ISA-L: opens the library and fills in the arithmetic; a reason why not, in a buffer of the caller's, or NULL. */
const char *isal_open(const char *library, char *reason, size_t reason_bytes);

/* The file of the opened library, and the instructions that its dispatcher takes on this processor. */
const char *isal_file(void);
const char *isal_instructions(void);

extern const arithmetic isal_arithmetic;

#endif
