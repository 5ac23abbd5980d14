/* The native half of io.ecfs.jmh.JerasureLoop: Jerasure's bit-matrix codes in a plain loop over stripes inside one JNI call. */
#include <jerasure.h>
#include <jerasure/cauchy.h>
#include <jerasure/liberation.h>
#include <stdint.h>
#include <stdlib.h>

#include "io_ecfs_jmh_JerasureLoop.h"

typedef struct loop {
    int k, m, w, packet;
    int *bits;
    int **schedule;
} loop;

JNIEXPORT jlong JNICALL Java_io_ecfs_jmh_JerasureLoop_prepare(JNIEnv *env, jclass type, jboolean liberation, jint k,
                                                                jint m, jint w, jint packet) {
    (void) env, (void) type;
    loop *made = calloc(1, sizeof *made);
    *made = (loop){.k = k, .m = m, .w = w, .packet = packet};
    if (liberation) {
        made->bits = liberation_coding_bitmatrix(k, w);
    } else {
        made->bits = jerasure_matrix_to_bitmatrix(k, m, w, cauchy_good_general_coding_matrix(k, m, w));
    }
    made->schedule = jerasure_smart_bitmatrix_to_schedule(k, m, w, made->bits);
    return (jlong) (intptr_t) made;
}

JNIEXPORT void JNICALL Java_io_ecfs_jmh_JerasureLoop_run(JNIEnv *env, jclass type, jlong handle, jint lost,
                                                           jlongArray addresses, jint stripes, jint bytes) {
    (void) type;
    loop *work = (loop *) (intptr_t) handle;
    int chunks = work->k + work->m;
    int erased[64];
    for (int i = 0; i < lost; i++) {
        erased[i] = i;
    }
    erased[lost] = -1;
    jlong *all = (*env)->GetPrimitiveArrayCritical(env, addresses, NULL);
    if (all == NULL) {
        return;
    }
    for (int s = 0; s < stripes; s++) {
        char *pointers[64];
        for (int i = 0; i < chunks; i++) {
            pointers[i] = (char *) (intptr_t) all[s * chunks + i];
        }
        if (lost == 0) {
            jerasure_schedule_encode(work->k, work->m, work->w, work->schedule, pointers, pointers + work->k, bytes,
                                     work->packet);
        } else {
            jerasure_schedule_decode_lazy(work->k, work->m, work->w, work->bits, erased, pointers, pointers + work->k,
                                          bytes, work->packet, 1);
        }
    }
    (*env)->ReleasePrimitiveArrayCritical(env, addresses, all, JNI_ABORT);
}

JNIEXPORT jlong JNICALL Java_io_ecfs_jmh_JerasureLoop_address(JNIEnv *env, jclass type, jobject buffer) {
    (void) type;
    return (jlong) (intptr_t) (*env)->GetDirectBufferAddress(env, buffer);
}
