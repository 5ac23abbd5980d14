/*
 * The native half of io.ecfs.isal.NativeIsal: region arithmetic over GF(2^8) by ISA-L.
 *
 * ISA-L is opened at run time and not linked, so that the build needs no ISA-L and the jar runs with whatever version the
 * system has. The prototypes are those of ISA-L's erasure_code.h, unchanged since 2.11.
 *
 * Arguments are checked on the Java side; addresses are those of live direct buffers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_ecfs_isal_NativeIsal.h"

enum {
    MAX_REGIONS = 512, /* as IsalKernel.MAX_REGIONS */
    /* Each region is worked through in parts of this size, so that a matrix of more rows than ISA-L handles in one pass
     * (six) reads its inputs from cache the second time. */
    BLOCK = 32 * 1024,
    /* The XOR accumulates in the output, which has to stay in the first level of cache. */
    XOR_BLOCK = 8 * 1024
};

typedef void init_tables_fn(int k, int rows, unsigned char *a, unsigned char *gftbls);
typedef void encode_fn(int len, int k, int rows, unsigned char *gftbls, unsigned char **data, unsigned char **coding);
typedef void encode_update_fn(int len, int k, int rows, int vec_i, unsigned char *gftbls, unsigned char *data,
                              unsigned char **coding);

/* Written once by open(), before the class initialiser of IsalLibrary publishes the kernel. */
static struct {
    init_tables_fn *init_tables;
    encode_fn *encode;
    encode_update_fn *encode_update;
    char file[512];
} isal;

static jstring failure(JNIEnv *env, const char *library, const char *reason) {
    char line[1024];
    snprintf(line, sizeof line, "%s: %s", library, reason ? reason : "unknown error");
    return (*env)->NewStringUTF(env, line);
}

JNIEXPORT jstring JNICALL Java_io_ecfs_isal_NativeIsal_open(JNIEnv *env, jclass type, jstring library) {
    (void) type;
    const char *name = (*env)->GetStringUTFChars(env, library, NULL);
    if (name == NULL) {
        return NULL; /* out of memory; the exception is pending */
    }
    jstring result = NULL;
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        result = failure(env, "ISA-L cannot be opened", dlerror());
    } else {
        /* Through void ** because ISO C has no cast from an object pointer to a function pointer. */
        init_tables_fn *init_tables;
        encode_fn *encode;
        encode_update_fn *encode_update;
        *(void **) &init_tables = dlsym(handle, "ec_init_tables");
        *(void **) &encode = dlsym(handle, "ec_encode_data");
        *(void **) &encode_update = dlsym(handle, "ec_encode_data_update");
        if (init_tables == NULL || encode == NULL || encode_update == NULL) {
            result = failure(env, name, "has no ec_init_tables, ec_encode_data or ec_encode_data_update");
            dlclose(handle);
        } else {
            Dl_info info;
            char *real = dladdr(*(void **) &encode, &info) != 0 ? realpath(info.dli_fname, NULL) : NULL;
            const char *path = real != NULL ? real : name;
            const char *slash = strrchr(path, '/');
            snprintf(isal.file, sizeof isal.file, "%s", slash != NULL ? slash + 1 : path);
            free(real);
            isal.init_tables = init_tables;
            isal.encode_update = encode_update;
            isal.encode = encode;
        }
    }
    (*env)->ReleaseStringUTFChars(env, library, name);
    return result;
}

JNIEXPORT jstring JNICALL Java_io_ecfs_isal_NativeIsal_file(JNIEnv *env, jclass type) {
    (void) type;
    return (*env)->NewStringUTF(env, isal.file);
}

/* The tests are those of ISA-L's mbin_dispatch_init for ec_encode_data. */
JNIEXPORT jstring JNICALL Java_io_ecfs_isal_NativeIsal_instructions(JNIEnv *env, jclass type) {
    (void) type;
    const char *name = "base";
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        name = "avx512";
    } else if (__builtin_cpu_supports("avx2")) {
        name = "avx2";
    } else if (__builtin_cpu_supports("avx")) {
        name = "avx";
    } else if (__builtin_cpu_supports("sse4.1")) {
        name = "sse";
    }
#elif defined(__aarch64__)
    name = "neon";
#endif
    return (*env)->NewStringUTF(env, name);
}

JNIEXPORT jlong JNICALL Java_io_ecfs_isal_NativeIsal_address(JNIEnv *env, jclass type, jobject buffer) {
    (void) type;
    return (jlong) (intptr_t) (*env)->GetDirectBufferAddress(env, buffer);
}

JNIEXPORT void JNICALL Java_io_ecfs_isal_NativeIsal_expand(JNIEnv *env, jclass type, jbyteArray matrix, jint rows,
                                                           jint columns, jlong tables) {
    (void) type;
    jbyte *coefficients = (*env)->GetByteArrayElements(env, matrix, NULL);
    if (coefficients == NULL) {
        return; /* out of memory; the exception is pending */
    }
    isal.init_tables(columns, rows, (unsigned char *) coefficients, (unsigned char *) (intptr_t) tables);
    (*env)->ReleaseByteArrayElements(env, matrix, coefficients, JNI_ABORT);
}

/* Copies the addresses to pointers; the array has exactly count of them. */
static void regions(JNIEnv *env, jlongArray addresses, int count, unsigned char **pointers) {
    jlong copy[MAX_REGIONS];
    (*env)->GetLongArrayRegion(env, addresses, 0, count, copy);
    for (int i = 0; i < count; i++) {
        pointers[i] = (unsigned char *) (intptr_t) copy[i];
    }
}

static void advance(unsigned char **pointers, int count, jlong bytes) {
    for (int i = 0; i < count; i++) {
        pointers[i] += bytes;
    }
}

static int part(jlong left, int block) {
    return left < block ? (int) left : block;
}

JNIEXPORT void JNICALL Java_io_ecfs_isal_NativeIsal_apply(JNIEnv *env, jclass type, jlong tables, jint rows,
                                                          jint columns, jlongArray addresses, jlong bytes) {
    (void) type;
    unsigned char *pointers[MAX_REGIONS];
    regions(env, addresses, columns + rows, pointers);
    for (jlong left = bytes; left > 0; left -= BLOCK) {
        isal.encode(part(left, BLOCK), columns, rows, (unsigned char *) (intptr_t) tables, pointers,
                    pointers + columns);
        advance(pointers, columns + rows, BLOCK);
    }
}

JNIEXPORT void JNICALL Java_io_ecfs_isal_NativeIsal_multiplyAdd(JNIEnv *env, jclass type, jlong tables, jint rows,
                                                                jint columns, jint column, jlongArray addresses,
                                                                jlong bytes) {
    (void) type;
    unsigned char *pointers[MAX_REGIONS];
    regions(env, addresses, 1 + rows, pointers);
    for (jlong left = bytes; left > 0; left -= BLOCK) {
        isal.encode_update(part(left, BLOCK), columns, rows, column, (unsigned char *) (intptr_t) tables, pointers[0],
                           pointers + 1);
        advance(pointers, 1 + rows, BLOCK);
    }
}

/* ISA-L's xor_gen wants regions aligned to 32 bytes, which cells need not be; a loop that the compiler vectorises does not. */
#if defined(__x86_64__) && defined(__GLIBC__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

FOR_EACH_PROCESSOR
static void add_1(unsigned char *restrict out, const unsigned char *restrict a, int bytes) {
    for (int i = 0; i < bytes; i++) {
        out[i] ^= a[i];
    }
}

FOR_EACH_PROCESSOR
static void add_3(unsigned char *restrict out, const unsigned char *restrict a, const unsigned char *restrict b,
                  const unsigned char *restrict c, int bytes) {
    for (int i = 0; i < bytes; i++) {
        out[i] ^= (unsigned char) (a[i] ^ b[i] ^ c[i]);
    }
}

static void xor_part(unsigned char **in, int inputs, unsigned char **out, int outputs, int bytes) {
    if (inputs == 0) {
        memset(out[0], 0, (size_t) bytes);
    } else {
        memcpy(out[0], in[0], (size_t) bytes);
    }
    int i = 1;
    for (; i + 3 <= inputs; i += 3) {
        add_3(out[0], in[i], in[i + 1], in[i + 2], bytes);
    }
    for (; i < inputs; i++) {
        add_1(out[0], in[i], bytes);
    }
    for (int o = 1; o < outputs; o++) {
        memcpy(out[o], out[0], (size_t) bytes);
    }
}

JNIEXPORT void JNICALL Java_io_ecfs_isal_NativeIsal_xor(JNIEnv *env, jclass type, jint inputs, jint outputs,
                                                        jlongArray addresses, jlong bytes) {
    (void) type;
    unsigned char *pointers[MAX_REGIONS];
    regions(env, addresses, inputs + outputs, pointers);
    for (jlong left = bytes; left > 0; left -= XOR_BLOCK) {
        xor_part(pointers, inputs, pointers + inputs, outputs, part(left, XOR_BLOCK));
        advance(pointers, inputs + outputs, XOR_BLOCK);
    }
}
