package io.ecfs.kernel;

import io.ecfs.code.kernel.GaloisKernel;

/**
 * The tests of the kernels in C without a test framework around them, for a JVM that runs under a sanitizer:
 * {@code ./ecfs asan}.
 */
final class CompiledKernelRun {
    private CompiledKernelRun() {}

    public static void main(String[] arguments) {
        CompiledKernelTest test = new CompiledKernelTest();
        CompiledKernelTest.compiled().forEach(named -> {
            GaloisKernel kernel = named.getPayload();
            test.equalsTheJavaKernelForEveryLengthAndAlignment(kernel);
            test.equalsTheJavaKernelAcrossBlocksAndForManyRows(kernel);
            test.equalsTheJavaKernelForRandomSchedules(kernel);
            test.equalsTheJavaKernelWhereItStreams(kernel);
            test.multipliesByEveryCoefficient(kernel);
            test.refusesReadOnlyAndOverlappingBuffers(kernel);
            System.out.println(
                    kernel.description() + ": all runs equal the Java kernel's, all bad buffers were refused");
        });
    }
}
