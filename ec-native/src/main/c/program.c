#include "program.h"

#include <string.h>

enum {
    LINE = 64,
    /* What the regions of a block may take together: half the second level of cache. */
    BLOCK_BUDGET = 512 * 1024,
    /* Shorter blocks would spend their time between the steps. */
    MIN_BLOCK = 1024,
    MAX_BLOCK = 32 * 1024,
    /* A run over so many bytes streams through memory: what it writes would leave the caches before anybody reads it. */
    STREAM_BYTES = 4 * 1024 * 1024
};

struct program {
    const arithmetic *arithmetic;
    xor_fn *xor_step;
    int buffers;
    int inputs; /* so many of them are read */
    int regions;
    int scratch;
    int operands; /* the most inputs and outputs that a step has */
    int outputs_from; /* the first region of an output */
    bool streams; /* whether a step may stream */
    int steps;
    size_t block; /* a multiple of 64 */
    const int32_t *counts;
    step *step;
};

static size_t lines(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

/* Hands out pieces of the program's memory; without memory it only counts. */
typedef struct pieces {
    uint8_t *memory;
    size_t used;
} pieces;

static void *piece(pieces *from, size_t bytes) {
    void *start = from->memory == NULL ? NULL : from->memory + from->used;
    from->used += lines(bytes);
    return start;
}

static const int32_t *copied(pieces *from, const int32_t *values, int count) {
    int32_t *copy = piece(from, (size_t) count * sizeof *copy);
    if (copy != NULL) {
        memcpy(copy, values, (size_t) count * sizeof *copy);
    }
    return copy;
}

static bool all_ones(const uint8_t *coefficients, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (coefficients[i] != 1) {
            return false;
        }
    }
    return true;
}

static size_t block_length(const program *program) {
    /* A program of one step that reads its inputs once needs no blocks. */
    if (program->steps == 1 && program->scratch == 0
        && (program->step[0].xors || program->step[0].outs <= program->arithmetic->rows_in_one_pass)) {
        return SIZE_MAX / 2 / LINE * LINE;
    }
    size_t fair = BLOCK_BUDGET / (size_t) program->regions / LINE * LINE;
    return fair < MIN_BLOCK ? MIN_BLOCK : fair > MAX_BLOCK ? MAX_BLOCK : fair;
}

static bool names(const int32_t *regions, int count, int32_t region) {
    for (int i = 0; i < count; i++) {
        if (regions[i] == region) {
            return true;
        }
    }
    return false;
}

/* A step may stream if it overwrites outputs that no later step reads or adds to. Looking that up takes steps squared, so long
 * programs, which work in blocks that stay in cache anyway, go without. */
static void mark_streams(program *program) {
    enum { MOST_STEPS = 64 };
    int end_of_outputs = program->regions - program->scratch;
    for (int i = 0; i < program->steps && program->steps <= MOST_STEPS; i++) {
        step *step = &program->step[i];
        step->streams = !step->adds && (step->xors || program->arithmetic->streams);
        for (int o = 0; o < step->outs && step->streams; o++) {
            int32_t out = step->out[o];
            bool again = out >= end_of_outputs;
            for (int later = i + 1; later < program->steps && !again; later++) {
                again = names(program->step[later].in, program->step[later].ins, out)
                        || names(program->step[later].out, program->step[later].outs, out);
            }
            step->streams = !again;
        }
        program->streams |= step->streams;
    }
}

/* Builds where there is memory, and without memory counts what building takes; coefficients may be NULL then. */
static size_t lay_out(void *memory, int kernel, const int32_t *code, const uint8_t *coefficients) {
    const arithmetic *arithmetic = kernel_arithmetic(kernel);
    pieces pieces = {memory, 0};
    program *result = piece(&pieces, sizeof *result);
    program built = {.arithmetic = arithmetic, .xor_step = kernel_xor(kernel), .inputs = code[0], .buffers = code[0] + code[1]};
    code += 2;
    built.counts = copied(&pieces, code, built.buffers);
    for (int i = 0; i < built.buffers; i++) {
        built.regions += code[i];
        built.outputs_from += i < built.inputs ? code[i] : 0;
    }
    code += built.buffers;
    built.scratch = code[0];
    built.regions += built.scratch;
    built.steps = code[1];
    code += 2;
    built.step = piece(&pieces, (size_t) built.steps * sizeof *built.step);
    for (int i = 0; i < built.steps; i++) {
        step step = {.adds = code[0] != 0, .ins = code[1], .outs = code[2]};
        size_t products = (size_t) step.ins * (size_t) step.outs;
        step.in = copied(&pieces, code + 3, step.ins);
        step.out = copied(&pieces, code + 3 + step.ins, step.outs);
        uint8_t *tables = piece(&pieces, products * arithmetic->table_bytes);
        if (memory != NULL) {
            step.xors = all_ones(coefficients, products);
            if (!step.xors) {
                arithmetic->expand(coefficients, step.outs, step.ins, tables);
            }
            step.tables = tables;
            built.step[i] = step;
            coefficients += products;
        }
        built.operands = built.operands > step.ins + step.outs ? built.operands : step.ins + step.outs;
        code += 3 + step.ins + step.outs;
    }
    if (memory != NULL) {
        built.block = block_length(&built);
        mark_streams(&built);
        *result = built;
    }
    return pieces.used;
}

size_t program_bytes(int kernel, const int32_t *code) {
    return lay_out(NULL, kernel, code, NULL);
}

program *program_build(void *memory, int kernel, const int32_t *code, const uint8_t *coefficients) {
    lay_out(memory, kernel, code, coefficients);
    return memory;
}

/* A workspace holds the buffers' addresses, a pointer for each region, those of a step's operands, and the scratch. */
size_t program_workspace_bytes(const program *program) {
    size_t pointers = lines((size_t) program->buffers * 8) + lines((size_t) program->regions * sizeof(uint8_t *))
                      + lines((size_t) program->operands * sizeof(uint8_t *));
    return pointers + (program->scratch == 0 ? 0 : (size_t) program->scratch * program->block);
}

int64_t program_overlap(const program *program, const uint64_t *addresses, size_t bytes) {
    for (int out = program->inputs; out < program->buffers; out++) {
        uint64_t from = addresses[out];
        uint64_t to = from + (size_t) program->counts[out] * bytes;
        for (int other = 0; other < out; other++) {
            if (addresses[other] < to && from < addresses[other] + (size_t) program->counts[other] * bytes) {
                return (int64_t) out << 32 | other;
            }
        }
    }
    return -1;
}

static void run_step(const program *program, const step *step, uint8_t **region, uint8_t **operands, size_t len,
                     bool stream) {
    uint8_t **in = operands;
    uint8_t **out = operands + step->ins;
    for (int i = 0; i < step->ins; i++) {
        in[i] = region[step->in[i]];
    }
    for (int i = 0; i < step->outs; i++) {
        out[i] = region[step->out[i]];
    }
    step_fn *run = step->xors ? program->xor_step : program->arithmetic->combine;
    run(step, in, out, len, stream && step->streams);
}

/* How far all outputs are from the start of a cache line; LINE if not all alike. */
static size_t common_offset(uint8_t *const *outputs, int count) {
    size_t offset = (uintptr_t) outputs[0] % LINE;
    for (int i = 1; i < count; i++) {
        if ((uintptr_t) outputs[i] % LINE != offset) {
            return LINE;
        }
    }
    return offset;
}

void program_run(const program *program, void *workspace, size_t bytes) {
    pieces pieces = {workspace, 0};
    const uint64_t *addresses = piece(&pieces, (size_t) program->buffers * 8);
    uint8_t **region = piece(&pieces, (size_t) program->regions * sizeof *region);
    uint8_t **operands = piece(&pieces, (size_t) program->operands * sizeof *operands);
    uint8_t *scratch = pieces.memory + pieces.used;

    int outside = 0;
    for (int buffer = 0; buffer < program->buffers; buffer++) {
        uint8_t *start = (uint8_t *) (uintptr_t) addresses[buffer];
        for (int i = 0; i < program->counts[buffer]; i++) {
            region[outside++] = start + (size_t) i * bytes;
        }
    }
    for (int i = 0; i < program->scratch; i++) {
        region[outside + i] = scratch + (size_t) i * program->block;
    }
    /* Streaming takes aligned outputs: where all are equally far from it, a first short block aligns them. */
    size_t first = program->block;
    bool stream = program->streams && bytes * (size_t) outside >= STREAM_BYTES;
    if (stream) {
        size_t offset = common_offset(region + program->outputs_from, outside - program->outputs_from);
        stream = offset < LINE;
        first = offset % LINE == 0 ? first : LINE - offset;
    }
    for (size_t done = 0; done < bytes;) {
        size_t most = done == 0 ? first : program->block;
        size_t len = bytes - done < most ? bytes - done : most;
        for (int i = 0; i < program->steps; i++) {
            run_step(program, &program->step[i], region, operands, len, stream && len >= LINE);
        }
        for (int i = 0; i < outside; i++) {
            region[i] += len;
        }
        done += len;
    }
}
