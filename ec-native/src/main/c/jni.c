/*
 * The native half of io.ecfs.kernel.NativeCalls. Arguments are checked on the Java side; addresses are those of live direct
 * buffers.
 */
#define _GNU_SOURCE /* syncfs, and the strerror_r that returns its text */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

JNIEXPORT jstring JNICALL Java_io_ecfs_kernel_NativeCalls_syncFileSystem(JNIEnv *env, jclass type, jstring directory) {
    (void) type;
    const char *path = (*env)->GetStringUTFChars(env, directory, NULL);
    if (path == NULL) {
        return NULL; /* out of memory; the exception is pending */
    }
    int failure = 0;
    int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0 || syncfs(file) != 0) {
        failure = errno;
    }
    if (file >= 0) {
        close(file);
    }
    (*env)->ReleaseStringUTFChars(env, directory, path);
    char text[256];
    return failure == 0 ? NULL : (*env)->NewStringUTF(env, strerror_r(failure, text, sizeof text));
}

JNIEXPORT jint JNICALL Java_io_ecfs_kernel_NativeCalls_openToRead(JNIEnv *env, jclass type, jstring name) {
    (void) type;
    const char *path = (*env)->GetStringUTFChars(env, name, NULL);
    if (path == NULL) {
        return -ENOMEM; /* and the exception is pending */
    }
    /* Without O_NONBLOCK the open of a FIFO would wait for its writer; regular files do not mind. */
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int result = file < 0 ? -errno : file;
    (*env)->ReleaseStringUTFChars(env, name, path);
    struct stat found;
    if (file >= 0 && (fstat(file, &found) != 0 || !S_ISREG(found.st_mode))) {
        close(file);
        result = -EINVAL;
    }
    return result;
}

JNIEXPORT jstring JNICALL Java_io_ecfs_kernel_NativeCalls_adopt(JNIEnv *env, jclass type, jobject file, jint number) {
    (void) type;
    struct stat found;
    if (fstat(number, &found) != 0) {
        char text[256];
        return (*env)->NewStringUTF(env, strerror_r(errno, text, sizeof text));
    }
    if (!S_ISREG(found.st_mode)) {
        return (*env)->NewStringUTF(env, "it is not of a regular file");
    }
    jfieldID field = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, file), "fd", "I");
    if (field == NULL) {
        (*env)->ExceptionClear(env);
        return (*env)->NewStringUTF(env, "java.io.FileDescriptor of this Java has no field for it");
    }
    fcntl(number, F_SETFD, FD_CLOEXEC);
    (*env)->SetIntField(env, file, field, number);
    return NULL;
}

JNIEXPORT jstring JNICALL Java_io_ecfs_kernel_NativeCalls_errorText(JNIEnv *env, jclass type, jint error) {
    (void) type;
    char text[256];
    return (*env)->NewStringUTF(env, strerror_r(error, text, sizeof text));
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

/* Where a buffer keeps its address and position. Reading the fields takes a tenth of the time of asking for both, which serves
 * where a JDK has no such fields. */
static struct {
    jfieldID address;
    jfieldID position;
    jmethodID ask_position;
} buffers;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    (void) reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **) &env, JNI_VERSION_1_8) != JNI_OK) {
        return JNI_ERR;
    }
    jclass buffer = (*env)->FindClass(env, "java/nio/Buffer");
    buffers.ask_position = buffer == NULL ? NULL : (*env)->GetMethodID(env, buffer, "position", "()I");
    if (buffers.ask_position == NULL) {
        return JNI_ERR;
    }
    buffers.position = (*env)->GetFieldID(env, buffer, "position", "I");
    buffers.address = buffers.position == NULL ? NULL : (*env)->GetFieldID(env, buffer, "address", "J");
    if (buffers.address == NULL) {
        (*env)->ExceptionClear(env);
    }
    return JNI_VERSION_1_8;
}

/* The address of a direct buffer's byte at its position. */
static uint64_t start(JNIEnv *env, jobject buffer) {
    if (buffers.address != NULL) {
        return (uint64_t) (*env)->GetLongField(env, buffer, buffers.address)
               + (uint64_t) (*env)->GetIntField(env, buffer, buffers.position);
    }
    return (uint64_t) (uintptr_t) (*env)->GetDirectBufferAddress(env, buffer)
           + (uint64_t) (*env)->CallIntMethod(env, buffer, buffers.ask_position);
}

/* Writes the addresses of up to eight buffers, of which those behind the last are NULL. */
static void place(JNIEnv *env, uint64_t *addresses, jobject a, jobject b, jobject c, jobject d, jobject e, jobject f,
                  jobject g, jobject h) {
    jobject given[] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8 && given[i] != NULL; i++) {
        addresses[i] = start(env, given[i]);
    }
}

JNIEXPORT void JNICALL Java_io_ecfs_kernel_NativeCalls_place(JNIEnv *env, jclass type, jlong addresses, jobject a, jobject b,
                                                             jobject c, jobject d, jobject e, jobject f, jobject g,
                                                             jobject h) {
    (void) type;
    place(env, pointer(addresses), a, b, c, d, e, f, g, h);
}

JNIEXPORT jlong JNICALL Java_io_ecfs_kernel_NativeCalls_run(JNIEnv *env, jclass type, jlong address, jlong workspace,
                                                            jlong bytes, jobject a, jobject b, jobject c, jobject d,
                                                            jobject e, jobject f, jobject g, jobject h, jobject i, jobject j,
                                                            jobject k, jobject l, jobject m, jobject n, jobject o,
                                                            jobject p) {
    (void) type;
    const program *program = pointer(address);
    uint64_t *addresses = pointer(workspace);
    place(env, addresses, a, b, c, d, e, f, g, h);
    if (i != NULL) {
        place(env, addresses + 8, i, j, k, l, m, n, o, p);
    }
    int64_t overlap = program_overlap(program, addresses, (size_t) bytes);
    if (overlap < 0) {
        program_run(program, addresses, (size_t) bytes);
    }
    return overlap;
}
