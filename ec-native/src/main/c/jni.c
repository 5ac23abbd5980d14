/*
 * The native half of io.ecfs.kernel.NativeCalls. Arguments are checked on the Java side; addresses are those of live direct
 * buffers.
 */
#include "program.h"

#include "io_ecfs_kernel_NativeCalls.h"

static void *pointer(jlong address) {
    return (void *) (intptr_t) address;
}

JNIEXPORT jstring JNICALL Java_io_ecfs_kernel_NativeCalls_openIsal(JNIEnv *env, jclass type, jstring library) {
    (void) type;
    const char *name = (*env)->GetStringUTFChars(env, library, NULL);
    if (name == NULL) {
        return NULL; /* out of memory; the exception is pending */
    }
    char text[1024];
    const char *reason = isal_open(name, text, sizeof text);
    (*env)->ReleaseStringUTFChars(env, library, name);
    return reason == NULL ? NULL : (*env)->NewStringUTF(env, reason);
}

JNIEXPORT jstring JNICALL Java_io_ecfs_kernel_NativeCalls_isalFile(JNIEnv *env, jclass type) {
    (void) type;
    return (*env)->NewStringUTF(env, isal_file());
}

JNIEXPORT jstring JNICALL Java_io_ecfs_kernel_NativeCalls_isalInstructions(JNIEnv *env, jclass type) {
    (void) type;
    return (*env)->NewStringUTF(env, isal_instructions());
}

JNIEXPORT jint JNICALL Java_io_ecfs_kernel_NativeCalls_kernels(JNIEnv *env, jclass type) {
    (void) env, (void) type;
    return kernel_count();
}

JNIEXPORT jstring JNICALL Java_io_ecfs_kernel_NativeCalls_kernelName(JNIEnv *env, jclass type, jint kernel) {
    (void) type;
    return (*env)->NewStringUTF(env, kernel_name(kernel));
}

JNIEXPORT jboolean JNICALL Java_io_ecfs_kernel_NativeCalls_runsHere(JNIEnv *env, jclass type, jint kernel) {
    (void) env, (void) type;
    return kernel_runs_here(kernel);
}

JNIEXPORT jlong JNICALL Java_io_ecfs_kernel_NativeCalls_address(JNIEnv *env, jclass type, jobject buffer) {
    (void) type;
    return (jlong) (intptr_t) (*env)->GetDirectBufferAddress(env, buffer);
}

JNIEXPORT jlong JNICALL Java_io_ecfs_kernel_NativeCalls_programBytes(JNIEnv *env, jclass type, jint kernel,
                                                                     jintArray code) {
    (void) type;
    jint *words = (*env)->GetIntArrayElements(env, code, NULL);
    if (words == NULL) {
        return 0; /* out of memory; the exception is pending */
    }
    size_t bytes = program_bytes(kernel, (const int32_t *) words);
    (*env)->ReleaseIntArrayElements(env, code, words, JNI_ABORT);
    return (jlong) bytes;
}

JNIEXPORT jlong JNICALL Java_io_ecfs_kernel_NativeCalls_build(JNIEnv *env, jclass type, jint kernel, jintArray code,
                                                              jbyteArray coefficients, jlong memory) {
    (void) type;
    jint *words = (*env)->GetIntArrayElements(env, code, NULL);
    jbyte *bytes = words == NULL ? NULL : (*env)->GetByteArrayElements(env, coefficients, NULL);
    size_t workspace = 0;
    if (bytes != NULL) {
        program *built = program_build(pointer(memory), kernel, (const int32_t *) words, (const uint8_t *) bytes);
        workspace = program_workspace_bytes(built);
        (*env)->ReleaseByteArrayElements(env, coefficients, bytes, JNI_ABORT);
    }
    if (words != NULL) {
        (*env)->ReleaseIntArrayElements(env, code, words, JNI_ABORT);
    }
    return (jlong) workspace; /* without it an out-of-memory exception is pending */
}

JNIEXPORT void JNICALL Java_io_ecfs_kernel_NativeCalls_run(JNIEnv *env, jclass type, jlong address, jlongArray addresses,
                                                           jlong workspace, jlong bytes) {
    (void) type;
    const program *program = pointer(address);
    (*env)->GetLongArrayRegion(env, addresses, 0, program_buffers(program), pointer(workspace));
    program_run(program, pointer(workspace), (size_t) bytes);
}
