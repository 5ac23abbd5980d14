/*
 * The native half of io.ecfs.jmh.IsalLoop: what ISA-L itself gives, in a plain loop over stripes inside one JNI call.
 * The prototypes are those of ISA-L's erasure_code.h, so that its headers need not be installed.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io_ecfs_jmh_IsalLoop.h"

extern void gf_gen_cauchy1_matrix(unsigned char *a, int n, int k);
extern int gf_invert_matrix(unsigned char *in, unsigned char *out, int k);
extern void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *tables);
extern void ec_encode_data(int len, int k, int rows, unsigned char *tables, unsigned char **data, unsigned char **coding);

enum { MOST = 64 };

typedef struct loop {
    int k;
    int rows;
    unsigned char tables[32 * MOST * MOST];
} loop;

JNIEXPORT jlong JNICALL Java_io_ecfs_jmh_IsalLoop_prepare(JNIEnv *env, jclass type, jint k, jint m, jint lost) {
    (void) env, (void) type;
    loop *made = aligned_alloc(64, (sizeof *made + 63) / 64 * 64);
    unsigned char matrix[MOST * MOST], survivors[MOST * MOST], inverse[MOST * MOST];
    gf_gen_cauchy1_matrix(matrix, k + m, k);
    made->k = k;
    if (lost == 0) {
        made->rows = m;
        ec_init_tables(k, m, matrix + k * k, made->tables);
        return (jlong) (intptr_t) made;
    }
    memcpy(survivors, matrix + lost * k, (size_t) (k * k));
    if (gf_invert_matrix(survivors, inverse, k) != 0) {
        free(made);
        return 0;
    }
    made->rows = lost;
    ec_init_tables(k, lost, inverse, made->tables);
    return (jlong) (intptr_t) made;
}

JNIEXPORT void JNICALL Java_io_ecfs_jmh_IsalLoop_run(JNIEnv *env, jclass type, jlong handle, jlongArray addresses,
                                                       jint stripes, jint bytes) {
    (void) type;
    loop *work = (loop *) (intptr_t) handle;
    int regions = work->k + work->rows;
    jlong *all = (*env)->GetPrimitiveArrayCritical(env, addresses, NULL);
    if (all == NULL) {
        return;
    }
    for (int s = 0; s < stripes; s++) {
        unsigned char *pointers[2 * MOST];
        for (int i = 0; i < regions; i++) {
            pointers[i] = (unsigned char *) (intptr_t) all[s * regions + i];
        }
        ec_encode_data(bytes, work->k, work->rows, work->tables, pointers, pointers + work->k);
    }
    (*env)->ReleasePrimitiveArrayCritical(env, addresses, all, JNI_ABORT);
}

JNIEXPORT jlong JNICALL Java_io_ecfs_jmh_IsalLoop_address(JNIEnv *env, jclass type, jobject buffer) {
    (void) type;
    return (jlong) (intptr_t) (*env)->GetDirectBufferAddress(env, buffer);
}
