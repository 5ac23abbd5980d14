/*
 * Arithmetic by ISA-L, which is opened at run time and not linked, so that the build needs no ISA-L and the jar runs with
 * whatever version the system has. The prototypes are those of ISA-L's erasure_code.h, unchanged since 2.11.
 */
#define _GNU_SOURCE 1
#include "program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void init_tables_fn(int k, int rows, unsigned char *a, unsigned char *gftbls);
typedef void encode_fn(int len, int k, int rows, unsigned char *gftbls, unsigned char **data, unsigned char **coding);
typedef void encode_update_fn(int len, int k, int rows, int vec_i, unsigned char *gftbls, unsigned char *data,
                              unsigned char **coding);

/* Written once by isal_open(), before the kernel is published. */
static struct {
    init_tables_fn *init_tables;
    encode_fn *encode;
    encode_update_fn *encode_update;
    char file[512];
} isal;

const char *isal_open(const char *library, char *reason, size_t reason_bytes) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *error = dlerror();
        snprintf(reason, reason_bytes, "ISA-L cannot be opened: %s", error != NULL ? error : "unknown error");
        return reason;
    }
    /* Through void ** because ISO C has no cast from an object pointer to a function pointer. */
    init_tables_fn *init_tables;
    encode_fn *encode;
    encode_update_fn *encode_update;
    *(void **) &init_tables = dlsym(handle, "ec_init_tables");
    *(void **) &encode = dlsym(handle, "ec_encode_data");
    *(void **) &encode_update = dlsym(handle, "ec_encode_data_update");
    if (init_tables == NULL || encode == NULL || encode_update == NULL) {
        snprintf(reason, reason_bytes, "%s: has no ec_init_tables, ec_encode_data or ec_encode_data_update", library);
        dlclose(handle);
        return reason;
    }
    Dl_info info;
    char *real = dladdr(*(void **) &encode, &info) != 0 ? realpath(info.dli_fname, NULL) : NULL;
    const char *path = real != NULL ? real : library;
    const char *slash = strrchr(path, '/');
    snprintf(isal.file, sizeof isal.file, "%s", slash != NULL ? slash + 1 : path);
    free(real);
    isal.init_tables = init_tables;
    isal.encode_update = encode_update;
    isal.encode = encode;
    return NULL;
}

const char *isal_file(void) {
    return isal.file;
}

/* The tests are those of ISA-L's mbin_dispatch_init for ec_encode_data. */
const char *isal_instructions(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        return "avx512";
    }
    return __builtin_cpu_supports("avx2")     ? "avx2"
           : __builtin_cpu_supports("avx")    ? "avx"
           : __builtin_cpu_supports("sse4.1") ? "sse"
                                              : "base";
#elif defined(__aarch64__)
    return "neon";
#else
    return "base";
#endif
}

static void expand(const uint8_t *coefficients, int outs, int ins, uint8_t *tables) {
    /* ISA-L does not write through its matrix, it only lacks the const. */
    isal.init_tables(ins, outs, (unsigned char *) (uintptr_t) coefficients, tables);
}

static void combine(const step *step, uint8_t **in, uint8_t **out, size_t len, bool stream) {
    (void) stream;
    unsigned char *tables = (unsigned char *) (uintptr_t) step->tables;
    if (!step->adds) {
        isal.encode((int) len, step->ins, step->outs, tables, in, out);
        return;
    }
    for (int i = 0; i < step->ins; i++) {
        isal.encode_update((int) len, step->ins, step->outs, i, tables, in[i], out);
    }
}

/* Two tables of 16 products for each coefficient, by low and by high nibble. */
const arithmetic isal_arithmetic = {.table_bytes = 32, .rows_in_one_pass = 6, .expand = expand, .combine = combine};
